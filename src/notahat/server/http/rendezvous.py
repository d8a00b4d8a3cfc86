"""The rendezvous: boxes in which browsers leave sealed messages for each other, to connect without a server.

The bytes are encrypted with a key that only the browsers have. Nothing is written to disk or to a log, and nothing is
kept longer than ten minutes. See decisions/0023.
"""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from itertools import chain
from time import monotonic, time

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from notahat.rules import Illegal, Reason
from notahat.server.http.refusal import STATUS, json_response, refuse, require
from notahat.server.http.request_parts import read_body
from notahat.server.limits.budget import (
    ADDRESS_WAITS,
    BOX_MESSAGES,
    RENDEZVOUS_BYTES,
    RENDEZVOUS_WAITS,
    SEALED_BYTES,
    SEALED_SECONDS,
)
from notahat.server.limits.rate_limit import RateLimit
from notahat.wire.messages import SealedMessage, SealedMessages, encode_message
from notahat.wire.reasons import ServerReason

RENDEZVOUS_PATH = "/api/rendezvous/{box}"
WAIT_SECONDS = 20.0  # below the idle timeout of common proxies
OVERHEAD_BYTES = 512  # of a message in memory
PUTS = 120, 4.0  # for each address, behind which a whole table may be: messages at once, then per second
TAKES = 240, 8.0
MAX_DIGITS = 15
_BOX = re.compile("[0-9a-f]{32}")
_SEALED = re.compile("[A-Za-z0-9_-]+")


class Message(Struct, frozen=True):
    """A sealed message and when it came."""

    number: int
    at: float
    body: str

    @property
    def size(self) -> int:
        return len(self.body) + OVERHEAD_BYTES


class Rendezvous:
    """All boxes of this process."""

    def __init__(self, keep_seconds: float = SEALED_SECONDS.value, wait_seconds: float = WAIT_SECONDS) -> None:
        self._keep_seconds = keep_seconds
        self._wait_seconds = wait_seconds
        self._boxes: dict[str, deque[Message]] = {}
        self.stored_bytes = 0
        self._last = int(time() * 1000)  # numbers grow across restarts
        self._arrivals: dict[str, set[asyncio.Event]] = {}
        self._waiting: Counter[str] = Counter()
        self._put_limit = RateLimit(*PUTS)
        self._take_limit = RateLimit(*TAKES)
        self._closing = False

    def close(self) -> None:
        """Answer all waiting requests, because the server stops."""
        self._closing = True
        for arrival in chain.from_iterable(self._arrivals.values()):
            arrival.set()

    def put(self, box: str, body: str, address: str) -> None:
        """Put a message into a box and delete it later; raise `Illegal` over the limits."""
        _require_box(box)
        require(_SEALED.fullmatch(body) is not None, Reason.UNREADABLE, "a sealed message is base64url")
        require(self._put_limit.allows(address))
        self._last += 1
        message = Message(self._last, monotonic(), body)
        require(self.stored_bytes + message.size <= RENDEZVOUS_BYTES.value, ServerReason.BUSY)
        messages = self._boxes.setdefault(box, deque())
        messages.append(message)
        self.stored_bytes += message.size
        if len(messages) > BOX_MESSAGES.value:
            self._delete(box, messages[0])
        asyncio.get_running_loop().call_later(self._keep_seconds, self._delete, box, message)
        for arrival in self._arrivals.get(box, ()):
            arrival.set()

    def _delete(self, box: str, message: Message) -> None:
        messages = self._boxes.get(box)
        if messages is None or message not in messages:
            return
        messages.remove(message)
        self.stored_bytes -= message.size
        if not messages:
            del self._boxes[box]

    async def take(self, box: str, after: int, address: str) -> SealedMessages:
        """Return the messages of a box after a number. Wait for one if there is none; return none after a while."""
        _require_box(box)
        require(self._take_limit.allows(address))
        if not (found := self._read(box, after)).messages:
            with self._arrival(box, address) as arrival:
                try:
                    await asyncio.wait_for(arrival.wait(), self._wait_seconds)
                except TimeoutError:
                    return found
            found = self._read(box, after)
        return found

    def _read(self, box: str, after: int) -> SealedMessages:
        now = monotonic()
        messages = (one for one in self._boxes.get(box, ()) if one.number > after)
        return SealedMessages(tuple(SealedMessage(one.number, round(now - one.at, 1), one.body) for one in messages))

    @contextmanager
    def _arrival(self, box: str, address: str) -> Iterator[asyncio.Event]:
        """Count a waiting request and return the event of the next message."""
        require(not self._closing, ServerReason.GOING_AWAY)
        require(self._waiting.total() < RENDEZVOUS_WAITS.value, ServerReason.BUSY)
        require(self._waiting[address] < ADDRESS_WAITS.value)
        arrival = asyncio.Event()
        self._arrivals.setdefault(box, set()).add(arrival)
        self._waiting[address] += 1
        try:
            yield arrival
        finally:
            self._arrivals[box].discard(arrival)
            if not self._arrivals[box]:
                del self._arrivals[box]
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]


def _require_box(box: str) -> None:
    require(_BOX.fullmatch(box) is not None, ServerReason.NO_SUCH_PAGE, "a box has 32 hexadecimal digits")


class RendezvousEndpoint:
    """The HTTP interface of a rendezvous. Pages of all origins may use it, and it reads no cookies."""

    def __init__(self, rendezvous: Rendezvous, address: Callable[[Request], str]) -> None:
        self._rendezvous = rendezvous
        self._address = address

    async def post(self, request: Request) -> Response:
        return await _for_all_origins(self._put(request))

    async def get(self, request: Request) -> Response:
        return await _for_all_origins(self._take(request))

    async def _put(self, request: Request) -> Response:
        body = await read_body(request, SEALED_BYTES.value, ServerReason.TOO_BIG)
        self._rendezvous.put(request.path_params["box"], body.decode("latin-1"), self._address(request))
        return json_response(b"{}", HTTPStatus.ACCEPTED)

    async def _take(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        require(after.isascii() and after.isdigit() and len(after) <= MAX_DIGITS, Reason.UNREADABLE, "after")
        found = await self._rendezvous.take(request.path_params["box"], int(after), self._address(request))
        return json_response(encode_message(found))


async def _for_all_origins(answer: Awaitable[Response]) -> Response:
    """Let pages of all origins read an answer, also a refusal."""
    try:
        response = await answer
    except Illegal as illegal:
        response = refuse(STATUS[illegal.reason], illegal.reason, illegal.detail)
    response.headers["access-control-allow-origin"] = "*"
    return response
