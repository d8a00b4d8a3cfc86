"""Guests: people without accounts. A random token says who somebody is; only its hash is kept."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from time import monotonic
from uuid import UUID

from notahat.store import Store

COOKIE = "notahat"
TOKEN_BYTES = 16
TICKET_SECONDS = 600
LONGEST_TOKEN = 64
LONGEST_COOKIES = 8 * 1024
MOST_REMEMBERED = 20_000
ASK_AGAIN_SECONDS = 12 * 3600.0


class Guests:
    """Everybody who has a token."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[UUID, float]] = OrderedDict()

    async def welcome(self, guest: UUID | None = None) -> str:
        """A new token: for a new guest, or for one more device of somebody."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await self._store.add_guest(hashed(token), guest)
        return token

    async def who(self, token: str | None) -> UUID | None:
        """Whose token this is."""
        if not token or len(token) > LONGEST_TOKEN:
            return None
        key = hashed(token)
        known, asked = self._known.get(key, (None, float("-inf")))
        if known is not None and self._clock() - asked < ASK_AGAIN_SECONDS:
            return known
        guest = await self._store.guest(key)  # which notes that they were seen, so that they are not forgotten
        if guest is not None:
            self._known[key] = (guest, self._clock())
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        return guest

    async def ticket(self, guest: UUID) -> str:
        """A word that lets the same guest go on elsewhere, once and soon."""
        ticket = secrets.token_urlsafe(TOKEN_BYTES)
        await self._store.put_ticket(hashed(ticket), guest, TICKET_SECONDS)
        return ticket

    async def use_ticket(self, ticket: str) -> str | None:
        """A token for whoever holds a good ticket."""
        if not ticket or len(ticket) > LONGEST_TOKEN:
            return None
        guest = await self._store.take_ticket(hashed(ticket))
        return None if guest is None else await self.welcome(guest)


def hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def bearer(headers: Mapping[str, str]) -> str | None:
    """The token that a program sends."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def cookie(headers: Mapping[str, str]) -> str | None:
    """The token that a browser sends. What stands beside it is none of our business, and is not even parsed."""
    sent = headers.get("cookie", "")
    if len(sent) > LONGEST_COOKIES:
        return None
    named = (cookie.partition("=") for cookie in sent.split(";"))
    return next((value.strip() for name, _, value in named if name.strip() == COOKIE), None)


def from_browser(headers: Mapping[str, str]) -> bool:
    return "origin" in headers or "sec-fetch-site" in headers


def own_origin(headers: Mapping[str, str], public_url: str) -> bool:
    """Whether a page of ours sends this. Programs send no origin."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if public_url and origin == public_url.rstrip("/"):
        return True
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and place == headers.get("host", "")
