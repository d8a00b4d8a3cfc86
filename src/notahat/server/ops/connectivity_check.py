"""The way that people take to a server, taken as they do: does it answer, through the proxy, and by WebSocket?"""

import asyncio
import ssl
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from picows import WSListener, ws_connect
from picows.common import WSError, WSHandshakeError

from notahat.server.settings import Settings

ANSWER_SECONDS = 5.0
CLAIMED = "192.0.2.99"  # an address that nobody has
LARGEST = 4096


class Seen(Struct):
    """How a request looked to the server: where it came from, and what it was asked as."""

    address: str = ""
    host: str = ""


class Told(Struct):
    """What /healthz answers."""

    ok: bool = False
    way: Seen | None = None


class Unreached(Exception):  # noqa: N818 - an answer
    """Nobody of ours answers there."""


async def looked_at(settings: Settings) -> list[tuple[bool, str]]:
    """Sentences, and whether each is a good one."""
    return [sentence async for sentence in _sentences(settings)]


async def _sentences(settings: Settings) -> AsyncIterator[tuple[bool, str]]:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    here = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    try:
        told = await asyncio.to_thread(_ask, here)
    except Unreached:
        yield True, f"No server of ours runs at {here} now; the way to it was not looked at."
        return
    yield (
        told.ok,
        f"The server at {here} {'answers, and is well' if told.ok else 'answers that it is not well: see its log'}.",
    )
    if settings.public_url:
        async for sentence in _from_outside(settings):
            yield sentence


async def _from_outside(settings: Settings) -> AsyncIterator[tuple[bool, str]]:
    url = settings.public_url.rstrip("/")
    try:
        told = await asyncio.to_thread(_ask, url)
    except Unreached as problem:
        yield False, f"Nobody gets to {url} from here: {problem}."
        return
    yield True, f"{url} leads here."
    seen = told.way or Seen()
    if seen.address == CLAIMED:
        said = (
            "so anybody can claim any address: let the proxy append to X-Forwarded-For, or unset NOTAHAT_BEHIND_PROXY"
        )
        yield False, f"What people say in X-Forwarded-For is believed, {said}."
    elif settings.behind_proxy:
        yield True, "The proxy says where people come from, and is believed."
    if seen.host != urlsplit(url).netloc:
        yield False, f"The proxy asks for {seen.host!r} instead of {urlsplit(url).netloc!r}: let it pass Host on."
    yield await _by_socket(url)


async def _by_socket(url: str) -> tuple[bool, str]:
    """A handshake of a stranger is refused by us; any other answer is not ours."""
    place = f"{url.replace('http', 'ws', 1)}/api/tables/DOCTOR/socket"
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await ws_connect(WSListener, place)
    except WSHandshakeError as error:
        if error.response is not None and error.response.status == 401:
            return True, "WebSockets get through."
        status = error.response.status if error.response is not None else "nothing"
        return (
            False,
            f"WebSockets do not get through ({status} was answered): let the proxy pass Upgrade and Connection on.",
        )
    except (TimeoutError, OSError, WSError) as problem:
        return False, f"WebSockets do not get through: {problem or 'no answer'}."
    return False, "Something else answers WebSockets there."


def _ask(url: str) -> Told:
    """Ask for health, with a claim about who we are that nobody should believe."""
    asked = urllib.request.Request(f"{url}/healthz?way", headers={"x-forwarded-for": CLAIMED})  # noqa: S310
    try:
        with urllib.request.urlopen(asked, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
            body = answer.read(LARGEST)
    except urllib.error.HTTPError as error:
        with error:
            body = error.read(LARGEST)
        if error.code != 503:
            raise Unreached(f"{error.code} was answered") from None
    except urllib.error.URLError as error:
        unsafe = isinstance(error.reason, ssl.SSLError)
        raise Unreached(f"its certificate is not good ({error.reason})" if unsafe else str(error.reason)) from None
    except OSError as error:
        raise Unreached(str(error)) from None
    try:
        return msgspec.json.decode(body, type=Told)
    except msgspec.DecodeError:
        raise Unreached("something else answers") from None
