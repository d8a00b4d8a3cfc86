"""The handover from uvicorn to picows, with real sockets and hand-made frames."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

import pytest
import uvicorn
from picows import WSFrame, WSTransport
from picows.picows import WSProtocol  # type: ignore[attr-defined]
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from notahat.server.limits.budget import (
    FRAMES_AFTER_CLOSE,
    IDLE_SECONDS,
    KERNEL_BYTES,
    MESSAGE_BYTES,
    SOCKET_READ_BYTES,
    UNSENT_BYTES,
)
from notahat.server.sockets.upgrade import Connection, UpgradeRefusal, UpgradeRequest, upgrade_protocol
from support.asgi_server import serving
from support.timeouts import TIMEOUT, until

pytestmark = pytest.mark.anyio

KEY, ACCEPT = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
LONGEST = b"x" * MESSAGE_BYTES.value


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


class Echo(Connection):
    """Sends `hello`, then repeats every message."""

    def __init__(self, endpoint: "Endpoint") -> None:
        super().__init__()
        self.endpoint = endpoint
        self.frames = 0

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.frames += 1
        super().on_ws_frame(transport, frame)

    def on_open(self) -> None:
        self.endpoint.connections.append(self)
        self.send(b"hello")

    def on_message(self, message: bytes) -> None:
        if message == b"break":
            raise RuntimeError("as asked")
        self.send(message)

    def on_close(self) -> None:
        self.endpoint.closed += 1


class Endpoint:
    """A server that accepts upgrades, and a record of what happened."""

    def __init__(self) -> None:
        self.requests: list[UpgradeRequest] = []
        self.connections: list[Echo] = []
        self.clients: list[RawClient] = []
        self.closed = 0
        self.port = 0
        self.decide: Callable[[UpgradeRequest], Awaitable[Connection | UpgradeRefusal]] = self.accept

    async def accept(self, _: UpgradeRequest) -> Connection | UpgradeRefusal:
        return Echo(self)

    async def authorise(self, request: UpgradeRequest) -> Connection | UpgradeRefusal:
        self.requests.append(request)
        return await self.decide(request)

    @asynccontextmanager
    async def open(self, idle_seconds: float = IDLE_SECONDS.value) -> AsyncIterator[uvicorn.Server]:
        async def page(request: Request) -> PlainTextResponse:
            return PlainTextResponse(f"page {request.path_params['name']}")

        app = Starlette(routes=[Route("/{name}", page)])
        upgrade = upgrade_protocol(self.authorise, idle_seconds)
        async with serving(app, http="h11", ws=upgrade) as (server, self.port):
            try:
                yield server
            finally:
                for client in self.clients:
                    client.abort()

    async def connect(self) -> "RawClient":
        self.clients.append(RawClient(*await asyncio.open_connection("127.0.0.1", self.port)))
        return self.clients[-1]

    async def send_upgrade(self, path: str = "/table", method: str = "GET", **headers: str) -> "RawClient":
        """Request an upgrade; headers with an empty value are left out."""
        defaults = {"host": "here", "connection": "Upgrade", "upgrade": "websocket"}
        defaults |= {"sec_websocket_key": KEY, "sec_websocket_version": "13"}
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in (defaults | headers).items() if value]
        client = await self.connect()
        client.writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode())
        return client

    async def open_client(self, path: str = "/table", **headers: str) -> "RawClient":
        client = await self.send_upgrade(path, **headers)
        status, _, _ = await client.response()
        assert status == 101
        assert await client.frame() == (TEXT, b"hello")
        return client


class RawClient:
    """The client's end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        first, *lines = (await self._with_timeout(self.reader.readuntil(b"\r\n\r\n"))).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await self._with_timeout(self.reader.readexactly(int(headers.get("content-length", 0))))
        return int(first.split()[1]), headers, body

    async def frame(self) -> tuple[int, bytes]:
        first, size = await self._with_timeout(self.reader.readexactly(2))
        assert first & 0x80
        assert size < 127
        if size == 126:
            size = int.from_bytes(await self._with_timeout(self.reader.readexactly(2)))
        return first & 0x7F, await self._with_timeout(self.reader.readexactly(size))

    async def close_code(self, reply: bool = True) -> int:
        """Return the code with which the server closes; without a reply the server disconnects after a timeout."""
        kind, payload = await self.frame()
        assert kind == CLOSE
        if reply:
            self.send(CLOSE, payload[:2])
        return int.from_bytes(payload[:2])

    async def is_disconnected(self) -> bool:
        try:
            return await self._with_timeout(self.reader.read(1)) == b""
        except ConnectionResetError:
            return True

    def send(self, kind: int, payload: bytes = b"", fin: bool = True, mask: bool = True, rsv: int = 0) -> None:
        masked = 0x80 if mask else 0
        size = len(payload)
        length = bytes([masked | size]) if size < 126 else bytes([masked | 126]) + size.to_bytes(2)
        # a mask of zeros leaves the payload as it is
        self.writer.write(bytes([(0x80 if fin else 0) | rsv | kind]) + length + (bytes(4) if mask else b"") + payload)

    async def echo(self, text: bytes) -> bytes:
        self.send(TEXT, text)
        kind, payload = await self.frame()
        assert kind == TEXT
        return payload

    def abort(self) -> None:
        self.writer.transport.abort()

    async def _with_timeout(self, what: Awaitable[bytes]) -> bytes:
        return await asyncio.wait_for(what, TIMEOUT)


