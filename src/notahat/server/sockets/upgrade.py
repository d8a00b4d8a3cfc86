"""WebSockets: uvicorn handles HTTP and hands upgrades, once `authorise` has allowed them, over to picows."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from time import monotonic
from typing import Any

from msgspec import Struct, json
from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSAutoPingStrategy, WSProtocol  # type: ignore[attr-defined]
from uvicorn import Config
from uvicorn.server import ServerState

from notahat.server.limits import budget
from notahat.server.timers import PeriodicCheck

PROTOCOL = "notahat"  # the subprotocol; a page without cookies offers it beside its token
READ_BUFFER = 2048  # at first, and picows takes no less; it doubles it when a read fills it, and never shrinks it
_HEADER_SPACE = bytes(14)  # before a message, for its frame header

log = logging.getLogger("notahat.ws")
log.setLevel(logging.WARNING)  # picows logs every connection
log.addFilter(lambda record: not str(record.msg).startswith("WS parser error"))  # malformed frames are not our errors
_shared_logger = logging.LoggerAdapter(log, {})  # picows would make a child of a plain logger for every connection


class UpgradeRequest(Struct, frozen=True):
    """A request to open a WebSocket. Header names are in lower case; `address` is the peer's."""

    path: str
    query: str
    headers: dict[str, str]
    address: str | None


class UpgradeRefusal(Struct, frozen=True):
    """An HTTP status and a reason for programs."""

    status: int
    reason: str


