"""Guests: people without accounts, identified by a random token. Only its hash is stored."""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit
from uuid import UUID

from notahat.live.limits import LruCache
from notahat.store import Store

COOKIE = "notahat"
TOKEN_BYTES = 16
TICKET_SECONDS = 600
MAX_TOKEN = 64
MAX_COOKIES = 8 * 1024
MAX_PROTOCOLS = 256
TOKEN_PROTOCOL = "token."  # noqa: S105 - a prefix
MAX_CACHED = 20_000
RECHECK_SECONDS = 60.0  # so long a token works after `notahat forget` has ended it


class Guests:
    """Creates and checks guest tokens and tickets."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._cache: LruCache[bytes, tuple[UUID, float]] = LruCache(MAX_CACHED)  # hash -> guest, time of the check

    async def create_token(self, guest: UUID | None = None) -> str:
        """Return a new token for a new guest, or for another device of a guest."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await self._store.add_guest(hash_token(token), guest)
        return token

    async def identify(self, token: str | None) -> UUID | None:
        """Return the guest of a token; None if it is unknown."""
        if not token or len(token) > MAX_TOKEN:
            return None
        key = hash_token(token)
        cached = self._cache.get(key)
        if cached is not None and self._clock() - cached[1] < RECHECK_SECONDS:
            return cached[0]
        guest = await self._store.guest(key)
        if guest is None:
            self._cache.pop(key, None)
        else:
            self._cache[key] = (guest, self._clock())
        return guest

    async def ended(self, keys: Sequence[bytes]) -> set[bytes]:
        """Return the tokens, by their hashes, that the store does not know any more."""
        ended = set(keys) - await self._store.known_tokens(keys)
        for key in ended:
            self._cache.pop(key, None)
        return ended

    async def create_ticket(self, guest: UUID) -> str:
        """Return a one-time ticket that moves a guest to another device within `TICKET_SECONDS`."""
        ticket = secrets.token_urlsafe(TOKEN_BYTES)
        await self._store.put_ticket(hash_token(ticket), guest, TICKET_SECONDS)
        return ticket

    async def use_ticket(self, ticket: str) -> str | None:
        """Return a new token of the ticket's guest; None if the ticket is not valid."""
        if not ticket or len(ticket) > MAX_TOKEN:
            return None
        guest = await self._store.take_ticket(hash_token(ticket))
        return None if guest is None else await self.create_token(guest)


def hash_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def bearer_token(headers: Mapping[str, str]) -> str | None:
    """Return the token that a program sends."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def protocol_token(headers: Mapping[str, str]) -> str | None:
    """Return the token that a page without cookies offers as a subprotocol, the only header that its socket can set."""
    offered = (one.strip() for one in headers.get("sec-websocket-protocol", "")[:MAX_PROTOCOLS].split(","))
    return next((one.removeprefix(TOKEN_PROTOCOL) for one in offered if one.startswith(TOKEN_PROTOCOL)), None)


def cookie_token(headers: Mapping[str, str]) -> str | None:
    """Return the token that a browser sends. Other cookies are not parsed, because parsing some is very slow."""
    sent = headers.get("cookie", "")
    if len(sent) > MAX_COOKIES:
        return None
    named = (cookie.partition("=") for cookie in sent.split(";"))
    return next((value.strip() for name, _, value in named if name.strip() == COOKIE), None)


def browser_token(headers: Mapping[str, str]) -> str | None:
    """Return the token that a browser has already, as a cookie or, without cookies, as its page keeps it."""
    return (bearer_token(headers) if is_browser(headers) else None) or cookie_token(headers)


def is_browser(headers: Mapping[str, str]) -> bool:
    return "origin" in headers or "sec-fetch-site" in headers


def is_own_origin(headers: Mapping[str, str], public_url: str) -> bool:
    """Return whether one of our own pages sends this, or a program, which sends no origin."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if public_url and origin == "/".join(public_url.split("/")[:3]):
        return True
    scheme, _, host = origin.partition("://")
    if scheme not in ("http", "https") or host != headers.get("host", ""):
        return False
    # an address or the public name, as any name may lead here
    public_name, name = name_of(public_url), name_of(f"//{host}")
    return not public_name or is_address(public_name) or name in (public_name, "localhost") or is_address(name)


def name_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # brackets that do not close
        return ""


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
