"""Game events for the operator's other programs, such as lights: signed HTTP requests without names and codes."""

import asyncio
import hashlib
import hmac
import logging
import urllib.error
import urllib.request
from time import time
from typing import Any
from uuid import UUID, uuid4

import msgspec

from notahat import rules
from notahat.live.limits import LruCache
from notahat.server.ops.logs import RareWarning
from notahat.table.shown import MatchOver, Shown

TRIES = 4
RETRY_SECONDS = 2.0  # before the second try; then twice and four times as long
TIMEOUT_SECONDS = 5.0
MAX_WAITING = 100
MAX_TABLES = 1000
PSEUDONYM_LENGTH = 12

log = logging.getLogger("notahat")


class Webhook:
    """Sends events one after another to one URL. Events over `MAX_WAITING` are dropped: lights need no past."""

    def __init__(self, url: str, secret: str, retry_seconds: float = RETRY_SECONDS) -> None:
        self._url = url
        self._secret = secret.encode()
        self._retry_seconds = retry_seconds
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(MAX_WAITING)
        self._awaited: LruCache[UUID, int | None] = LruCache(MAX_TABLES)
        self._dropped = RareWarning("webhook: events were dropped")
        self._failed = RareWarning("webhook: the receiver does not answer")

    def happened(self, table: UUID, events: tuple[Shown, ...]) -> None:
        """Send what a command showed to everyone at its table, if it opened a card or ended a match."""
        for event in events:
            match event:
                case rules.Refused(giver=giver, receiver=receiver, claim=claim, gift=gift):
                    fields = {"event": "reveal", "giver": giver, "receiver": receiver, "claim": claim, "gift": gift}
                    self._add(table, fields)
                case MatchOver(winners=winners):
                    self._add(table, {"event": "win", "seats": winners})

    def waiting(self, table: UUID, seat: int | None) -> None:
        """Send once that a table waits for the person in a seat; None: it does not wait for long."""
        if self._awaited.get(table) != seat:
            self._awaited[table] = seat
            if seat is not None:
                self._add(table, {"event": "waiting", "seat": seat})

    def _add(self, table: UUID, fields: dict[str, Any]) -> None:
        pseudonym = hmac.digest(self._secret, table.bytes, "sha256").hex()[:PSEUDONYM_LENGTH]
        message = {"id": uuid4().hex, "at": round(time(), 3), "table": pseudonym, **fields}
        try:
            self._queue.put_nowait(msgspec.json.encode(message))
        except asyncio.QueueFull:
            self._dropped.log("")

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            await self._deliver(await self._queue.get())

    async def _deliver(self, body: bytes) -> None:
        error: Exception | None = None
        for attempt in range(TRIES):
            try:
                return await asyncio.to_thread(self._post, body)
            except (OSError, ValueError) as problem:  # urllib's errors are of these kinds
                error = problem
            if attempt + 1 < TRIES:
                await asyncio.sleep(self._retry_seconds * 2**attempt)
        return self._failed.log("", error=str(error))

    def _post(self, body: bytes) -> None:
        headers = {"content-type": "application/json", "x-notahat-signature": sign(self._secret, body)}
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310 - checked at start
        try:
            with _opener.open(request, timeout=TIMEOUT_SECONDS):
                pass
        except urllib.error.HTTPError as error:
            error.close()  # it holds the connection
            raise OSError(f"status {error.code}") from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Treats a redirect as an error: what is signed goes to the operator's URL only."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def sign(secret: bytes, body: bytes) -> str:
    """Return the signature of a body, which has a time and an id against repetition."""
    return f"sha256={hmac.new(secret, body, hashlib.sha256).hexdigest()}"
