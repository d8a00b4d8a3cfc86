import pytest
from starlette.requests import Request

from notahat.server.http.exchange import request_address
from notahat.server.limits.accounts import address_key, client_address
from notahat.server.settings import from_environment

CHAIN = "9.9.9.9, 10.0.0.1"


def test_ipv6_network_is_one_address() -> None:
    assert address_key("2001:db8:1:2::1") == address_key("2001:db8:1:2:ffff::9") != address_key("2001:db8:1:3::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1") != address_key("192.0.2.2")
    assert address_key("fe80::1%eth0") == address_key("fe80::2")
    assert address_key("?") == "?"


def test_last_forwarded_address_is_used_behind_a_proxy_only() -> None:
    assert client_address(CHAIN, "127.0.0.1", "yes") == "10.0.0.1"
    assert client_address(CHAIN, "127.0.0.1", "") == "127.0.0.1"
    several = Request({"type": "http", "headers": [(b"x-forwarded-for", ip) for ip in (b"9.9.9.9", b"10.0.0.1")]})
    assert request_address(several, "yes") == "10.0.0.1", "a client may have sent a header of its own"


def test_forwarded_address_is_believed_of_named_proxies_only() -> None:
    proxies = from_environment({"NOTAHAT_BEHIND_PROXY": "172.30.32.2 2001:db8::/64"}).behind_proxy
    for proxy in ("172.30.32.2", "2001:db8::9"):
        assert client_address(CHAIN, proxy, proxies) == "10.0.0.1"
    assert client_address(CHAIN, "192.168.1.7", proxies) == "192.168.1.7"
    assert client_address(CHAIN, None, proxies) == "?"


@pytest.mark.parametrize(("text", "parsed"), [("yes", "yes"), ("1", "yes"), ("no", ""), ("10.0.0.0/8", "10.0.0.0/8")])
def test_behind_proxy_is_yes_no_or_networks(text: str, parsed: str) -> None:
    assert from_environment({"NOTAHAT_BEHIND_PROXY": text}).behind_proxy == parsed
