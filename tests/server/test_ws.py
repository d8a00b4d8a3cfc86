"""The door between uvicorn and picows, tried with real sockets and frames made by hand."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from notahat.server.sockets.upgrade import (
    LARGEST_MESSAGE,
    MOST_UNREAD,
    QUIET_SECONDS,
    Connection,
    TurnedAway,
    Visit,
    door,
)
from support.timeouts import PATIENCE

pytestmark = pytest.mark.anyio

KEY, ACCEPT = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


class Echo(Connection):
    """Says hello, then repeats what it hears."""

    def __init__(self, house: "House") -> None:
        super().__init__()
        self.house = house

    def opened(self) -> None:
        self.house.here.append(self)
        self.send(b"hello")

    def received(self, message: bytes) -> None:
        if message == b"break":
            raise RuntimeError("as asked")
        self.send(message)

    def gone(self) -> None:
        self.house.gone += 1


class House:
    """A server with a door, and what happened at it."""

    def __init__(self) -> None:
        self.visits: list[Visit] = []
        self.here: list[Echo] = []
        self.callers: list[Caller] = []
        self.gone = 0
        self.port = 0
        self.answer: Callable[[Visit], Awaitable[Connection | TurnedAway]] = self.welcome

    async def welcome(self, _: Visit) -> Connection | TurnedAway:
        return Echo(self)

    async def greet(self, visit: Visit) -> Connection | TurnedAway:
        self.visits.append(visit)
        return await self.answer(visit)

    @asynccontextmanager
    async def open(self, quiet_seconds: float = QUIET_SECONDS) -> AsyncIterator[uvicorn.Server]:
        async def page(request: Request) -> PlainTextResponse:
            return PlainTextResponse(f"page {request.path_params['name']}")

        app = Starlette(routes=[Route("/{name}", page)])
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        config = uvicorn.Config(app, http="httptools", ws=door(self.greet, quiet_seconds), log_level="critical")
        server = uvicorn.Server(config)
        running = asyncio.create_task(server._serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield server
        finally:
            for caller in self.callers:
                caller.hang_up()
            server.should_exit = True
            await asyncio.wait_for(running, PATIENCE)

    async def call(self) -> "Caller":
        self.callers.append(Caller(*await asyncio.open_connection("127.0.0.1", self.port)))
        return self.callers[-1]

    async def knock(self, path: str = "/table", method: str = "GET", **headers: str) -> "Caller":
        """Ask for an upgrade; headers with an empty value are left out."""
        said = {"host": "here", "connection": "Upgrade", "upgrade": "websocket"}
        said |= {"sec_websocket_key": KEY, "sec_websocket_version": "13"} | headers
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in said.items() if value]
        caller = await self.call()
        caller.writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode())
        return caller

    async def enter(self, path: str = "/table", **headers: str) -> "Caller":
        caller = await self.knock(path, **headers)
        status, _, _ = await caller.response()
        assert status == 101
        assert await caller.frame() == (TEXT, b"hello")
        return caller


class Caller:
    """The other end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        first, *lines = (await self._soon(self.reader.readuntil(b"\r\n\r\n"))).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await self._soon(self.reader.readexactly(int(headers.get("content-length", 0))))
        return int(first.split()[1]), headers, body

    async def frame(self) -> tuple[int, bytes]:
        first, size = await self._soon(self.reader.readexactly(2))
        assert first & 0x80
        assert size < 127
        if size == 126:
            size = int.from_bytes(await self._soon(self.reader.readexactly(2)))
        return first & 0x7F, await self._soon(self.reader.readexactly(size))

    async def farewell(self, polite: bool = True) -> int:
        """The code with which the server closes. Who is polite answers, and need not wait for the end."""
        kind, payload = await self.frame()
        assert kind == CLOSE
        if polite:
            self.send(CLOSE, payload[:2])
        return int.from_bytes(payload[:2])

    async def hung_up(self) -> bool:
        try:
            return await self._soon(self.reader.read(1)) == b""
        except ConnectionResetError:
            return True

    def send(self, kind: int, payload: bytes = b"", fin: bool = True, mask: bool = True, rsv: int = 0) -> None:
        masked = 0x80 if mask else 0
        size = len(payload)
        length = bytes([masked | size]) if size < 126 else bytes([masked | 126]) + size.to_bytes(2)
        # a mask of zeros leaves the payload as it is
        self.writer.write(bytes([(0x80 if fin else 0) | rsv | kind]) + length + (bytes(4) if mask else b"") + payload)

    async def say(self, text: bytes) -> bytes:
        self.send(TEXT, text)
        kind, payload = await self.frame()
        assert kind == TEXT
        return payload

    def hang_up(self) -> None:
        self.writer.transport.abort()

    async def _soon(self, what: Awaitable[bytes]) -> bytes:
        return await asyncio.wait_for(what, PATIENCE)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


@pytest.fixture
async def house(anyio_backend: object) -> AsyncIterator[House]:
    house = House()
    async with house.open():
        yield house


