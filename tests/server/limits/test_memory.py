"""Strangers cannot make the server keep memory, or make others wait."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from urllib.parse import urlsplit

import psutil
import pytest

from support.raw_http import exchange_raw, send_request
from support.server_process import ServerProcess, running_server
from support.timeouts import TIMEOUT

MEGABYTE = 2**20
SENT = 6 * MEGABYTE
MAX_GROWTH = 24 * MEGABYTE  # the allocator's own noise is below 4 MB
HANG_UPS = 150
PIECE = 64 * 1024
# 32 and 128 bytes, so that every read of the server ends with a whole request
GET = b"GET / HTTP/1.1\r\nhost: abcdef\r\n\r\n"
POST = b"POST /api/guests HTTP/1.1\r\nhost: here\r\norigin: http://x\r\nx: %s\r\ncontent-length: 2\r\n\r\n{}" % (
    b"y" * 43
)
CHUNKED = b"POST /api/lines HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def stranger_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of its own, because its memory is measured."""
    with running_server(tmp_path_factory.mktemp("stranger"), coverage=False) as server:
        for _ in range(20):
            assert send_request(server.url, "GET", "/healthz").status == 200
        yield server


def connect(server: ServerProcess) -> socket.socket:
    address = urlsplit(server.url)
    return socket.create_connection((address.hostname, address.port), timeout=TIMEOUT)


def send_until_closed(server: ServerProcess, head: bytes, repeated: bytes) -> tuple[int, int]:
    """Send up to `SENT` bytes and read nothing; return the bytes sent and the growth of the server in bytes."""
    process = psutil.Process(server.process.pid)
    before = peak = process.memory_info().rss
    sent, piece = 0, repeated * (PIECE // len(repeated))
    with closing(connect(server)) as connection:
        connection.sendall(head)
        with suppress(ConnectionError):
            while sent < SENT:
                connection.sendall(piece)
                sent += len(piece)
                peak = max(peak, process.memory_info().rss)
        assert send_request(server.url, "GET", "/healthz").status == 200, "others are answered"
        peak = max(peak, process.memory_info().rss)
    return sent, peak - before


@pytest.mark.parametrize("request_", [GET, POST], ids=["GET", "POST"])
def test_pipelined_requests_are_not_stored(stranger_server: ServerProcess, request_: bytes) -> None:
    sent, growth = send_until_closed(stranger_server, b"", request_)
    assert sent < SENT, (sent, growth)
    assert growth < MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("head", "repeated"),
    [(b"0\r\nx: ", b"y"), (b"0\r\n", b"x: y\r\n"), (b"1;", b"y"), (b"", b"1\r\n \r\n"), (b"1", b"0")],
    ids=["one trailer", "many trailers", "extension", "small chunks", "chunk size"],
)
def test_endless_chunked_body_is_refused(stranger_server: ServerProcess, head: bytes, repeated: bytes) -> None:
    sent, growth = send_until_closed(stranger_server, CHUNKED + head, repeated)
    assert sent < SENT, "the server took every byte"
    assert growth < MAX_GROWTH, growth


def test_unread_hang_ups_leave_no_trace(stranger_server: ServerProcess) -> None:
    """`running_server` requires a log without tracebacks."""
    for _ in range(HANG_UPS):
        with closing(connect(stranger_server)) as connection:
            connection.sendall(b"GET /api/openapi.json HTTP/1.1\r\nhost: here\r\n\r\n" * 60)
            connection.recv(10)
    closing_request = b"GET /healthz HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n"
    assert b'{"ok":true}' in exchange_raw(stranger_server.url, closing_request)
