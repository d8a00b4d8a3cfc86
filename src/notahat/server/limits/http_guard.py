"""Callers: whoever has a connection and has not yet asked for a table's socket. They say what they want soon and in few
words, and read what they are told; where too many hang on the line, whoever has kept us waiting longest is let go.
"""

import asyncio
import logging
from collections.abc import Iterable
from http import HTTPStatus
from time import monotonic
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

LARGEST_HEAD = 32 * 1024
MOST_HEADERS = 100
REQUEST_SECONDS = 15.0  # from the first byte, or from picking up, to the end of the request
READING_SECONDS = 30.0  # without taking a byte of what we say
LOOK_SECONDS = 1.0

# what strangers say wrong is no error of ours; uvicorn would write a line about each
_quiet = logging.getLogger("notahat.http")
_quiet.setLevel(logging.ERROR)


class TooBig(Exception):  # noqa: N818 - said of the request
    """More headers than anybody needs."""


class Caller(HttpToolsProtocol):
    """One connection. `callers` gives the class somebody who minds all of them."""

    callers: "Callers"
    waited_since: float | None = None  # since when we wait for the rest of a request; None while they wait for us
    _head = 0
    _headers = 0
    _head_is_whole = True
    _unread = 0
    _unread_since = 0.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = _quiet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.waited_since = monotonic()
        self.callers.came(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.callers.went(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self._head_is_whole:  # the parser keeps a header to itself until it has all of it
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.let_go(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def handle_websocket_upgrade(self) -> None:
        self.callers.went(self)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = self._headers = 0
        self._head_is_whole = False
        self.waited_since = monotonic()
        self.callers.spoke(self)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._head += size
        if self._head > LARGEST_HEAD or self._headers > MOST_HEADERS:
            raise TooBig

    def on_headers_complete(self) -> None:
        self._head_is_whole = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.waited_since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.waited_since is None:
            self.waited_since = monotonic()  # for the next request
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        if self._head > LARGEST_HEAD or self._headers > MOST_HEADERS:
            self.let_go(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        else:
            super().send_400_response(msg)

    def let_go(self, status: HTTPStatus) -> None:
        """Say why, and hang up."""
        self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def mind(self, now: float) -> None:
        """Hang up on who does not come to the point, or does not listen."""
        unread = self.transport.get_write_buffer_size()
        if unread == 0 or unread < self._unread or self._unread == 0:
            self._unread_since = now
        self._unread = unread
        if unread and now - self._unread_since > self.callers.reading_seconds:
            self.transport.abort()
        elif self._late(now) and not self.transport.is_closing():
            self.let_go(HTTPStatus.REQUEST_TIMEOUT)

    def _late(self, now: float) -> bool:
        return self.waited_since is not None and now - self.waited_since > self.callers.request_seconds


class Callers:
    """All callers, longest silent first, minded with one timer."""

    def __init__(
        self, most: int, request_seconds: float = REQUEST_SECONDS, reading_seconds: float = READING_SECONDS
    ) -> None:
        self.request_seconds = request_seconds
        self.reading_seconds = reading_seconds
        self._most = most
        self._callers: dict[Caller, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._callers)

    def came(self, caller: Caller) -> None:
        self._callers[caller] = None
        if len(self._callers) > self._most:
            self._make_room(self._callers)
        if self._timer is None:
            self._wait()

    def spoke(self, caller: Caller) -> None:
        if self._callers.pop(caller, False) is None:
            self._callers[caller] = None

    def went(self, caller: Caller) -> None:
        self._callers.pop(caller, None)

    def _make_room(self, callers: Iterable[Caller]) -> None:
        """Let go of whoever has kept us waiting longest: who has something to say does so at once."""
        for caller in callers:
            if caller.waited_since is not None:
                self.went(caller)
                caller.transport.abort()
                return

    def _wait(self) -> None:
        seconds = min(LOOK_SECONDS, self.request_seconds / 4)
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        now = monotonic()
        for caller in tuple(self._callers):
            caller.mind(now)
        if self._callers:
            self._wait()


def reception(callers: Callers) -> type[asyncio.Protocol]:
    """The class for uvicorn's `http=`."""
    return type("Caller", (Caller,), {"callers": callers})
