"""WebSockets: uvicorn answers HTTP and hands upgrades over to picows, on the same port.

`uvicorn.Config(app, http="httptools", ws=door(greet))`. `greet(visit)` is awaited before the upgrade is accepted. It
returns a `Connection` of its own for a welcome visitor, or `TurnedAway`. What arrives later goes straight to it.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from time import monotonic
from typing import Any

from msgspec import Struct, json
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport
from picows.picows import WSAutoPingStrategy, WSProtocol  # type: ignore[attr-defined]
from uvicorn import Config
from uvicorn.server import ServerState

LARGEST_MESSAGE = 8 * 1024
READ_AT_ONCE = 1024
MOST_UNREAD = 256 * 1024
KERNEL_UNREAD = 64 * 1024  # beside that; the system by itself would keep four megabytes for everybody who does not read
GREETING_SECONDS = 10.0
QUIET_SECONDS = 25.0
FAREWELL_SECONDS = 1.0

log = logging.getLogger("notahat.ws")
log.setLevel(logging.WARNING)  # picows tells of every connection
log.addFilter(lambda record: not str(record.msg).startswith("WS parser error"))  # what strangers say wrong
_for_all = logging.LoggerAdapter(log, {})  # of a plain logger it would make a child for every connection


class Visit(Struct, frozen=True):
    """Somebody asks to be let in. Header names are in small letters; `address` is the peer's, not a proxy's word."""

    path: str
    query: str
    headers: dict[str, str]
    address: str | None


class TurnedAway(Struct, frozen=True):
    """Why somebody is not let in: an HTTP status and a reason for programs."""

    status: int
    reason: str


class Connection(WSListener):
    """One open connection. Subclasses say what happens when it opens, when a message comes, and when it is gone."""

    __slots__ = ("_asked", "_begun", "_closed", "_full", "_heard", "transport")  # there are many of them

    def __init__(self) -> None:
        super().__init__()
        self.transport: WSTransport | None = None
        self._begun: bytes | None = None
        self._full = False
        self._closed = False
        self._asked: float | None = None
        self._heard = 0.0

    def opened(self) -> None: ...

    def received(self, message: bytes) -> None: ...

    def pinged(self) -> bool:
        """Somebody asks whether we are there; whether they may have an answer."""
        return True

    def gone(self) -> None: ...

    def send(self, message: bytes) -> None:
        """Send a text message, unless they are gone. Who does not read what they were sent is dropped."""
        if self.transport is None or self._closed:
            return
        self.transport.send(WSMsgType.TEXT, message)
        if self._full:
            self._drop_who_does_not_read()

    def _drop_who_does_not_read(self) -> None:
        if self.transport is not None and self.unread > MOST_UNREAD:
            self.transport.disconnect(graceful=False)

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye once, listen to nothing any more, and hang up even if they do not answer."""
        if self.transport is None or self._closed:
            return
        self._closed = True
        self.transport.send_close(code, reason)  # type: ignore[arg-type]  # 4000 to 4999 are no WSCloseCode
        asyncio.get_running_loop().call_later(FAREWELL_SECONDS, self.transport.disconnect, False)

    @property
    def unread(self) -> int:
        """Bytes that wait here because the other side does not read."""
        return 0 if self.transport is None else self.transport.underlying_transport.get_write_buffer_size()

    def mind_silence(self, now: float, quiet_seconds: float) -> None:
        """Ask whoever was silent for so long, and say goodbye to who is silent as long again after that."""
        if self._asked is not None:
            if now - self._asked >= quiet_seconds:
                self.close(WSCloseCode.GOING_AWAY.value)
        elif now - self._heard >= quiet_seconds and self.transport is not None:
            self._asked = now
            self.transport.send_ping()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        line = transport.underlying_transport.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_UNREAD)
        self._heard = monotonic()
        self.opened()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self._heard, self._asked = monotonic(), None
        if self._closed and frame.msg_type != WSMsgType.CLOSE:
            return None
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            return self.close(WSCloseCode.PROTOCOL_ERROR.value, "no extensions here")
        match frame.msg_type:
            case WSMsgType.TEXT | WSMsgType.CONTINUATION:
                self._part(frame)
            case WSMsgType.BINARY:
                self.close(WSCloseCode.UNSUPPORTED_DATA.value, "text, please")
            case WSMsgType.CLOSE:
                transport.send_close(WSCloseCode.OK)
                transport.disconnect()
            case WSMsgType.PING:
                self._pong(frame)
            case _:  # pongs say nothing
                pass
        return None

    def _part(self, frame: WSFrame) -> None:
        """A message, or a part of one."""
        begins = frame.msg_type == WSMsgType.TEXT
        if begins is not (self._begun is None):
            return self.close(WSCloseCode.PROTOCOL_ERROR.value, "a message inside a message")
        message = (self._begun or b"") + frame.get_payload_as_bytes()
        if len(message) > LARGEST_MESSAGE:
            return self.close(WSCloseCode.MESSAGE_TOO_BIG.value)
        self._begun = None if frame.fin else message
        return self.received(message) if frame.fin else None

    def _pong(self, frame: WSFrame) -> None:
        """Answered here and not by picows, so that it counts like everything else that we send."""
        if self.transport is not None and self.pinged():
            self.transport.send_pong(frame.get_payload_as_bytes())
            if self._full:
                self._drop_who_does_not_read()

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002
        self.transport = None
        self.gone()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False


