"""Large, slow and silent HTTP clients do not harm others."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import (
    HEAD_BYTES,
    HEADERS,
    NEW_CONNECTIONS,
    QUEUED_BYTES,
    READ_BYTES,
    REQUESTS_AT_ONCE,
    RESPONSE_KERNEL_BYTES,
)
from notahat.server.limits.http_guard import HttpGuard, guarded_protocol
from support.asgi_server import serving
from support.raw_table import ManualClock
from support.timeouts import TIMEOUT, until

pytestmark = pytest.mark.anyio

QUICK = 0.3
TOO_LARGE = HEAD_BYTES.value + READ_BYTES.value
MAX_BYTES = 1_000_000
LARGE = 40 * 1024 * 1024


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


class GuardedServer:
    """A server with guarded HTTP connections, and its clients."""

    def __init__(self) -> None:
        self.port = 0

    @asynccontextmanager
    async def open(
        self, limit: int = 100, seconds: float = TIMEOUT, max_bytes: int = 100 * MAX_BYTES, behind_proxy: str = ""
    ) -> AsyncIterator["GuardedServer"]:
        async def page(request: Request) -> Response:
            return PlainTextResponse(f"read {len(await request.body())}")

        async def large(_: Request) -> Response:
            return Response(b"x" * LARGE)

        async def stuck(_: Request) -> Response:
            await asyncio.Event().wait()
            raise AssertionError

        self.accounts = Accounts(4 * limit, clock=ManualClock())  # stands still: no rate limit recovers
        self.accounts.bytes.limit = max_bytes
        self.guard = HttpGuard(self.accounts, behind_proxy, seconds, seconds)
        app = Starlette(
            routes=[
                Route("/large", large),
                Route("/stuck", stuck, methods=["POST"]),
                Route("/{rest:path}", page, methods=["GET", "POST"]),
            ]
        )
        async with serving(app, http=guarded_protocol(self.guard)) as (server, self.port):
            yield self
            server.force_exit = True

    async def connect(
        self, sent: bytes = b"", address: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
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


OVERSIZED = [
    request(f"x: {'y' * TOO_LARGE}"),
    request(*(f"x{n}: {'y' * 1000}" for n in range(TOO_LARGE // 1000 + 1))),
    request(*(f"x{n}: y" for n in range(HEADERS.value + 1))),
    request(path="/" + "x" * TOO_LARGE),
    b"GET / HTTP/1.1\r\nx: " + b"y" * 10 * TOO_LARGE,
    b"GET / HTTP/1.1\r\nx" + b"y" * 10 * TOO_LARGE,
]


async def test_oversized_headers_are_refused() -> None:
    async with GuardedServer().open() as guarded:
        for head in OVERSIZED:
            assert await guarded.status_line(head) == b"HTTP/1.1 431 Request Header Fields Too Large"


CHUNKED = request("transfer-encoding: chunked", method="POST")
CHUNKED_BODIES = {
    "one trailer": (b"0\r\nx: " + b"y" * TOO_LARGE, b"431"),
    "many trailers": (b"0\r\n" + b"x: y\r\n" * TOO_LARGE, b"431"),
    "extension": (b"1;" + b"y" * TOO_LARGE, b"431"),
    "chunk size": (b"1" + b"0" * TOO_LARGE, b"431"),
    "small chunks": (b"1\r\ny\r\n" * 200, b"400"),
    "usual chunks": (b"1\r\ny\r\n" * 100 + b"0\r\n\r\nx\r\n\r\n", b"200"),
}


async def test_chunked_bodies_have_limits() -> None:
    async with GuardedServer().open() as guarded:
        for name, (body, status) in CHUNKED_BODIES.items():
            assert (await guarded.status_line(CHUNKED + body)).split()[1] == status, name


async def test_many_pipelined_requests_close_the_connection() -> None:
    async with GuardedServer().open() as guarded:
        few = request() * 9 + request("connection: close")
        reader, writer = await guarded.connect(few)
        assert (await reader.read()).count(b"HTTP/1.1 200 OK") == 10
        writer.close()
        reader, writer = await guarded.connect(request() * (QUEUED_BYTES.value // len(request()) + 200))
        with suppress(ConnectionError):
            assert (await reader.read()).count(b"HTTP/1.1") < 50
        writer.close()


async def test_unread_bytes_of_all_connections_are_bounded() -> None:
    async with GuardedServer().open(max_bytes=MAX_BYTES) as guarded:
        head = request("content-length: 1000000", method="POST", path="/stuck")
        clients = [await guarded.connect(head + b"x" * 60_000) for _ in range(40)]
        assert await guarded.status_line(request("connection: close")) == b"HTTP/1.1 200 OK"
        await until(lambda: len(guarded.guard) <= MAX_BYTES // 60_000 + 1)
        assert len(guarded.guard) > 0, "only the largest are closed"
        for _, writer in clients:
            writer.close()


async def test_response_after_hang_up_is_discarded(caplog: pytest.LogCaptureFixture) -> None:
    async with GuardedServer().open() as guarded:
        for _ in range(20):
            _, writer = await guarded.connect(request(path="/large") * 5)
            await until(lambda: len(guarded.guard) > 0)
            writer.transport.abort()
            await until(lambda: len(guarded.guard) == 0)
    assert caplog.records == []


INCOMPLETE = [
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nhost: here\r\nx: y",
    request("upgrade: websocket", "connection: upgrade")[:-2],
    request("content-length: 100", method="POST") + b"half",
    CHUNKED + b"400\r\n" + b"y" * 1024,
]


async def test_incomplete_requests_time_out() -> None:
    async with GuardedServer().open(seconds=QUICK) as guarded:
        lines = await asyncio.gather(*map(guarded.status_line, INCOMPLETE))
        assert lines == [b"HTTP/1.1 408 Request Timeout"] * len(INCOMPLETE)
        await until(lambda: len(guarded.guard) == 0)


async def test_unread_response_closes_connection() -> None:
    async with GuardedServer().open(seconds=QUICK) as guarded:
        reader, writer = await guarded.connect(request(path="/large"))
        assert await reader.readexactly(8) == b"HTTP/1.1"  # and no more than the stream's buffer holds
        await until(lambda: len(guarded.guard) == 0)
        writer.close()


async def test_unread_responses_are_bounded() -> None:
    async with GuardedServer().open(max_bytes=20 * RESPONSE_KERNEL_BYTES.value) as guarded:
        slow = [await guarded.connect(request(path="/large")) for _ in range(40)]
        await until(lambda: guarded.accounts.shed_log.counts["bytes"] > 20)
        assert 0 < guarded.accounts.bytes.total <= guarded.accounts.bytes.limit
        assert len(guarded.guard) < 20, "each also fills a buffer of the system"
        for _, writer in slow:
            writer.close()


async def test_connection_of_a_proxy_counts_for_its_client() -> None:
    async with GuardedServer().open(limit=20, behind_proxy="yes") as guarded:
        slow = [await guarded.connect(request("x-forwarded-for: 192.0.2.1", path="/large")) for _ in range(19)]
        await until(lambda: guarded.accounts.bytes.total > 0)
        other = request("x-forwarded-for: 192.0.2.2", "content-length: 1", method="POST", path="/stuck")
        _, waiting = await guarded.connect(other)
        for _ in range(5):
            assert await guarded.status_line(request("connection: close")) == b"HTTP/1.1 200 OK"
        assert not waiting.transport.is_closing()
        for _, writer in (*slow, (None, waiting)):
            writer.close()


async def test_burst_of_requests_begins_a_few_at_a_time() -> None:
    """Between them the event loop looks at sockets, so that a burst delays no player."""
    guard, iterations, begun = HttpGuard(Accounts(100)), count(), Counter[int]()
    now = next(iterations)

    async def begin() -> None:
        await guard.turn()
        begun[now] += 1

    requests = [asyncio.create_task(begin()) for _ in range(3 * REQUESTS_AT_ONCE.value - 1)]
    requests[1].cancel()
    while not all(request.done() for request in requests):
        now = next(iterations)
        await asyncio.sleep(0)
    assert max(begun.values()) <= REQUESTS_AT_ONCE.value
    assert begun.total() == len(requests) - 1


async def test_new_connections_of_an_address_are_limited() -> None:
    async with GuardedServer().open(limit=1000) as guarded:
        bucket = guarded.accounts.new_connections.bucket("127.0.0.3")
        assert bucket.take(NEW_CONNECTIONS.value)
        reader, writer = await guarded.connect(request(), "127.0.0.3")
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
        assert await guarded.status_line(request("connection: close")) == b"HTTP/1.1 200 OK"
        assert guarded.accounts.shed_log.counts == {"new_connections": 1}