@pytest.fixture
async def endpoint(anyio_backend: object) -> AsyncIterator[Endpoint]:
    endpoint = Endpoint()
    async with endpoint.open():
        yield endpoint


async def test_authorised_connection_exchanges_messages(endpoint: Endpoint) -> None:
    client = await endpoint.send_upgrade()
    status, headers, _ = await client.response()
    assert (status, headers["sec-websocket-accept"]) == (101, ACCEPT)
    assert await client.frame() == (TEXT, b"hello")
    for text in (b"one", b"", "zwölf".encode(), LONGEST):
        assert await client.echo(text) == text
    client.abort()
    await until(lambda: endpoint.closed == 1)


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
async def test_bad_handshake_gets_400(endpoint: Endpoint, method: str, headers: dict[str, str]) -> None:
    client = await endpoint.send_upgrade(method=method, **headers)
    status, _, _ = await client.response()
    assert status == 400
    assert await client.is_disconnected()
    assert endpoint.connections == []


async def test_failing_authorisation_is_an_internal_error(endpoint: Endpoint) -> None:
    async def failing_authorise(request: UpgradeRequest) -> UpgradeRefusal:
        raise RuntimeError("stumbled")

    endpoint.decide = failing_authorise
    status, _, body = await (await endpoint.send_upgrade()).response()
    assert (status, json.loads(body)) == (500, {"reason": "internal"})
    endpoint.decide = endpoint.accept
    await endpoint.open_client()


async def test_frames_before_upgrade_are_delivered_after_it(endpoint: Endpoint) -> None:
    slow = asyncio.Event()

    async def slow_authorise(request: UpgradeRequest) -> Connection:
        await slow.wait()
        return Echo(endpoint)

    endpoint.decide = slow_authorise
    client = await endpoint.send_upgrade()
    await until(lambda: len(endpoint.requests) == 1)
    client.send(TEXT, b"early")
    await until(lambda: client.writer.transport.get_write_buffer_size() == 0)  # it waits in the server's socket
    slow.set()
    await client.response()
    assert await client.frame() == (TEXT, b"hello")
    assert await client.frame() == (TEXT, b"early")


async def test_fragmented_message_is_one_message(endpoint: Endpoint) -> None:
    client = await endpoint.open_client()
    client.send(TEXT, b"one ", fin=False)
    client.send(PING, b"in between")
    client.send(CONTINUATION, b"and ", fin=False)
    client.send(CONTINUATION, b"two")
    assert await client.frame() == (PONG, b"in between")
    assert await client.frame() == (TEXT, b"one and two")


@pytest.mark.parametrize(
    ("code", "frames"),
    [
        (1002, [{"kind": TEXT, "payload": b"bare", "mask": False}]),
        (1002, [{"kind": TEXT, "payload": b"reserved", "rsv": 0x40}]),
        (1002, [{"kind": CONTINUATION, "payload": b"of nothing"}]),
        (1002, [{"kind": 0x3, "payload": b"unknown"}]),
        (1002, [{"kind": PING, "payload": b"torn", "fin": False}]),
        (1003, [{"kind": BINARY, "payload": b"\x00"}]),
        (1009, [{"kind": TEXT, "payload": LONGEST + b"x"}]),
        (1009, [{"kind": TEXT, "payload": LONGEST, "fin": False}, {"kind": CONTINUATION, "payload": b"x"}]),
    ],
)
async def test_invalid_frame_closes_with_its_code(endpoint: Endpoint, code: int, frames: list[dict[str, int]]) -> None:
    client = await endpoint.open_client()
    for frame in frames:
        client.send(**frame)  # type: ignore[arg-type]
    assert await client.close_code() == code
    assert await client.is_disconnected()