class Connection(WSListener):
    """One open connection. Subclasses implement `on_open`, `on_message`, `on_close`, `on_unread` and `allows_frame`."""

    # there are many of them
    __slots__ = ("_closing", "_ignored", "_partial", "_pinged_at", "_received_at", "_write_paused", "transport")

    def __init__(self) -> None:
        super().__init__()
        self.transport: WSTransport | None = None
        self._partial: bytes | None = None
        self._write_paused = False
        self._closing = False
        self._ignored = 0  # frames after close
        self._pinged_at: float | None = None
        self._received_at = 0.0

    def on_open(self) -> None: ...

    def on_message(self, message: bytes) -> None: ...

    def allows_frame(self) -> bool:
        """Return whether a frame that ends no message is within the limits: a ping, a pong, a part of a message."""
        return True

    def on_close(self) -> None: ...

    def on_unread(self, size: int) -> None:
        """Note how many bytes wait in the server because the client does not read; 0 if none."""

    def send(self, message: bytes) -> None:
        """Send a text message if the connection is open; drop a client that does not read."""
        if self.transport is None or self._closing:
            return
        frame = bytearray(_HEADER_SPACE + message)  # picows' own buffer grows to the largest message and never shrinks
        self.transport.send_reuse_external_bytearray(WSMsgType.TEXT, frame, len(_HEADER_SPACE))
        if self._write_paused:
            self._check_unread()

    def _check_unread(self) -> None:
        if (size := self.write_buffer_size) > budget.UNSENT_BYTES.value:
            self.shed()
        elif size:
            self.on_unread(size)

    def shed(self) -> None:
        """Disconnect without a word: the client would not read it, or must make room at once."""
        if self.transport is not None:
            self.transport.disconnect(graceful=False)

    def close(self, code: int, reason: str = "") -> None:
        """Send a close frame once, ignore further messages, and disconnect even without an answer."""
        if self.transport is None or self._closing:
            return
        self._closing = True
        self.transport.send_close(code, reason)  # type: ignore[arg-type]  # 4000 to 4999 are no WSCloseCode
        asyncio.get_running_loop().call_later(budget.CLOSE_SECONDS.value, self.transport.disconnect, False)

    @property
    def write_buffer_size(self) -> int:
        return 0 if self.transport is None else self.transport.underlying_transport.get_write_buffer_size()

    def check_idle(self, now: float, idle_seconds: float) -> None:
        """Ping a client that was silent for `idle_seconds`; close if it stays silent as long again."""
        if self._pinged_at is not None:
            if now - self._pinged_at >= idle_seconds:
                self.close(WSCloseCode.GOING_AWAY.value)
        elif now - self._received_at >= idle_seconds and self.transport is not None:
            self._pinged_at = now
            self.transport.send_ping()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        raw_socket = transport.underlying_transport.get_extra_info("socket")
        raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, budget.KERNEL_BYTES.value)
        transport.underlying_transport.set_write_buffer_limits(high=0)  # to know as soon as the system takes no more
        transport.request.headers.clear()  # picows keeps both for as long as the connection, and nothing reads them
        transport.response.headers.clear()
        self._received_at = monotonic()
        self.on_open()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self._received_at, self._pinged_at = monotonic(), None
        if self._closing and frame.msg_type != WSMsgType.CLOSE:  # it was on its way; stop reading if many are
            self._ignored += 1
            if self._ignored == budget.FRAMES_AFTER_CLOSE.value:
                transport.underlying_transport.pause_reading()
            return None
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            return self.close(WSCloseCode.PROTOCOL_ERROR.value, "extensions are not supported")
        match frame.msg_type:
            case WSMsgType.TEXT | WSMsgType.CONTINUATION:
                if frame.fin or self.allows_frame():
                    self._add_fragment(frame)
            case WSMsgType.BINARY:
                self.close(WSCloseCode.UNSUPPORTED_DATA.value, "binary frames are not supported")
            case WSMsgType.CLOSE:
                transport.send_close(WSCloseCode.OK)
                transport.disconnect()
            case WSMsgType.PING:
                self._pong(frame)
            case _:  # a pong needs no answer
                self.allows_frame()
        return None

    def _add_fragment(self, frame: WSFrame) -> None:
        """Collect a message that may come in several frames."""
        starts_message = frame.msg_type == WSMsgType.TEXT
        if starts_message is not (self._partial is None):
            return self.close(WSCloseCode.PROTOCOL_ERROR.value, "fragments out of order")
        message = (self._partial or b"") + frame.get_payload_as_bytes()
        if len(message) > budget.MESSAGE_BYTES.value:
            return self.close(WSCloseCode.MESSAGE_TOO_BIG.value)
        self._partial = None if frame.fin else message
        return self.on_message(message) if frame.fin else None

    def _pong(self, frame: WSFrame) -> None:
        """Answer a ping here and not in picows, so that it counts towards the write buffer and the rate limit."""
        if self.transport is not None and self.allows_frame():
            self.transport.send_pong(frame.get_payload_as_bytes())
            if self._write_paused:
                self._check_unread()

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002
        self.transport = None
        self.on_close()

    def pause_writing(self) -> None:
        self._write_paused = True

    def resume_writing(self) -> None:
        self._write_paused = False
        self.on_unread(0)


Authorise = Callable[[UpgradeRequest], Awaitable[Connection | UpgradeRefusal]]