async def test_a_welcome_visitor_is_let_in_and_heard(house: House) -> None:
    caller = await house.knock()
    status, headers, _ = await caller.response()
    assert (status, headers["sec-websocket-accept"]) == (101, ACCEPT)
    assert await caller.frame() == (TEXT, b"hello")
    for text in (b"one", b"", "zwölf".encode(), b"x" * LARGEST_MESSAGE):
        assert await caller.say(text) == text
    caller.hang_up()
    await until(lambda: house.gone == 1)


@pytest.mark.parametrize("connection", ["Upgrade", "upgrade", "keep-alive, Upgrade"])
async def test_every_browsers_way_of_asking_is_understood(house: House, connection: str) -> None:
    caller = await house.enter(connection=connection)
    assert await caller.say(b"one") == b"one"


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"sec_websocket_key": ""}),
        ("GET", {"sec_websocket_key": "c2hvcnQ="}),
        ("GET", {"sec_websocket_key": "x" * 5000}),
        ("GET", {"sec_websocket_version": ""}),
        ("GET", {"sec_websocket_version": "12"}),
        ("POST", {}),
    ],
)
async def test_a_bad_handshake_is_a_bad_request(house: House, method: str, headers: dict[str, str]) -> None:
    caller = await house.knock(method=method, **headers)
    status, _, _ = await caller.response()
    assert status == 400
    assert await caller.hung_up()
    assert house.here == []


async def test_the_greeter_sees_who_asks_for_what(house: House) -> None:
    await house.enter("/api/tables/K7QX/socket?a=b", origin="http://here", cookie="guest=1; other=2")
    (visit,) = house.visits
    assert (visit.path, visit.query, visit.address) == ("/api/tables/K7QX/socket", "a=b", "127.0.0.1")
    assert visit.headers["origin"] == "http://here"
    assert visit.headers["cookie"] == "guest=1; other=2"


async def test_a_header_said_twice_is_no_trick(house: House) -> None:
    caller = await house.call()
    caller.writer.write(
        b"GET / HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nOrigin: http://evil\r\nConnection: Upgrade\r\n"
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY.encode() + b"\r\n\r\n"
    )
    await caller.response()
    assert house.visits[0].headers["origin"] == "http://here, http://evil"


@pytest.mark.parametrize(("status", "reason"), [(403, "wrong_origin"), (404, "no_such_table"), (429, "too_many_tries")])
async def test_a_refusal_is_an_http_answer_with_a_reason(house: House, status: int, reason: str) -> None:
    async def refuse(visit: Visit) -> TurnedAway:
        return TurnedAway(status, reason)

    house.answer = refuse
    caller = await house.knock()
    said, headers, body = await caller.response()
    assert (said, headers["content-type"], json.loads(body)) == (status, "application/json", {"reason": reason})
    assert await caller.hung_up()


async def test_a_greeter_who_fails_is_an_internal_error_and_the_house_stands(house: House) -> None:
    async def stumble(visit: Visit) -> TurnedAway:
        raise RuntimeError("stumbled")

    house.answer = stumble
    status, _, body = await (await house.knock()).response()
    assert (status, json.loads(body)) == (500, {"reason": "internal"})
    house.answer = house.welcome
    await house.enter()


async def test_what_comes_during_the_greeting_is_heard_after_it(house: House) -> None:
    slow = asyncio.Event()

    async def think(visit: Visit) -> Connection:
        await slow.wait()
        return Echo(house)

    house.answer = think
    caller = await house.knock()
    await until(lambda: len(house.visits) == 1)
    caller.send(TEXT, b"early")
    await asyncio.sleep(0.05)
    slow.set()
    await caller.response()
    assert await caller.frame() == (TEXT, b"hello")
    assert await caller.frame() == (TEXT, b"early")


async def test_a_message_in_parts_is_one_message(house: House) -> None:
    caller = await house.enter()
    caller.send(TEXT, b"one ", fin=False)
    caller.send(PING, b"in between")
    caller.send(CONTINUATION, b"and ", fin=False)
    caller.send(CONTINUATION, b"two")
    assert await caller.frame() == (PONG, b"in between")
    assert await caller.frame() == (TEXT, b"one and two")


async def test_a_frame_over_the_limit_closes_with_1009(house: House) -> None:
    caller = await house.enter()
    caller.send(TEXT, b"x" * (LARGEST_MESSAGE + 1))
    assert await caller.farewell() == 1009
    assert await caller.hung_up()


async def test_parts_that_add_up_over_the_limit_close_with_1009(house: House) -> None:
    caller = await house.enter()
    caller.send(TEXT, b"x" * LARGEST_MESSAGE, fin=False)
    caller.send(CONTINUATION, b"x")
    assert await caller.farewell() == 1009
    assert await caller.hung_up()


async def test_binary_messages_are_not_spoken_here(house: House) -> None:
    caller = await house.enter()
    caller.send(BINARY, b"\x00")
    assert await caller.farewell() == 1003
    assert await caller.hung_up()


