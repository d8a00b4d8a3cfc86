"""Connectivity check: does the server answer locally, through the proxy, and by WebSocket?"""

import asyncio
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from picows import WSListener, ws_connect
from picows.common import WSError, WSHandshakeError

from notahat.server.settings import Settings

TIMEOUT_SECONDS = 5.0
FAKE_ADDRESS = "192.0.2.99"  # reserved for documentation, so no client has it
MAX_RESPONSE_BYTES = 4096


class ObservedRequest(Struct):
    """A request as the server sees it: the client's address and the `Host` header."""

    address: str = ""
    host: str = ""


class HealthResponse(Struct):
    """The body of /healthz."""

    ok: bool = False
    way: ObservedRequest | None = None


class Unreachable(Exception):  # noqa: N818 - a result
    """No server of this program answers at an address."""


def check_connectivity(settings: Settings) -> Iterator[tuple[bool, str]]:
    """Return findings, each with whether it is good."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    try:
        health = _request_health(url)
    except Unreachable:
        yield True, f"No server runs at {url} now, so connections to it were not checked."
        return
    yield health.ok, f"The server at {url} {'is healthy' if health.ok else 'is not healthy: see its log'}."
    if settings.public_url:
        yield from _check_public_url(settings)


def _check_public_url(settings: Settings) -> Iterator[tuple[bool, str]]:
    url = settings.public_url.rstrip("/")
    try:
        health = _request_health(url)
    except Unreachable as problem:
        yield False, f"{url} cannot be reached from here: {problem}."
        return
    yield True, f"{url} reaches this server."
    observed = health.way or ObservedRequest()
    if observed.address == FAKE_ADDRESS:
        advice = "let the proxy append to X-Forwarded-For, or unset NOTAHAT_BEHIND_PROXY"
        yield False, f"The server trusts X-Forwarded-For from clients, so anybody can claim any address: {advice}."
    elif settings.behind_proxy:
        yield True, "The proxy sets X-Forwarded-For, and the server uses it."
    if observed.host != urlsplit(url).netloc:
        expected = urlsplit(url).netloc
        yield False, f"The proxy sends Host {observed.host!r} instead of {expected!r}: let it pass Host on."
    yield asyncio.run(_check_socket(url))


async def _check_socket(url: str) -> tuple[bool, str]:
    """Open a WebSocket without a token, which this server accepts and closes at once with a reason."""
    socket_url = f"{url.replace('http', 'ws', 1)}/api/tables/DOCTOR/socket"
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            transport, _ = await ws_connect(WSListener, socket_url)
            await transport.wait_disconnected()
    except WSHandshakeError as error:
        status = error.response.status if error.response is not None else "none"
        return False, f"WebSockets do not work (status {status}): let the proxy pass Upgrade and Connection on."
    except TimeoutError:
        return False, "WebSockets reach another program, or no answer comes back."
    except (OSError, WSError) as problem:
        return False, f"WebSockets do not work: {problem or 'no answer'}."
    return True, "WebSockets work."


def _request_health(url: str) -> HealthResponse:
    """Return the answer of /healthz; send a false address to see whether the server trusts it."""
    request = urllib.request.Request(f"{url}/healthz?way", headers={"x-forwarded-for": FAKE_ADDRESS})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
            body = response.read(MAX_RESPONSE_BYTES)
    except urllib.error.HTTPError as error:
        with error:
            body = error.read(MAX_RESPONSE_BYTES)
        if error.code != 503:
            raise Unreachable(f"status {error.code}") from None
    except urllib.error.URLError as error:
        bad_certificate = isinstance(error.reason, ssl.SSLError)
        raise Unreachable(f"bad certificate ({error.reason})" if bad_certificate else str(error.reason)) from None
    except OSError as error:
        raise Unreachable(str(error)) from None
    try:
        return msgspec.json.decode(body, type=HealthResponse)
    except msgspec.DecodeError:
        raise Unreachable("another program answers") from None
