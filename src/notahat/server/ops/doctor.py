"""`notahat doctor`: the list of all checks, of store, memory limit, addresses and connections. It changes nothing."""

import argparse
import asyncio
import ssl
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
from picows import WSListener, ws_connect
from picows.common import WSError, WSHandshakeError

from notahat.server.limits.accounts import ANY_PEER
from notahat.server.ops.metrics import HealthResponse, ObservedRequest
from notahat.server.ops.resources import levels
from notahat.server.ops.store_check import Finding, check_store, ok, problem
from notahat.server.settings import Settings, add_store_options, exit_on, load_settings

TIMEOUT_SECONDS = 5.0
FAKE_ADDRESS = "192.0.2.99"  # reserved for documentation, so no client has it
MAX_RESPONSE_BYTES = 4096


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    summary = "check folder, disk, store, clock, proxy and public URL, and say what is wrong"
    details = "Exit code 0 without problems, 1 with problems. Use the same settings as for the server."
    parser = commands.add_parser("doctor", help=summary, description=f"{summary[0].upper()}{summary[1:]}. {details}")
    add_store_options(parser)
    parser.add_argument("--host", help="address that the server listens on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port that the server listens on (8000; NOTAHAT_PORT)")
    parser.add_argument("--public-url", metavar="URL", help="URL that people use (NOTAHAT_PUBLIC_URL)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError):
        findings = list(examine(load_settings(arguments)))
    for finding in findings:
        sys.stdout.write(f"{'OK:     ' if finding.ok else 'PROBLEM:'} {finding.text}\n")
    problems = sum(not finding.ok for finding in findings)
    sys.stdout.write(f"{problems or 'No'} {'problem' if problems == 1 else 'problems'} found.\n")
    return 1 if problems else 0


def examine(settings: Settings) -> Iterator[Finding]:
    yield from check_store(settings)
    yield from check_resources(settings)
    yield from check_addresses(settings)
    yield from check_connectivity(settings)


def check_resources(settings: Settings) -> Iterator[Finding]:
    """Report what is scarce: limits are those of this command, and the server has the same in its container."""
    scarce = [level for level in levels(settings) if level.scarce]
    for level in scarce:
        details = ", ".join(f"{name} {value}" for name, value in level.details.items())
        yield problem(f"{level.message[0].upper()}{level.message[1:]}: {details}.")
    if not scarce:
        yield ok("Memory, open files and disk space are sufficient.")


def check_addresses(settings: Settings) -> Iterator[Finding]:
    url, local = settings.public_url, settings.host in ("127.0.0.1", "::1", "localhost")
    if settings.behind_proxy == ANY_PEER and not local:
        text = f"The server listens on {settings.host}, so a client that bypasses the proxy can claim any address"
        yield problem(f"{text}: listen on 127.0.0.1, or set NOTAHAT_BEHIND_PROXY to the proxy's address.")
    if settings.behind_proxy and not url:
        yield problem("There is a proxy but no NOTAHAT_PUBLIC_URL: links and QR codes may be wrong.")
    if url.startswith("https:") and not settings.behind_proxy:
        text = "The public URL uses https, so there is a proxy, but NOTAHAT_BEHIND_PROXY is not set"
        yield problem(f"{text}: all clients seem to have one address and share its limits.")
    if not url and not settings.behind_proxy:
        yield ok("There is no public URL: links use the address in the browser.")


def check_connectivity(settings: Settings) -> Iterator[Finding]:
    """Check whether the server answers locally, through the proxy, and by WebSocket."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    try:
        health = _request_health(url)
    except Unreachable:
        yield ok(f"No server runs at {url} now, so connections to it were not checked.")
        return
    yield Finding(health.ok, f"The server at {url} {'is healthy' if health.ok else 'is not healthy: see its log'}.")
    if settings.public_url:
        yield from _check_public_url(settings)


def _check_public_url(settings: Settings) -> Iterator[Finding]:
    url = settings.public_url.rstrip("/")
    try:
        health = _request_health(url)
    except Unreachable as error:
        yield problem(f"{url} cannot be reached from here: {error}.")
        return
    yield ok(f"{url} reaches this server.")
    observed = health.way or ObservedRequest()
    if observed.address == FAKE_ADDRESS:
        advice = "let the proxy append to X-Forwarded-For, or unset NOTAHAT_BEHIND_PROXY"
        yield problem(f"The server trusts X-Forwarded-For from clients, so anybody can claim any address: {advice}.")
    elif settings.behind_proxy:
        yield ok("The proxy sets X-Forwarded-For, and the server uses it.")
    if observed.host != urlsplit(url).netloc:
        expected = urlsplit(url).netloc
        yield problem(f"The proxy sends Host {observed.host!r} instead of {expected!r}: let it pass Host on.")
    yield asyncio.run(_check_socket(url))


async def _check_socket(url: str) -> Finding:
    """Open a WebSocket without a token, which this server accepts and closes at once with a reason."""
    socket_url = f"{url.replace('http', 'ws', 1)}/api/tables/DOCTOR/socket"
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            transport, _ = await ws_connect(WSListener, socket_url)
            await transport.wait_disconnected()
    except WSHandshakeError as error:
        status = error.response.status if error.response is not None else "none"
        return problem(f"WebSockets do not work (status {status}): let the proxy pass Upgrade and Connection on.")
    except TimeoutError:
        return problem("WebSockets reach another program, or no answer comes back.")
    except (OSError, WSError) as error:
        return problem(f"WebSockets do not work: {error or 'no answer'}.")
    return ok("WebSockets work.")


class Unreachable(Exception):  # noqa: N818 - a result
    """No server of this program answers at an address."""


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
