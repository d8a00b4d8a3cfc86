"""Size limits and timeouts for HTTP connections before upgrade."""

import asyncio
import logging
from http import HTTPStatus
from time import monotonic
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from notahat.server.periodic_check import PeriodicCheck

MAX_HEAD_BYTES = 32 * 1024
MAX_HEADERS = 100
REQUEST_SECONDS = 15.0  # from the connection or the first byte to the end of the request
RESPONSE_SECONDS = 30.0  # without the client reading a byte
CHECK_SECONDS = 1.0

# uvicorn would log a warning for every malformed request
_logger = logging.getLogger("notahat.http")
_logger.setLevel(logging.ERROR)


class HeadTooLarge(Exception):  # noqa: N818 - a response
    """The request line and headers exceed a limit."""


class GuardedHttpProtocol(HttpToolsProtocol):
    """One HTTP connection. `guarded_protocol` sets its guard."""

    guard: "HttpGuard"
    waiting_since: float | None = None  # since when the server waits for a complete request; None while it responds
    _head_bytes = 0
    _headers = 0
    _head_complete = True
    _unread = 0
    _unread_since = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _logger

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.waiting_since = monotonic()
        self.guard.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self._head_complete:  # the parser reports a header only when it has all of it
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def handle_websocket_upgrade(self) -> None:
        self.guard.remove(self)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = self._headers = 0
        self._head_complete = False
        self.waiting_since = monotonic()
        self.guard.touch(self)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_too_large():
            raise HeadTooLarge

    def _head_too_large(self) -> bool:
        return self._head_bytes > MAX_HEAD_BYTES or self._headers > MAX_HEADERS

    def on_headers_complete(self) -> None:
        self._head_complete = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.waiting_since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.waiting_since is None:
            self.waiting_since = monotonic()  # for the next request
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head_too_large():
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        else:
            super().send_400_response(msg)

    def refuse(self, status: HTTPStatus) -> None:
        """Send an empty response and close the connection."""
        self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

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
        return self.waiting_since is not None and now - self.waiting_since > self.guard.request_seconds


class HttpGuard:
    """All HTTP connections, least recently active first."""

    def __init__(
        self, limit: int, request_seconds: float = REQUEST_SECONDS, response_seconds: float = RESPONSE_SECONDS
    ) -> None:
        self.request_seconds = request_seconds
        self.response_seconds = response_seconds
        self._limit = limit
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

    def _evict_oldest_waiting(self) -> None:
        """Abort the connection that has owed a complete request for the longest time."""
        for connection in self._connections.items:
            if connection.waiting_since is not None:
                self.remove(connection)
                connection.transport.abort()
                return


def guarded_protocol(guard: HttpGuard) -> type[asyncio.Protocol]:
    """Return the class for uvicorn's `http=`."""
    return type("GuardedHttpProtocol", (GuardedHttpProtocol,), {"guard": guard})