class UpgradeProtocol(WSProtocol):  # type: ignore[misc]
    """One upgrade: authorise the request, then hand over to picows. `upgrade_protocol` sets the class attributes."""

    __slots__ = ("connection", "offers_protocol", "server_state")
    authorise: Authorise
    keep_alive: PeriodicCheck[Connection]

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:  # noqa: ARG002
        super().__init__(
            None, None, False, lambda _: self._response(), _shared_logger, True, budget.UPGRADE_SECONDS.value,
            False, 0.0, 0.0, WSAutoPingStrategy.PING_WHEN_IDLE, False,
            budget.MESSAGE_BYTES.value, None, READ_BUFFER,
        )  # fmt: skip
        self.server_state = server_state
        self.connection: Connection | None = None
        self.offers_protocol = False

    def _response(self) -> object:
        """Return what picows answers. A browser that offers subprotocols drops a connection without one of them."""
        if not self.offers_protocol:
            return self.connection
        response = WSUpgradeResponse.create_101_response({"Sec-WebSocket-Protocol": PROTOCOL})
        return WSUpgradeResponseWithListener(response, self.connection)

    def connection_made(self, transport: asyncio.Transport) -> None:
        transport.pause_reading()  # what arrives before the upgrade is accepted is for the connection
        super().connection_made(transport)
        self.server_state.connections.add(self)

    def data_received(self, request: bytes) -> None:
        """Start the upgrade. uvicorn has parsed the request and passes it on as it came."""
        task = asyncio.get_running_loop().create_task(self._upgrade(request))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    async def _upgrade(self, request: bytes) -> None:
        parsed = parse_request(request, self.transport.underlying_transport)
        answer = await self._authorise(parsed)
        if self.transport.is_disconnected or self.transport.underlying_transport.is_closing():
            return
        match answer:
            case UpgradeRefusal():
                self.transport.underlying_transport.write(encode_refusal(answer))
                self.transport.disconnect()
            case Connection():
                self.connection = answer
                offered = parsed.headers.get("sec-websocket-protocol", "").split(",")
                self.offers_protocol = PROTOCOL in (one.strip() for one in offered)
                self.keep_alive.add(answer)
                handshake = picows_handshake(request, parsed)
                self.get_buffer(len(handshake))[: len(handshake)] = handshake
                self.buffer_updated(len(handshake))
                self.transport.underlying_transport.resume_reading()

    async def _authorise(self, request: UpgradeRequest) -> Connection | UpgradeRefusal:
        try:
            return await self.authorise(request)
        except Exception:
            log.exception("upgrade failed")  # without its path, which has the code of a table
            return UpgradeRefusal(HTTPStatus.INTERNAL_SERVER_ERROR, "internal")

    def get_buffer(self, size_hint: int) -> memoryview:
        """Return where to read to: little at a time, so that a flood delays nobody and picows' buffer stays small."""
        return super().get_buffer(size_hint)[: budget.SOCKET_READ_BYTES.value]  # type: ignore[no-any-return]

    def connection_lost(self, error: Exception | None) -> None:
        self.server_state.connections.discard(self)
        if self.connection is not None:
            self.keep_alive.remove(self.connection)
        super().connection_lost(error)

    def shutdown(self) -> None:
        """Close because the server stops; uvicorn calls this."""
        if self.connection is None:
            self.transport.disconnect()
        else:
            self.connection.close(WSCloseCode.SERVICE_RESTART.value)


def upgrade_protocol(authorise: Authorise, idle_seconds: float = budget.IDLE_SECONDS.value) -> type[asyncio.Protocol]:
    """Return the class for uvicorn's `ws=`."""
    keep_alive = PeriodicCheck[Connection](idle_seconds / 4, lambda one, now: one.check_idle(now, idle_seconds))
    attributes = {"__slots__": (), "authorise": staticmethod(authorise), "keep_alive": keep_alive}
    return type("UpgradeProtocol", (UpgradeProtocol,), attributes)


def parse_request(request: bytes, transport: asyncio.Transport) -> UpgradeRequest:
    first, *lines = request.decode("latin-1").rstrip().split("\r\n")
    path, _, query = first.split(" ")[1].partition("?")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    peer = transport.get_extra_info("peername")
    return UpgradeRequest(path, query, headers, peer[0] if isinstance(peer, tuple) else None)


def picows_handshake(request: bytes, parsed: UpgradeRequest) -> bytes:
    """Return a handshake that picows accepts: `Connection: Upgrade`, where Firefox sends `keep-alive, Upgrade`."""
    method = request.partition(b" ")[0].decode("latin-1")
    wanted = ("sec-websocket-key", "sec-websocket-version")
    headers = [f"{name}: {parsed.headers[name][:64]}" for name in wanted if name in parsed.headers]
    lines = [f"{method} / HTTP/1.1", "host: server", "upgrade: websocket", "connection: upgrade", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def encode_refusal(refusal: UpgradeRefusal) -> bytes:
    status, body = HTTPStatus(refusal.status), json.encode({"reason": refusal.reason})
    headers = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{headers}\r\n".encode() + body
