"""Size limits and timeouts for HTTP connections before upgrade, which h11 and uvicorn lack: decisions/0018."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from http import HTTPStatus
from time import monotonic
from typing import Any

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from notahat.server.limits import budget
from notahat.server.limits.accounts import Accounts, address_key, client_address, is_proxy
from notahat.server.timers import PeriodicCheck

CHECK_SECONDS = 1.0

# uvicorn would log a warning for every malformed request
_logger = logging.getLogger("notahat.http")
_logger.setLevel(logging.ERROR)


class LimitedParser(h11.Connection):
    """h11's parser, which also refuses requests over the limits of the budget."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, budget.HEAD_BYTES.value)
        self.error_status = HTTPStatus.BAD_REQUEST
        self.body_bytes = 0
        self._chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        try:
            event = super().next_event()
            self._check(event)
        except h11.RemoteProtocolError as error:
            self.error_status = HTTPStatus(error.error_status_hint)
            raise
        return event

    def _check(self, event: object) -> None:
        if isinstance(event, h11.Request):
            self.body_bytes = self._chunks = 0
            if len(event.headers) > budget.HEADERS.value:
                raise h11.RemoteProtocolError("too many headers", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif isinstance(event, h11.Data):
            self.body_bytes += len(event.data)
            self._chunks += event.chunk_start
            if self._chunks > budget.SMALL_CHUNKS.value + self.body_bytes // budget.KIB:
                raise h11.RemoteProtocolError("too many small chunks")
        elif event is h11.PAUSED and self.waiting_bytes > budget.QUEUED_BYTES.value:
            raise h11.RemoteProtocolError("too many pipelined requests")

    @property
    def waiting_bytes(self) -> int:
        """The number of bytes that are received and not parsed."""
        return len(self.trailing_data[0])

    @property
    def expects_more(self) -> bool:
        """Whether the client has not sent a complete request."""
        return self.their_state in (h11.IDLE, h11.SEND_BODY)


class GuardedHttpProtocol(H11Protocol):
    """One HTTP connection. `guarded_protocol` sets its guard."""

    guard: "HttpGuard"
    conn: LimitedParser
    address = "?"
    _unread = 0
    _unread_since = 0.0
    _between_requests = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _logger
        self.conn = LimitedParser()
        self._waiting_since = monotonic()

    @property
    def app(self) -> ASGIApp:  # a stored bound method would be a reference cycle
        return self._respond

    @app.setter
    def app(self, app: ASGIApp) -> None:
        self._app = app

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        raw_socket = transport.get_extra_info("socket")
        raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, budget.RESPONSE_KERNEL_BYTES.value)
        peer = self.client[0] if self.client else "?"
        self.address = address_key(peer)
        self.guard.add(self, is_proxy(peer, self.guard.behind_proxy))

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._account()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._account()

    def data_received(self, data: bytes) -> None:
        """Parse in pieces, because h11 measures a head only while it is incomplete."""
        if self._between_requests:
            self._between_requests = False
            self._waiting_since = monotonic()
            self.guard.accounts.http.hold(self.address, self)  # others of its address are shed before it
        for start in range(0, len(data), budget.READ_BYTES.value):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            super().data_received(data[start : start + budget.READ_BYTES.value])
        self._account()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.guard.remove(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._waiting_since = monotonic()  # for the rest of the body, or the next request
        self._between_requests = not self.conn.expects_more
        super().on_response_complete()

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the app; discard what it sends after the client has hung up, where uvloop would raise an error."""
        await self.guard.turn()
        cycle = self.cycle
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin-1")
        peer = self.client[0] if self.client else None
        self.guard.move(self, client_address(forwarded, peer, self.guard.behind_proxy))

        async def send_if_open(message: Message) -> None:
            try:
                for part in in_parts(message):
                    if self.transport.is_closing():
                        break
                    await send(part)
                else:
                    return
            except RuntimeError:
                if not self.transport.is_closing():
                    raise
            cycle.disconnected = True

        await self._app(scope, receive, send_if_open)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        self.refuse(self.conn.error_status)

    def refuse(self, status: HTTPStatus) -> None:
        """Close the connection, with an empty response if none has begun."""
        self.guard.accounts.shed_log.counts[f"http_{status.value}"] += 1
        cycle = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if not answering or not cycle.response_started:
            head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode())
        if answering:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def shed(self) -> None:
        self.transport.abort()

    def _account(self) -> None:
        """Count the received bytes that no endpoint has read, and those of responses that the client does not read."""
        if self.transport.get_protocol() is not self:
            return
        size = self.conn.waiting_bytes + (0 if self.cycle is None else len(self.cycle.body))
        if self.flow.write_paused:
            size += self.transport.get_write_buffer_size() + budget.RESPONSE_KERNEL_BYTES.value
        self.guard.accounts.bytes.hold(self.address, self, size)

    def check_timeouts(self, now: float) -> None:
        """Close the connection if its request is late or its client does not read the response."""
        unread = self.transport.get_write_buffer_size()
        if unread == 0 or unread < self._unread or self._unread == 0:
            self._unread_since = now
        self._unread = unread
        self._account()
        if unread and now - self._unread_since > self.guard.response_seconds:
            self.guard.accounts.shed_log.count(self.address, "unread")
            self.transport.abort()
        elif self.conn.expects_more and not self.transport.is_closing():
            allowed = self.guard.request_seconds + self.conn.body_bytes / budget.BODY_BYTES_PER_SECOND.value
            if now - self._waiting_since > allowed:
                self.refuse(HTTPStatus.REQUEST_TIMEOUT)


def in_parts(message: Message) -> Iterator[Message]:
    """Split a large body, so that uvicorn waits between its parts while the client does not read."""
    body, size = message.get("body", b""), budget.RESPONSE_PART.value
    for start in range(0, len(body) - size, size):
        yield {"type": message["type"], "body": body[start : start + size], "more_body": True}
    yield {**message, "body": body[(len(body) - 1) // size * size :]} if len(body) > size else message


class HttpGuard:
    """All HTTP connections, and what they hold."""

    def __init__(
        self,
        accounts: Accounts,
        behind_proxy: str = "",
        request_seconds: float = budget.REQUEST_SECONDS.value,
        response_seconds: float = budget.RESPONSE_SECONDS.value,
    ) -> None:
        self.accounts = accounts
        self.behind_proxy = behind_proxy
        self.request_seconds = request_seconds
        self.response_seconds = response_seconds
        interval = min(CHECK_SECONDS, request_seconds / 4)
        self._connections = PeriodicCheck(interval, GuardedHttpProtocol.check_timeouts)
        self._beginning = asyncio.Semaphore(budget.REQUESTS_AT_ONCE.value)

    def __len__(self) -> int:
        return len(self._connections.items)

    async def turn(self) -> None:
        """Wait until a request may begin: a few in each iteration of the event loop, which then looks at sockets."""
        async with self._beginning:
            await asyncio.sleep(0)

    def add(self, connection: GuardedHttpProtocol, of_proxy: bool) -> None:
        """Count a new connection, or close it at once if its address opens too many; a proxy's have many clients."""
        self._connections.add(connection)
        if of_proxy or self.accounts.new_connections.allows(connection.address):
            self.accounts.http.hold(connection.address, connection)
        else:
            self.accounts.shed_log.count(connection.address, "new_connections")
            connection.shed()

    def move(self, connection: GuardedHttpProtocol, address: str) -> None:
        """Count a connection for another address: a proxy's belongs to the client of its request."""
        if connection.address != address and connection in self._connections.items:
            self._release(connection)
            connection.address = address
            self.accounts.http.hold(address, connection)

    def remove(self, connection: GuardedHttpProtocol) -> None:
        self._connections.remove(connection)
        self._release(connection)

    def _release(self, connection: GuardedHttpProtocol) -> None:
        self.accounts.http.release(connection.address, connection)
        self.accounts.bytes.release(connection.address, connection)


def guarded_protocol(guard: HttpGuard) -> type[asyncio.Protocol]:
    """Return the class for uvicorn's `http=`."""
    return type("GuardedHttpProtocol", (GuardedHttpProtocol,), {"guard": guard})