@pytest.mark.parametrize(
    "frame",
    [
        {"kind": TEXT, "payload": b"bare", "mask": False},
        {"kind": TEXT, "payload": b"reserved", "rsv": 0x40},
        {"kind": CONTINUATION, "payload": b"of nothing"},
        {"kind": 0x3, "payload": b"unknown"},
        {"kind": PING, "payload": b"torn", "fin": False},
    ],
)
async def test_a_broken_frame_closes_with_1002(house: House, frame: dict[str, int]) -> None:
    caller = await house.enter()
    caller.send(**frame)  # type: ignore[arg-type]
    assert await caller.farewell() == 1002
    assert await caller.hung_up()


async def test_a_ping_is_answered_with_its_own_words(house: House) -> None:
    caller = await house.enter()
    caller.send(PING, b"are you there")
    assert await caller.frame() == (PONG, b"are you there")


async def test_a_goodbye_is_answered_with_1000(house: House) -> None:
    caller = await house.enter()
    caller.send(CLOSE, (1000).to_bytes(2))
    assert await caller.farewell(polite=False) == 1000
    assert await caller.hung_up()
    await until(lambda: house.gone == 1)


async def test_the_house_can_close_with_a_code_of_its_own(house: House) -> None:
    caller = await house.enter()
    house.here[0].close(4001, "removed")
    assert await caller.frame() == (CLOSE, (4001).to_bytes(2) + b"removed")
    caller.send(CLOSE, (4001).to_bytes(2))
    assert await caller.hung_up()
    house.here[0].send(b"to nobody")


async def test_an_error_in_the_house_closes_with_1011_and_the_others_stay(house: House) -> None:
    caller, other = await house.enter(), await house.enter()
    caller.send(TEXT, b"break")
    assert await caller.farewell() == 1011
    assert await other.say(b"still here") == b"still here"


async def test_when_the_server_stops_everyone_is_told_to_come_back(anyio_backend: object) -> None:
    house = House()
    async with house.open() as server:
        callers = [await house.enter() for _ in range(3)]
        server.should_exit = True
        assert [await caller.farewell(polite=caller is callers[0]) for caller in callers] == [1012, 1012, 1012]
        assert all([await caller.hung_up() for caller in callers])  # even on those who do not answer
    assert house.gone == 3


async def test_a_stop_during_a_greeting_does_not_wait_for_it(anyio_backend: object) -> None:
    house = House()
    forgotten = asyncio.Event()

    async def think(visit: Visit) -> TurnedAway:
        await asyncio.sleep(0.2)
        forgotten.set()
        return TurnedAway(403, "late")

    house.answer = think
    async with house.open() as server:
        caller = await house.knock()
        await until(lambda: len(house.visits) == 1)
        server.should_exit = True
        assert await caller.hung_up()
    assert forgotten.is_set()


async def test_a_caller_who_never_reads_is_seen_and_dropped(house: House) -> None:
    caller, other = await house.enter(), await house.enter()
    caller.writer.transport.pause_reading()  # type: ignore[attr-defined]
    lazy = house.here[0]
    most = 0
    async with asyncio.timeout(PATIENCE):
        while lazy.transport is not None:
            lazy.send(b"x" * 8000)
            most = max(most, lazy.unread)
            await asyncio.sleep(0)
    assert MOST_UNREAD < most < MOST_UNREAD + 10_000
    assert house.gone == 1
    assert await other.say(b"still here") == b"still here"


async def test_who_is_silent_is_pinged_and_dropped_if_silent_still(house: House) -> None:
    caller = await house.enter()
    (here,), now = house.here, monotonic()
    here.mind_silence(now, 60.0)
    here.mind_silence(now + 61, 60.0)
    assert await caller.frame() == (PING, b"")
    caller.send(PONG)
    assert await caller.say(b"one") == b"one"
    now = monotonic()
    here.mind_silence(now + 59, 60.0)
    here.mind_silence(now + 61, 60.0)
    assert await caller.frame() == (PING, b"")
    here.mind_silence(now + 120, 60.0)
    here.mind_silence(now + 122, 60.0)
    assert await caller.farewell() == 1001
    assert await caller.hung_up()
    await until(lambda: house.gone == 1)


async def test_silence_is_minded_all_the_time(anyio_backend: object) -> None:
    house = House()
    async with house.open(quiet_seconds=0.05):
        caller = await house.enter()
        assert await caller.frame() == (PING, b"")
        assert await caller.farewell() == 1001


async def test_plain_http_works_on_the_same_port_and_keeps_the_connection(house: House) -> None:
    socket_caller = await house.enter()
    caller = await house.call()
    for name in ("one", "two"):
        caller.writer.write(f"GET /{name} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        status, _, body = await caller.response()
        assert (status, body) == (200, f"page {name}".encode())
    assert await socket_caller.say(b"and a socket") == b"and a socket"


async def test_a_connection_that_asked_for_a_page_can_be_upgraded_later(house: House) -> None:
    caller = await house.call()
    caller.writer.write(b"GET /one HTTP/1.1\r\nHost: here\r\n\r\n")
    assert (await caller.response())[0] == 200
    caller.writer.write(
        b"GET /table HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY.encode() + b"\r\n\r\n"
    )
    assert (await caller.response())[0] == 101
    assert await caller.frame() == (TEXT, b"hello")
