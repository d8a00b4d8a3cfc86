"""A small client of the protocol, for computer players of your own and for tests. It finds its table again by itself.

async with Client("http://127.0.0.1:8000") as client, client.table(await client.open_table()) as table:
    await table.do("sit", name="Ada")
    async for state in table:
        ...
"""

import asyncio
import random
import secrets
import urllib.error
import urllib.request
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect
from picows.common import WSError, WSHandshakeError

from notahat.table import Story
from notahat.table.view import DeckView
from notahat.wire.messages import DeckTold, No, State, Summary, TableLink, Ticket, Token

PLAYS = ("draw", "give", "accept", "refuse", "judge")
BEAT_SECONDS = 20.0
SILENT_SECONDS = 50.0
FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0
HTTP_SECONDS = 20.0
MOST_UNREAD = 10_000
NOT_WELCOME = 1008

Answer = TypeVar("Answer")

_state = msgspec.json.Decoder(State)
_no = msgspec.json.Decoder(No)
_keys = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Declined(Exception):  # noqa: N818 - an answer
    """The server said no, and why."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Client:
    """One guest. The token is who they are: give it again to be the same guest."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token

    async def __aenter__(self) -> Self:
        if self.token is None:
            self.token = (await self._post("/api/guests", {}, Token)).token
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def open_table(self, **options: Any) -> str:
        """Open a table and be its host; says its code."""
        return (await self._post("/api/tables", {"options": options}, TableLink)).code

    def table(self, code: str) -> "TableClient":
        """The way to a table: `async with client.table(code) as table`. A code, or an invitation, which lets one in
        also when the table has begun.
        """
        return TableClient(self.url, self.token or "", _asked(code))

    async def summary(self, code: str) -> Summary:
        return await self._get(f"/api/tables/{_asked(code)}", Summary)

    async def story(self, code: str, number: int) -> Story:
        """The whole story of a finished round."""
        return await self._get(f"/api/tables/{_asked(code)}/rounds/{number}", Story)

    async def put_deck(self, code: str, hat: bytes) -> DeckView:
        """Put a .hat file on a table of one's own (docs/decks.md)."""
        return await asyncio.to_thread(self._send, "POST", f"/api/tables/{_asked(code)}/deck", hat, DeckView)

    async def deck(self, code: str, version: int) -> DeckTold:
        """The gifts of a deck that somebody put on a table."""
        return await self._get(f"/api/tables/{_asked(code)}/decks/{version}", DeckTold)

    async def ticket(self) -> str:
        """A one-time word to go on as the same guest elsewhere."""
        return (await self._post("/api/tickets", {}, Ticket)).link.rpartition("/")[2]

    async def use_ticket(self, ticket: str) -> None:
        """Become the guest who made the ticket."""
        self.token = (await self._post("/api/tickets/use", {"ticket": ticket}, Token)).token

    async def _get(self, path: str, kind: type[Answer]) -> Answer:
        return await asyncio.to_thread(self._send, "GET", path, None, kind)

    async def _post(self, path: str, body: Mapping[str, object], kind: type[Answer]) -> Answer:
        return await asyncio.to_thread(self._send, "POST", path, msgspec.json.encode(body), kind)

    def _send(self, method: str, path: str, body: bytes | None, kind: type[Answer]) -> Answer:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(self.url + path, body, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=HTTP_SECONDS) as response:  # noqa: S310
                return msgspec.json.decode(response.read(), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error.read(), f"http_{error.code}") from None


