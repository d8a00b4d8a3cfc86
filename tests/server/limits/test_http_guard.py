"""Large, slow and silent HTTP clients do not harm others."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from notahat.server.limits.http_guard import MAX_HEAD_BYTES, MAX_HEADERS, HttpGuard, guarded_protocol
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio

QUICK = 0.3
LARGE = 40 * 1024 * 1024


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


class GuardedServer:
    """A server with guarded HTTP connections, and its clients."""

    def __init__(self) -> None:
        self.port = 0

    @asynccontextmanager
    async def open(self, limit: int = 100, seconds: float = TIMEOUT) -> AsyncIterator["GuardedServer"]:
        async def page(request: Request) -> Response:
            return PlainTextResponse(f"read {len(await request.body())}")

        async def large(_: Request) -> Response:
            return Response(b"x" * LARGE)

        self.guard = HttpGuard(limit, seconds, seconds)
        app = Starlette(routes=[Route("/large", large), Route("/{rest:path}", page, methods=["GET", "POST"])])
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, http=guarded_protocol(self.guard), log_level="critical"))
        running = asyncio.create_task(server._serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield self
        finally:
            server.should_exit = True
            server.force_exit = True
            await asyncio.wait_for(running, TIMEOUT)

    async def connect(self, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sent)
        return reader, writer

    async def status_line(self, sent: bytes = b"") -> bytes:
        """Return the first line of what the server sends until it closes the connection."""
        reader, writer = await self.connect(sent)
        received = b""
        async with asyncio.timeout(TIMEOUT):
            try:
                while data := await reader.read(65536):
                    received += data
            except ConnectionResetError:
                pass
        writer.close()
        return received.partition(b"\r\n")[0]


def request(*headers: str, method: str = "GET", path: str = "/") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "host: here", *headers, "", ""]).encode()


@pytest.mark.parametrize(
    "head",
    [
        request(f"x: {'y' * MAX_HEAD_BYTES}"),
        request(*(f"x{n}: {'y' * 1000}" for n in range(MAX_HEAD_BYTES // 1000 + 1))),
        request(*(f"x{n}: y" for n in range(MAX_HEADERS + 1))),
        request(path="/" + "x" * MAX_HEAD_BYTES),
        b"GET / HTTP/1.1\r\nx: " + b"y" * 10 * MAX_HEAD_BYTES,
        b"GET / HTTP/1.1\r\nx" + b"y" * 10 * MAX_HEAD_BYTES,
    ],
)
async def test_oversized_headers_are_refused(head: bytes) -> None:
    async with GuardedServer().open() as guarded:
        assert await guarded.status_line(head) == b"HTTP/1.1 431 Request Header Fields Too Large"


async def test_usual_requests_are_answered() -> None:
    async with GuardedServer().open() as guarded:
        usual = request("cookie: notahat=" + "x" * 4000, *(f"x{n}: y" for n in range(40)), "connection: close")
        assert await guarded.status_line(usual) == b"HTTP/1.1 200 OK"
        posted = request("content-length: 100000", "connection: close", method="POST") + b"x" * 100_000
        assert await guarded.status_line(posted) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: here\r\nx: y",
        request("upgrade: websocket", "connection: upgrade")[:-2],
        request("content-length: 100", method="POST") + b"half",
    ],
)
async def test_incomplete_requests_time_out(sent: bytes) -> None:
    async with GuardedServer().open(seconds=QUICK) as guarded:
        assert await guarded.status_line(sent) == b"HTTP/1.1 408 Request Timeout"
        assert len(guarded.guard) == 0


async def test_unread_response_closes_connection() -> None:
    async with GuardedServer().open(seconds=QUICK) as guarded:
        reader, writer = await guarded.connect(request(path="/large"))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(TIMEOUT):
            while len(guarded.guard) == 0:
                await asyncio.sleep(0.01)
            while len(guarded.guard):
                await asyncio.sleep(0.01)
        writer.close()
        assert reader is not None


async def test_silent_connections_do_not_block_others() -> None:
    async with GuardedServer().open(limit=50) as guarded:
        silent = [await guarded.connect(b"GET / HT") for _ in range(300)]
        for _ in range(5):
            assert await guarded.status_line(request("connection: close")) == b"HTTP/1.1 200 OK"
        assert len(guarded.guard) <= 50
        for _, writer in silent:
            writer.close()