async def test_close_frame_is_answered_with_1000(endpoint: Endpoint) -> None:
    client = await endpoint.open_client()
    client.send(CLOSE, (1000).to_bytes(2))
    assert await client.close_code(reply=False) == 1000
    assert await client.is_disconnected()
    await until(lambda: endpoint.closed == 1)


async def test_frames_after_close_are_not_parsed(endpoint: Endpoint) -> None:
    client = await endpoint.open_client()
    (connection,) = endpoint.connections
    connection.close(4001, "removed")
    with suppress(ConnectionError):
        for _ in range(FRAMES_AFTER_CLOSE.value):
            client.writer.write(bytes((0x80 | PING, 0x80, 0, 0, 0, 0)) * 4000)
            await client.writer.drain()
    assert await client.close_code(reply=False) == 4001, "the reason arrives"
    await until(lambda: endpoint.closed == 1)
    assert FRAMES_AFTER_CLOSE.value <= connection.frames < 1000, "what one read brings, not 64,000"


async def test_flooded_socket_is_read_in_small_parts(endpoint: Endpoint) -> None:
    client = await endpoint.open_client()
    client.writer.write(bytes((0x80 | PONG, 0x80, 0, 0, 0, 0)) * 200_000)
    assert await client.echo(b"and then") == b"and then"
    assert endpoint.connections[0].transport is not None
    protocol = endpoint.connections[0].transport.underlying_transport.get_protocol()
    assert len(WSProtocol.get_buffer(protocol, 0)) < 4 * SOCKET_READ_BYTES.value, "picows' buffer has not grown"


async def test_handler_error_closes_with_1011_and_spares_others(endpoint: Endpoint) -> None:
    client, other_client = await endpoint.open_client(), await endpoint.open_client()
    client.send(TEXT, b"break")
    assert await client.close_code() == 1011
    assert await other_client.echo(b"still here") == b"still here"


async def test_stopping_server_closes_with_1012(anyio_backend: object) -> None:
    endpoint = Endpoint()
    async with endpoint.open() as server:
        clients = [await endpoint.open_client() for _ in range(3)]
        server.should_exit = True
        assert [await client.close_code(reply=client is clients[0]) for client in clients] == [1012, 1012, 1012]
        assert all([await client.is_disconnected() for client in clients])  # also those that do not reply
    assert endpoint.closed == 3


async def test_connection_that_never_reads_is_dropped(endpoint: Endpoint) -> None:
    client, other_client = await endpoint.open_client(), await endpoint.open_client()
    client.writer.transport.pause_reading()  # type: ignore[attr-defined]
    slow_reader = endpoint.connections[0]
    transport = slow_reader.transport.underlying_transport  # type: ignore[union-attr]
    sending: socket.socket = transport.get_extra_info("socket")
    assert sending.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * KERNEL_BYTES.value
    largest = 0
    async with asyncio.timeout(TIMEOUT):
        while slow_reader.transport is not None:
            slow_reader.send(b"x" * 8000)
            largest = max(largest, slow_reader.write_buffer_size)
            await asyncio.sleep(0)
    assert UNSENT_BYTES.value < largest < UNSENT_BYTES.value + 10_000
    assert endpoint.closed == 1
    assert await other_client.echo(b"still here") == b"still here"


async def test_idle_client_is_pinged_then_closed(endpoint: Endpoint) -> None:
    client = await endpoint.open_client()
    (connection,), now = endpoint.connections, monotonic()
    connection.check_idle(now, 60.0)
    connection.check_idle(now + 61, 60.0)
    assert await client.frame() == (PING, b"")
    client.send(PONG)
    assert await client.echo(b"one") == b"one"
    now = monotonic()
    connection.check_idle(now + 59, 60.0)
    connection.check_idle(now + 61, 60.0)
    assert await client.frame() == (PING, b"")
    connection.check_idle(now + 120, 60.0)
    connection.check_idle(now + 122, 60.0)
    assert await client.close_code() == 1001
    assert await client.is_disconnected()
    await until(lambda: endpoint.closed == 1)


async def test_idle_check_runs_by_itself(anyio_backend: object) -> None:
    endpoint = Endpoint()
    async with endpoint.open(idle_seconds=0.05):
        client = await endpoint.open_client()
        assert await client.frame() == (PING, b"")
        assert await client.close_code() == 1001


async def test_repeated_header_is_joined(endpoint: Endpoint) -> None:
    client = await endpoint.connect()
    client.writer.write(
        b"GET / HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nOrigin: http://evil\r\nConnection: Upgrade\r\n"
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY.encode() + b"\r\n\r\n"
    )
    await client.response()
    assert endpoint.requests[0].headers["origin"] == "http://here, http://evil"