class TableClient:
    """One guest at one table. Orders left unanswered when a connection breaks are sent again, with the same id."""

    def __init__(self, url: str, token: str, code: str) -> None:
        self.code = code
        self.state: State | None = None
        self.connections = 0
        self._url = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
        self._headers = {"authorization": f"Bearer {token}"}
        self._transport: WSTransport | None = None
        self._asked: dict[str, tuple[bytes, asyncio.Future[State]]] = {}
        self._unread: deque[State] = deque(maxlen=MOST_UNREAD)
        self._news = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()
        self._end: Exception | None = None

    async def __aenter__(self) -> Self:
        self._keeper = asyncio.get_running_loop().create_task(self._stay_connected())
        await self.until(lambda _: True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        if self._transport is not None:
            self._transport.disconnect()
        if self._keeper is not None:
            await self._keeper

    async def do(self, order: str, **fields: object) -> State:
        """Give an order and wait for its answer: the state it led to. Raises `Declined`."""
        if order in PLAYS and "turn" not in fields and self.state and self.state.view.round:
            fields["turn"] = self.state.view.round.turn
        id_ = secrets.token_hex(6)
        frame = msgspec.json.encode({"id": id_, "do": order, **fields})
        return await self.send(id_, frame)

    async def send(self, id_: str, frame: bytes) -> State:
        """Send a frame as it is, and wait for the answer to its id."""
        if self._end is not None:
            raise self._end
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._asked[id_] = (frame, answer)
        self._write(frame)
        try:
            return await answer
        finally:
            self._asked.pop(id_, None)

    async def until(self, wanted: Callable[[State], bool]) -> State:
        """Wait for a state like this; the present one counts."""
        while self._end is None:
            if self.state is not None and wanted(self.state):
                return self.state
            await self._news.wait()
        raise self._end

    async def __aiter__(self) -> AsyncIterator[State]:
        """Every state as it comes, the present one first; it ends when the table does not let us in any more."""
        while True:
            while self._unread:
                yield self._unread.popleft()
            if self._end is not None:
                return
            await self._news.wait()

    def drop(self) -> None:
        """Lose the connection, as if somebody had pulled the plug; it comes back by itself."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    async def _stay_connected(self) -> None:
        wait = FIRST_WAIT
        try:
            while not self._leaving.is_set():
                connected = self.connections
                await self._connect()
                wait = FIRST_WAIT if self.connections > connected else min(wait * 2, LONGEST_WAIT)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait(), wait * random.uniform(0.5, 1.0))
        except Declined as refused:
            self._finish(refused)

    async def _connect(self) -> None:
        """One connection from beginning to end."""
        line = _Line(self)
        try:
            transport, _ = await ws_connect(lambda: line, self._url, extra_headers=self._headers)
        except WSHandshakeError as error:
            if error.response is not None and 400 <= error.response.status < 500 and error.response.status != 429:
                raise _refusal(error.raw_body or b"", f"http_{error.response.status}") from None
            return
        except (TimeoutError, OSError, WSError):
            return
        beating = asyncio.get_running_loop().create_task(self._beat(transport, line))
        try:
            await _ended(transport)
        finally:
            beating.cancel()
            self._transport = None
            transport.disconnect()
            await _ended(transport)
        if line.closed_with == NOT_WELCOME:
            raise Declined(line.reason or "removed")

    async def _beat(self, transport: WSTransport, line: "_Line") -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if asyncio.get_running_loop().time() - line.heard > SILENT_SECONDS:
                transport.disconnect(graceful=False)
            self._write(b'{"do":"beat"}')

    def _finish(self, error: Exception) -> None:
        self._end = error
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(error)
        self._tell()

    def _write(self, frame: bytes) -> None:
        if self._transport is not None and not self._transport.is_disconnected:
            self._transport.send(WSMsgType.TEXT, frame)

    def connected(self, transport: WSTransport) -> None:
        """Go on where the last connection broke."""
        self.connections += 1
        self._transport = transport
        if self._leaving.is_set():
            transport.disconnect()
        for frame, _ in tuple(self._asked.values()):
            self._write(frame)

    def hear(self, message: bytes) -> None:
        """Take a message of the server."""
        keys = _keys.decode(message)
        if "v" in keys:
            self._take(_state.decode(message))
        elif "no" in keys:
            no = _no.decode(message)
            _, answer = self._asked.get(no.no or "", (b"", None))
            if answer is not None and not answer.done():
                answer.set_exception(Declined(no.reason, no.detail))

    def _take(self, state: State) -> None:
        self.state = state
        self._unread.append(state)
        _, answer = self._asked.get(state.ack or "", (b"", None))
        if answer is not None and not answer.done():
            answer.set_result(state)
        self._tell()

    def _tell(self) -> None:
        """Wake everybody who waits for news now; whoever waits from here on waits for the next."""
        self._news.set()
        self._news = asyncio.Event()


class _Line(WSListener):
    """One connection; it hands messages on and remembers how it ended."""

    def __init__(self, table: TableClient) -> None:
        super().__init__()
        self.heard = asyncio.get_running_loop().time()
        self.closed_with = 0
        self.reason = ""
        self._table = table

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._table.connected(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.heard = asyncio.get_running_loop().time()
        if frame.msg_type == WSMsgType.TEXT:
            self._table.hear(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            self.closed_with = int(frame.get_close_code().value)
            self.reason = frame.get_close_reason() or ""
            transport.send_close(frame.get_close_code())
            transport.disconnect()


async def _ended(transport: WSTransport) -> None:
    """Wait until a connection is over, however it ends: the next one follows."""
    with suppress(OSError, WSError):
        await transport.wait_disconnected()


def _refusal(body: bytes, otherwise: str) -> Declined:
    try:
        said = msgspec.json.decode(body, type=dict[str, str])
    except msgspec.DecodeError:
        said = {}
    return Declined(said.get("reason", otherwise), said.get("detail", ""))


def _asked(code: str) -> str:
    """What to ask for a table with: the code, or the last part of an invitation."""
    return code.rpartition("/")[2]
