"""The address of a client, as limits count it: an IPv4 address, or an IPv6 network."""

from functools import lru_cache
from ipaddress import ip_address, ip_network

IPV6_PREFIX = 64  # bits: one customer gets a whole network of this size
ANY_PEER = "yes"
MAX_CACHED = 10_000


def client_address(forwarded: str, peer: str | None, behind_proxy: str) -> str:
    """Return the address that limits count.

    Behind a proxy this is the last entry of `X-Forwarded-For`, the only one that the proxy itself wrote.
    `behind_proxy` is the setting: empty, `yes`, or the addresses and networks of proxies.
    """
    last = forwarded.rpartition(",")[2].strip() if is_proxy(peer or "", behind_proxy) else ""
    return address_key(last or peer or "?")


@lru_cache(MAX_CACHED)
def address_key(address: str) -> str:
    """Return what rate limits count as one address: an IPv4 address, or an IPv6 network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, IPV6_PREFIX), strict=False))


@lru_cache(MAX_CACHED)
def is_proxy(peer: str, behind_proxy: str) -> bool:
    """Return whether to believe a peer's `X-Forwarded-For`; raise `ValueError` if the setting is invalid."""
    if behind_proxy in ("", ANY_PEER):
        return bool(behind_proxy)
    networks = [ip_network(one) for one in behind_proxy.split()]
    try:
        address = ip_address(peer)
    except ValueError:  # a Unix socket has no address
        return False
    return any(address in network for network in networks)
