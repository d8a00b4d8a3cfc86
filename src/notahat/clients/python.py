"""A client of the protocol, for your own computer players and for tests. It reconnects by itself.

async with Client("http://127.0.0.1:8000") as client, client.table(await client.open_table()) as table:
    await table.do("sit", name="Ada")
    async for state in table:
        ...
"""

import asyncio
import math
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
from notahat.wire.messages import DeckContents, KnockAnswer, No, State, Summary, TableLink, Ticket, Token

__all__ = ["Client", "Declined", "TableClient"]

MOVES = ("draw", "give", "accept", "refuse", "judge")
HEARTBEAT_SECONDS = 20.0
SERVER_TIMEOUT = 50.0
FIRST_BACKOFF = 0.1
LONGEST_BACKOFF = 5.0
STABLE_SECONDS = 10.0  # a first state proves little: with a full disk every state is followed by a failure
HTTP_TIMEOUT = 20.0
UNREAD_LIMIT = 10_000
POLICY_VIOLATION = 1008

Body = TypeVar("Body")

_state = msgspec.json.Decoder(State)
_no = msgspec.json.Decoder(No)
_keys = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Declined(Exception):  # noqa: N818 - an answer
    """The server refused a request or a command."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Client:
    """One guest. The token is the guest's identity: pass it again to be the same guest."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token

    async def __aenter__(self) -> Self:
        if self.token is None:
            self.token = (await self._post("/api/guests", {}, Token)).token
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def open_table(self, **options: Any) -> str:
        """Open a table as its host and return its code."""
        return (await self._post("/api/tables", {"options": options}, TableLink)).code

    def table(self, code: str) -> "TableClient":
        """Return a connection to the table of a code or invitation: `async with client.table(code) as table`."""
        return TableClient(self.url, self.token or "", _last_part(code))

    async def summary(self, code: str) -> Summary:
        return await self._get(f"/api/tables/{_last_part(code)}", Summary)

    async def knock(self, code: str, name: str) -> KnockAnswer:
        """Ask the players of a running table to let this guest in by its code alone, or whether they have."""
        return await self._post(f"/api/tables/{_last_part(code)}/knock", {"name": name}, KnockAnswer)

    async def story(self, code: str, number: int) -> Story:
        """Return the story of a finished round."""
        return await self._get(f"/api/tables/{_last_part(code)}/rounds/{number}", Story)

    async def put_deck(self, code: str, hat: bytes) -> DeckView:
        """Put a .hat file on a table that this guest hosts (docs/decks.md)."""
        return await asyncio.to_thread(self._send, "POST", f"/api/tables/{_last_part(code)}/deck", hat, DeckView)

    async def deck(self, code: str, version: int) -> DeckContents:
        """Return the gifts of a deck that was put on a table."""
        return await self._get(f"/api/tables/{_last_part(code)}/decks/{version}", DeckContents)

    async def ticket(self) -> str:
        """Return a one-time ticket to continue as the same guest on another device."""
        return (await self._post("/api/tickets", {}, Ticket)).link.rpartition("/")[2]

    async def use_ticket(self, ticket: str) -> None:
        """Continue as the guest who made the ticket."""
        self.token = (await self._post("/api/tickets/use", {"ticket": ticket}, Token)).token

    async def _get(self, path: str, kind: type[Body]) -> Body:
        return await asyncio.to_thread(self._send, "GET", path, None, kind)

    async def _post(self, path: str, body: Mapping[str, object], kind: type[Body]) -> Body:
        return await asyncio.to_thread(self._send, "POST", path, msgspec.json.encode(body), kind)

    def _send(self, method: str, path: str, body: bytes | None, kind: type[Body]) -> Body:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(self.url + path, body, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=HTTP_TIMEOUT) as response:  # noqa: S310
                return msgspec.json.decode(response.read(), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise _declined(error.read(), f"http_{error.code}") from None


class ReconnectBackoff:
    """Delays between connections: they double until a connection answers a command or stays open for a while."""

    def __init__(self) -> None:
        self._delay = FIRST_BACKOFF
        self._stable_at = math.inf

    def on_state(self, now: float, acknowledged: bool) -> None:
        self._stable_at = now if acknowledged else min(self._stable_at, now + STABLE_SECONDS)

    def next_delay(self, now: float) -> float:
        """Return how long to wait after a connection has ended or failed."""
        if now >= self._stable_at:
            self._delay = FIRST_BACKOFF
        self._stable_at = math.inf
        delay, self._delay = self._delay, min(self._delay * 2, LONGEST_BACKOFF)
        return delay * random.uniform(0.5, 1.0)


class TableClient:
    """One guest at one table. Commands without an answer are sent again, with the same id, after a reconnect."""

    def __init__(self, url: str, token: str, code: str) -> None:
        self.code = code
        self.state: State | None = None
        self.connections = 0
        self._url = f"{url.replace('http', 'ws', 1)}/api/tables/{code}/socket"
        self._headers = {"authorization": f"Bearer {token}"}
        self._transport: WSTransport | None = None
        self._pending: dict[str, tuple[bytes, asyncio.Future[State]]] = {}
        self._unread: deque[State] = deque(maxlen=UNREAD_LIMIT)
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._error: Exception | None = None
        self._backoff = ReconnectBackoff()

    async def __aenter__(self) -> Self:
        self._task = asyncio.get_running_loop().create_task(self._run())
        await self.until(lambda _: True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._transport is not None:
            self._transport.disconnect()
        if self._task is not None:
            await self._task

    async def do(self, command: str, **fields: object) -> State:
        """Send a command and return the state that it led to. Raise `Declined` if the server refuses it."""
        if command in MOVES and "turn" not in fields and self.state and self.state.view.round:
            fields["turn"] = self.state.view.round.turn
        seen = self.state.v if self.state is not None else 0
        id_ = f"v{seen}.{secrets.token_hex(6)}"  # the server refuses one that is too old to be known
        frame = msgspec.json.encode({"id": id_, "do": command, **fields})
        return await self.send(id_, frame)

    async def send(self, id_: str, frame: bytes) -> State:
        """Send a frame and wait for the answer to its id."""
        if self._error is not None:
            raise self._error
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._pending[id_] = (frame, answer)
        self._write(frame)
        try:
            return await answer
        finally:
            self._pending.pop(id_, None)

    async def until(self, wanted: Callable[[State], bool]) -> State:
        """Wait until `wanted` is true of the state, and return that state."""
        while self._error is None:
            if self.state is not None and wanted(self.state):
                return self.state
            await self._changed.wait()
        raise self._error

    async def __aiter__(self) -> AsyncIterator[State]:
        """Yield every state, the current one first, until the table refuses the guest."""
        while True:
            while self._unread:
                yield self._unread.popleft()
            if self._error is not None:
                return
            await self._changed.wait()

    def drop(self) -> None:
        """Abort the connection without a close frame, for tests; the client reconnects."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    async def _run(self) -> None:
        """Reconnect with exponential backoff and jitter until closed or refused."""
        try:
            while not self._closing.is_set():
                await self._connect()
                delay = self._backoff.next_delay(asyncio.get_running_loop().time())
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), delay)
        except Declined as declined:
            self._fail(declined)

    async def _connect(self) -> None:
        """Open one connection and return when it has ended. Raise `Declined` if the server refuses the guest."""
        listener = _Listener(self)
        try:
            url = self._url if self.state is None else f"{self._url}?v={self.state.v}"
            transport, _ = await ws_connect(lambda: listener, url, extra_headers=self._headers)
        except WSHandshakeError as error:
            if error.response is not None and 400 <= error.response.status < 500 and error.response.status != 429:
                raise _declined(error.raw_body or b"", f"http_{error.response.status}") from None
            return
        except (TimeoutError, OSError, WSError):
            return
        heartbeats = asyncio.get_running_loop().create_task(self._send_heartbeats(transport, listener))
        try:
            await _wait_disconnected(transport)
        finally:
            heartbeats.cancel()
            self._transport = None
            transport.disconnect()
            await _wait_disconnected(transport)
        if listener.close_code == POLICY_VIOLATION:
            raise Declined(listener.reason or "removed")

    async def _send_heartbeats(self, transport: WSTransport, listener: "_Listener") -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if asyncio.get_running_loop().time() - listener.last_received > SERVER_TIMEOUT:
                transport.disconnect(graceful=False)
            self._write(b'{"do":"beat"}')

    def _fail(self, error: Exception) -> None:
        self._error = error
        for _, answer in self._pending.values():
            if not answer.done():
                answer.set_exception(error)
        self._notify()

    def _write(self, frame: bytes) -> None:
        if self._transport is not None and not self._transport.is_disconnected:
            self._transport.send(WSMsgType.TEXT, frame)

    def on_connected(self, transport: WSTransport) -> None:
        """Send the pending commands again."""
        self.connections += 1
        self._transport = transport
        if self._closing.is_set():
            transport.disconnect()
        for frame, _ in tuple(self._pending.values()):
            self._write(frame)

    def receive(self, message: bytes) -> None:
        """Handle a message from the server."""
        keys = _keys.decode(message)
        if "v" in keys:
            self._apply(_state.decode(message))
        elif "no" in keys:
            no = _no.decode(message)
            _, answer = self._pending.get(no.no or "", (b"", None))
            if answer is not None and not answer.done():
                answer.set_exception(Declined(no.reason, no.detail))

    def _apply(self, state: State) -> None:
        self._backoff.on_state(asyncio.get_running_loop().time(), state.ack is not None)
        self.state = state
        self._unread.append(state)
        _, answer = self._pending.get(state.ack or "", (b"", None))
        if answer is not None and not answer.done():
            answer.set_result(state)
        self._notify()

    def _notify(self) -> None:
        """Wake all tasks that wait now; later waits are for the next change."""
        self._changed.set()
        self._changed = asyncio.Event()


class _Listener(WSListener):
    """One connection: passes messages on and keeps the close code and reason."""

    def __init__(self, table: TableClient) -> None:
        super().__init__()
        self.last_received = asyncio.get_running_loop().time()
        self.close_code = 0
        self.reason = ""
        self._table = table

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._table.on_connected(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.last_received = asyncio.get_running_loop().time()
        if frame.msg_type == WSMsgType.TEXT:
            self._table.receive(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            self.close_code = int(frame.get_close_code().value)
            self.reason = frame.get_close_reason() or ""
            transport.send_close(frame.get_close_code())
            transport.disconnect()


async def _wait_disconnected(transport: WSTransport) -> None:
    """Wait until the connection is closed, and ignore why."""
    with suppress(OSError, WSError):
        await transport.wait_disconnected()


def _declined(body: bytes, fallback_reason: str) -> Declined:
    try:
        refusal = msgspec.json.decode(body, type=dict[str, str])
    except msgspec.DecodeError:
        refusal = {}
    return Declined(refusal.get("reason", fallback_reason), refusal.get("detail", ""))


def _last_part(code: str) -> str:
    """Return a code as it is, and the last part of an invitation link."""
    return code.rpartition("/")[2]
