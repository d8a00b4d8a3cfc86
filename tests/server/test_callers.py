"""Who says too much, too slowly or nothing at all harms nobody else."""

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

from notahat.server.limits.connection_quota import Crowd, room_for_connections
from notahat.server.limits.http_guard import LARGEST_HEAD, MOST_HEADERS, Callers, reception
from support.timeouts import PATIENCE

pytestmark = pytest.mark.anyio

QUICK = 0.3
LARGE = 40 * 1024 * 1024


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


class Reception:
    """A server whose callers are minded, and people who call."""

    def __init__(self) -> None:
        self.port = 0

    @asynccontextmanager
    async def open(self, most: int = 100, seconds: float = PATIENCE) -> AsyncIterator["Reception"]:
        async def page(request: Request) -> Response:
            return PlainTextResponse(f"read {len(await request.body())}")

        async def large(_: Request) -> Response:
            return Response(b"x" * LARGE)

        self.callers = Callers(most, seconds, seconds)
        app = Starlette(routes=[Route("/large", large), Route("/{rest:path}", page, methods=["GET", "POST"])])
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, http=reception(self.callers), log_level="critical"))
        running = asyncio.create_task(server._serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield self
        finally:
            server.should_exit = True
            server.force_exit = True
            await asyncio.wait_for(running, PATIENCE)

    async def call(self, said: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(said)
        return reader, writer

    async def says(self, said: bytes = b"") -> bytes:
        """All that a caller is told until the line is dead."""
        reader, writer = await self.call(said)
        told = b""
        async with asyncio.timeout(PATIENCE):
            try:
                while data := await reader.read(65536):
                    told += data
            except ConnectionResetError:
                pass
        writer.close()
        return told.partition(b"\r\n")[0]


def request(*headers: str, method: str = "GET", path: str = "/") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "host: here", *headers, "", ""]).encode()


@pytest.mark.parametrize(
    "head",
    [
        request(f"x: {'y' * LARGEST_HEAD}"),
        request(*(f"x{n}: {'y' * 1000}" for n in range(LARGEST_HEAD // 1000 + 1))),
        request(*(f"x{n}: y" for n in range(MOST_HEADERS + 1))),
        request(path="/" + "x" * LARGEST_HEAD),
        b"GET / HTTP/1.1\r\nx: " + b"y" * 10 * LARGEST_HEAD,
        b"GET / HTTP/1.1\r\nx" + b"y" * 10 * LARGEST_HEAD,
    ],
)
async def test_headers_without_end_are_not_read_to_the_end(head: bytes) -> None:
    async with Reception().open() as house:
        assert await house.says(head) == b"HTTP/1.1 431 Request Header Fields Too Large"


async def test_whoever_asks_as_browsers_do_is_answered() -> None:
    async with Reception().open() as house:
        usual = request("cookie: notahat=" + "x" * 4000, *(f"x{n}: y" for n in range(40)), "connection: close")
        assert await house.says(usual) == b"HTTP/1.1 200 OK"
        posted = request("content-length: 100000", "connection: close", method="POST") + b"x" * 100_000
        assert await house.says(posted) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"", b"HTTP/1.1 408 Request Timeout"),
        (b"GET / HT", b"HTTP/1.1 408 Request Timeout"),
        (b"GET / HTTP/1.1\r\nhost: here\r\nx: y", b"HTTP/1.1 408 Request Timeout"),
        (request("upgrade: websocket", "connection: upgrade")[:-2], b"HTTP/1.1 408 Request Timeout"),
        (request("content-length: 100", method="POST") + b"half", b"HTTP/1.1 408 Request Timeout"),
    ],
)
async def test_silence_half_a_head_and_half_a_body_end_in_time(said: bytes, told: bytes) -> None:
    async with Reception().open(seconds=QUICK) as house:
        assert await house.says(said) == told
        assert len(house.callers) == 0


async def test_whoever_does_not_read_a_page_is_let_go() -> None:
    async with Reception().open(seconds=QUICK) as house:
        reader, writer = await house.call(request(path="/large"))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(PATIENCE):
            while len(house.callers) == 0:
                await asyncio.sleep(0.01)
            while len(house.callers):
                await asyncio.sleep(0.01)
        writer.close()
        assert reader is not None


async def test_a_thousand_silent_callers_shut_nobody_out() -> None:
    async with Reception().open(most=50) as house:
        silent = [await house.call(b"GET / HT") for _ in range(300)]
        for _ in range(5):
            assert await house.says(request("connection: close")) == b"HTTP/1.1 200 OK"
        assert len(house.callers) <= 50
        for _, writer in silent:
            writer.close()


def test_a_share_of_the_room_is_kept_for_people_at_their_own_table() -> None:
    crowd = Crowd(1000)
    places = [crowd.place(f"192.0.2.{n}") for n in range(500)]
    for place in places:
        place.take()
    assert not crowd.has_room("198.51.100.1", at_home=False)
    assert crowd.has_room("198.51.100.1", at_home=True)
    places[0].leave()
    places[0].leave()
    assert crowd.has_room("198.51.100.1", at_home=False)


def test_where_there_is_much_room_most_of_it_is_for_whoever_comes() -> None:
    crowd = Crowd(20_000)
    for n in range(15_000):
        crowd.place(f"2001:db8::{n % 5000:x}").take()
    assert crowd.has_room("198.51.100.1", at_home=False)
    assert crowd.callers == 2048


def test_one_address_cannot_take_all_the_room() -> None:
    crowd = Crowd(1000)
    for _ in range(500):
        crowd.place("192.0.2.1").take()
    assert not crowd.has_room("192.0.2.1", at_home=True)
    assert crowd.has_room("192.0.2.2", at_home=True)


def test_the_system_is_asked_for_all_the_room_it_gives() -> None:
    assert room_for_connections() >= 64
