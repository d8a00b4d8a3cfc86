"""The rendezvous: boxes in which browsers leave sealed messages for each other, for ten minutes: decisions/0023."""

import asyncio
import re
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from time import time

from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from notahat.live.limits import RateLimit
from notahat.rules import Illegal, Reason
from notahat.server.http.exchange import STATUS, json_response, read_body, refuse, require
from notahat.server.limits.accounts import Pool
from notahat.server.limits.budget import BOX_MESSAGES, SEALED_BYTES, SEALED_SECONDS
from notahat.wire.messages import SealedMessage, SealedMessages, ServerReason, encode_message

RENDEZVOUS_PATH = "/api/rendezvous/{box}"
WAIT_SECONDS = 20.0  # below the idle timeout of common proxies
OVERHEAD_BYTES = 512  # of a message in memory
PUTS = 120, 4.0  # for each address, behind which a whole table may be: messages at once, then per second
TAKES = 240, 8.0
MAX_DIGITS = 15
_BOX = re.compile("[0-9a-f]{32}")
_SEALED = re.compile("[A-Za-z0-9_-]+")


class Message(Struct, eq=False):
    """A sealed message: its box, who sent it and when."""

    number: int
    at: float
    box: str
    body: str
    address: str
    delete: Callable[["Message"], None]

    @property
    def size(self) -> int:
        return len(self.body) + OVERHEAD_BYTES

    def shed(self) -> None:
        self.delete(self)


class Rendezvous:
    """All boxes of this process. A request that waits counts as an HTTP connection of its address."""

    def __init__(self, held: Pool, wait_seconds: float = WAIT_SECONDS) -> None:
        self._held = held
        self._wait_seconds = wait_seconds
        self._messages: OrderedDict[int, Message] = OrderedDict()  # the oldest first
        self._boxes: dict[str, list[int]] = {}
        self._last = int(time() * 1000)  # numbers grow across restarts
        self._expiry: asyncio.TimerHandle | None = None
        self.waits: defaultdict[str, set[asyncio.Event]] = defaultdict(set)  # by box
        self._put_limit = RateLimit(*PUTS)
        self._take_limit = RateLimit(*TAKES)
        self._closing = False

    def close(self) -> None:
        """Answer all waiting requests, because the server stops."""
        self._closing = True
        for waits in self.waits.values():
            for ended in waits:
                ended.set()

    def put(self, box: str, body: str, address: str) -> None:
        """Put a message into a box and delete it later; raise `Illegal` over the limits."""
        _require_box(box)
        require(_SEALED.fullmatch(body) is not None, Reason.UNREADABLE, "a sealed message is base64url")
        require(self._put_limit.allows(address))
        self._last += 1
        loop = asyncio.get_running_loop()
        message = Message(self._last, loop.time(), box, body, address, self._delete)
        require(self._held.make_room(address, message.size), ServerReason.BUSY)
        self._held.hold(address, message, message.size)
        self._messages[message.number] = message
        self._boxes.setdefault(box, []).append(message.number)
        if len(self._boxes[box]) > BOX_MESSAGES.value:
            self._delete(self._messages[self._boxes[box][0]])
        if self._expiry is None:
            self._expiry = loop.call_later(SEALED_SECONDS.value, self._delete_expired)
        for ended in self.waits.get(box, ()):
            ended.set()

    def _delete(self, message: Message) -> None:
        del self._messages[message.number]
        self._boxes[message.box].remove(message.number)
        if not self._boxes[message.box]:
            del self._boxes[message.box]
        self._held.release(message.address, message)

    def _delete_expired(self) -> None:
        """Delete old messages. One timer serves all: a timer of its own would keep a deleted message alive."""
        self._expiry = None
        loop = asyncio.get_running_loop()
        for message in list(self._messages.values()):
            if (end := message.at + SEALED_SECONDS.value) > loop.time():
                self._expiry = loop.call_at(end, self._delete_expired)
                break
            self._delete(message)

    async def take(self, box: str, after: int, address: str) -> SealedMessages:
        """Return the messages of a box after a number. Wait for one if there is none; return none after a while."""
        _require_box(box)
        require(self._take_limit.allows(address))
        if not (found := self._read(box, after)).messages:
            require(not self._closing, ServerReason.GOING_AWAY)
            ended = asyncio.Event()
            self.waits[box].add(ended)
            try:
                await asyncio.wait_for(ended.wait(), self._wait_seconds)
            except TimeoutError:
                return found
            finally:
                self.waits[box].discard(ended)
                if not self.waits[box]:
                    del self.waits[box]
            found = self._read(box, after)
        return found

    def _read(self, box: str, after: int) -> SealedMessages:
        now = asyncio.get_running_loop().time()
        messages = (self._messages[number] for number in self._boxes.get(box, ()) if number > after)
        return SealedMessages(tuple(SealedMessage(one.number, round(now - one.at, 1), one.body) for one in messages))


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
        taking = asyncio.create_task(
            self._rendezvous.take(request.path_params["box"], int(after), self._address(request))
        )
        gone = asyncio.create_task(_hang_up(request))
        try:
            await asyncio.wait((taking, gone), return_when=asyncio.FIRST_COMPLETED)
            return json_response(encode_message(await taking)) if taking.done() else Response()
        finally:
            taking.cancel()
            gone.cancel()


async def _hang_up(request: Request) -> None:
    """Wait until the client has closed the connection: a request that nobody reads waits no longer."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _for_all_origins(answer: Awaitable[Response]) -> Response:
    """Let pages of all origins read an answer, also a refusal."""
    try:
        response = await answer
    except Illegal as illegal:
        response = refuse(STATUS[illegal.reason], illegal.reason, illegal.detail)
    except ClientDisconnect:  # in the middle of the body: nobody reads the response
        response = Response()
    response.headers["access-control-allow-origin"] = "*"
    return response
