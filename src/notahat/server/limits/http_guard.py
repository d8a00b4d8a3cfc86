"""Size limits and timeouts for HTTP connections before upgrade: decisions/0018.

h11 parses and uvicorn drives it. This adds what they lack: limits on complete heads, small chunks and pipelining,
deadlines, and a bound on the bytes of all connections together.
"""

import asyncio
import logging
from http import HTTPStatus
from time import monotonic
from typing import Any

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from notahat.server.limits.budget import (
    HEAD_BYTES,
    HEADERS,
    HTTP_BYTES,
    KIB,
    QUEUED_BYTES,
    READ_BYTES,
    REQUEST_SECONDS,
    RESPONSE_SECONDS,
    SMALL_CHUNKS,
)
from notahat.server.periodic_check import PeriodicCheck

CHECK_SECONDS = 1.0

# uvicorn would log a warning for every malformed request
_logger = logging.getLogger("notahat.http")
_logger.setLevel(logging.ERROR)


class LimitedParser(h11.Connection):
    """h11's parser, which also refuses requests over the limits of the budget."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD_BYTES.value)
        self.error_status = HTTPStatus.BAD_REQUEST
        self._body_bytes = 0
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
            self._body_bytes = self._chunks = 0
            if len(event.headers) > HEADERS.value:
                raise h11.RemoteProtocolError("too many headers", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif isinstance(event, h11.Data):
            self._body_bytes += len(event.data)
            self._chunks += event.chunk_start
            if self._chunks > SMALL_CHUNKS.value + self._body_bytes // KIB:
                raise h11.RemoteProtocolError("too many small chunks")
        elif event is h11.PAUSED and self.waiting_bytes > QUEUED_BYTES.value:
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
        self.guard.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse in pieces, because h11 measures a head only while it is incomplete."""
        if self._between_requests:
            self._between_requests = False
            self._waiting_since = monotonic()
            self.guard.touch(self)
        for start in range(0, len(data), READ_BYTES.value):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            super().data_received(data[start : start + READ_BYTES.value])
        self.guard.count(len(data))

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.guard.remove(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._waiting_since = monotonic()  # for the rest of the body, or the next request
        self._between_requests = not self.conn.expects_more
        super().on_response_complete()

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the app; discard what it sends after the client has hung up, where uvloop would raise an error."""
        cycle = self.cycle

        async def send_if_open(message: Message) -> None:
            try:
                if not self.transport.is_closing():
                    await send(message)
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
        cycle = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if not answering or not cycle.response_started:
            head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode())
        if answering:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    @property
    def kept_bytes(self) -> int:
        """The number of received bytes that no endpoint has read."""
        return self.conn.waiting_bytes + (0 if self.cycle is None else len(self.cycle.body))

    def check_timeouts(self, now: float) -> None:
        """Close the connection if its request is late or its client does not read the response."""
        unread = self.transport.get_write_buffer_size()
        if unread == 0 or unread < self._unread or self._unread == 0:
            self._unread_since = now
        self._unread = unread
        if unread and now - self._unread_since > self.guard.response_seconds:
            self.transport.abort()
        elif self._request_is_late(now) and not self.transport.is_closing():
            self.refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _request_is_late(self, now: float) -> bool:
        return self.conn.expects_more and now - self._waiting_since > self.guard.request_seconds


class HttpGuard:
    """All HTTP connections, least recently active first."""

    def __init__(
        self,
        limit: int,
        request_seconds: float = REQUEST_SECONDS.value,
        response_seconds: float = RESPONSE_SECONDS.value,
        max_bytes: int = HTTP_BYTES.value,
    ) -> None:
        self.request_seconds = request_seconds
        self.response_seconds = response_seconds
        self._limit = limit
        self._max_bytes = max_bytes
        self._uncounted = 0
        interval = min(CHECK_SECONDS, request_seconds / 4)
        self._connections = PeriodicCheck(interval, GuardedHttpProtocol.check_timeouts)

    def __len__(self) -> int:
        return len(self._connections.items)

    def add(self, connection: GuardedHttpProtocol) -> None:
        self._connections.add(connection)
        if len(self) > self._limit:
            self._evict_oldest_waiting()

    def touch(self, connection: GuardedHttpProtocol) -> None:
        """Move a connection to the end of the eviction order."""
        if self._connections.items.pop(connection, False) is None:
            self._connections.items[connection] = None

    def remove(self, connection: GuardedHttpProtocol) -> None:
        self._connections.remove(connection)

    def count(self, size: int) -> None:
        """Count received bytes. Above the limit, close the connections with most unread bytes until half is free."""
        self._uncounted += size
        if self._uncounted <= self._max_bytes:
            return
        by_size = sorted(self._connections.items, key=lambda one: one.kept_bytes)
        self._uncounted = sum(one.kept_bytes for one in by_size)
        while by_size and self._uncounted > self._max_bytes // 2:
            self._uncounted -= by_size[-1].kept_bytes
            self._evict(by_size.pop())

    def _evict_oldest_waiting(self) -> None:
        """Abort the connection that has owed a complete request for the longest time."""
        for connection in self._connections.items:
            if connection.conn.expects_more:
                self._evict(connection)
                return

    def _evict(self, connection: GuardedHttpProtocol) -> None:
        self.remove(connection)
        connection.transport.abort()


def guarded_protocol(guard: HttpGuard) -> type[asyncio.Protocol]:
    """Return the class for uvicorn's `http=`."""
    return type("GuardedHttpProtocol", (GuardedHttpProtocol,), {"guard": guard})