class Watch:
    """Minds the silence of all connections with one timer."""

    def __init__(self, quiet_seconds: float) -> None:
        self._quiet_seconds = quiet_seconds
        self._connections: set[Connection] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, connection: Connection) -> None:
        self._connections.add(connection)
        if self._timer is None:
            self._wait()

    def end(self, connection: Connection) -> None:
        self._connections.discard(connection)

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._quiet_seconds / 4, self._look)

    def _look(self) -> None:
        self._timer = None
        now = monotonic()
        for connection in tuple(self._connections):
            connection.mind_silence(now, self._quiet_seconds)
        if self._connections:
            self._wait()


Greet = Callable[[Visit], Awaitable[Connection | TurnedAway]]


class Door(WSProtocol):  # type: ignore[misc]
    """One visitor: first the greeting, then picows. `door` gives it somebody who greets."""

    __slots__ = ("connection", "server_state")
    greet: Greet
    watch: Watch

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:  # noqa: ARG002
        super().__init__(
            None, None, False, lambda _: self.connection, _for_all, True, GREETING_SECONDS,
            False, 0.0, 0.0, WSAutoPingStrategy.PING_WHEN_IDLE, False,
            LARGEST_MESSAGE, None, READ_AT_ONCE,
        )  # fmt: skip
        self.server_state = server_state
        self.connection: Connection | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        # until the greeting is over nothing is read: what comes then is for the connection
        transport.pause_reading()
        super().connection_made(transport)
        self.server_state.connections.add(self)

    def data_received(self, request: bytes) -> None:
        """Begin the greeting. The request has been read by uvicorn; this is it again, as it came."""
        http = self.transport.underlying_transport.get_protocol()
        task = asyncio.get_running_loop().create_task(self._greet(request, http))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    async def _greet(self, request: bytes, http: Any) -> None:
        http.parser = None  # as when a connection is lost: uvicorn's protocol and its parser keep each other alive
        visit = read_request(request, self.transport.underlying_transport)
        answer = await ask(self.greet, visit)
        if self.transport.is_disconnected or self.transport.underlying_transport.is_closing():
            return
        match answer:
            case TurnedAway():
                self.transport.underlying_transport.write(refuse(answer))
                self.transport.disconnect()
            case Connection():
                self.connection = answer
                self.watch.begin(answer)
                self._feed(handshake(request, visit))
                self.transport.underlying_transport.resume_reading()

    def _feed(self, data: bytes) -> None:
        memory = self.get_buffer(len(data))
        memory[: len(data)] = data
        self.buffer_updated(len(data))

    def connection_lost(self, error: Exception | None) -> None:
        self.server_state.connections.discard(self)
        if self.connection is not None:
            self.watch.end(self.connection)
        super().connection_lost(error)

    def shutdown(self) -> None:
        """The server stops: tell the visitor to come back in a moment."""
        if self.connection is None:
            self.transport.disconnect()
        else:
            self.connection.close(WSCloseCode.SERVICE_RESTART.value)


def door(greet: Greet, quiet_seconds: float = QUIET_SECONDS) -> type[asyncio.Protocol]:
    """The class for uvicorn's `ws=`. Whoever is silent for `quiet_seconds` is pinged, and dropped if still silent."""
    return type("Door", (Door,), {"__slots__": (), "greet": staticmethod(greet), "watch": Watch(quiet_seconds)})


async def ask(greet: Greet, visit: Visit) -> Connection | TurnedAway:
    try:
        return await greet(visit)
    except Exception:
        log.exception("greeting failed for %s", visit.path)
        return TurnedAway(HTTPStatus.INTERNAL_SERVER_ERROR, "internal")


def read_request(request: bytes, transport: asyncio.Transport) -> Visit:
    first, *lines = request.decode("latin-1").rstrip().split("\r\n")
    path, _, query = first.split(" ")[1].partition("?")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    peer = transport.get_extra_info("peername")
    return Visit(path, query, headers, peer[0] if isinstance(peer, tuple) else None)


def handshake(request: bytes, visit: Visit) -> bytes:
    """What picows needs to see. It takes `Connection: Upgrade` only, and Firefox says `keep-alive, Upgrade`."""
    method = request.partition(b" ")[0].decode("latin-1")
    wanted = ("sec-websocket-key", "sec-websocket-version")
    lines = [f"{name}: {visit.headers[name][:64]}" for name in wanted if name in visit.headers]
    said = [f"{method} / HTTP/1.1", "host: door", "upgrade: websocket", "connection: upgrade", *lines, "", ""]
    return "\r\n".join(said).encode("latin-1")


def refuse(refusal: TurnedAway) -> bytes:
    status, body = HTTPStatus(refusal.status), json.encode({"reason": refusal.reason})
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    )
    return head.encode() + b"connection: close\r\n\r\n" + body
