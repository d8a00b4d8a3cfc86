"""Guests who send too much harm only themselves, and malformed input fills no log."""

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest

from notahat.live.frame_gate import MAX_FRAMES, MAX_STRIKES
from notahat.server.limits.connection_quota import ConnectionQuota, Slot
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.sockets.connection import ConnectionOptions, FrameLimits, GuestConnection
from notahat.store import open_store
from support.raw_http import exchange_raw
from support.raw_table import ManualClock, open_socket, open_table
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

BEAT = b'{"do": "beat"}'


class RecordingConnection(GuestConnection):
    """A connection that records what it would send, and how it is closed."""

    def __init__(self, node: Node, table: object, limits: FrameLimits) -> None:
        guest = uuid4()
        strikes, slot = limits.strike_counter(guest, "192.0.2.1"), Slot(ConnectionQuota(100), "192.0.2.1")
        super().__init__(node, table, guest, strikes, ConnectionOptions(), slot, b"")  # type: ignore[arg-type]
        self.sent: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.on_open()

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self, code: int, reason: str = "") -> None:
        self.closed = (code, reason)


@pytest.mark.anyio
async def test_flood_of_one_guest_closes_only_that_guest(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    node = Node(Settings(), store)
    _, table = await node.open_table(uuid4(), {})
    assert await node.room(table) is not None
    limits = FrameLimits(1.0, ManualClock())
    flood, calm = (RecordingConnection(node, table, limits) for _ in range(2))
    for _ in range(MAX_FRAMES + 1):
        flood.on_message(BEAT)
    assert flood.sent.count(b'{"beat":true}') == MAX_FRAMES
    assert b'"too_fast"' in flood.sent[-1]
    calm.on_message(b'{"id": "calm", "do": "sit", "name": "Ben"}')
    async with asyncio.timeout(TIMEOUT):
        while not any(b'"ack":"calm"' in message for message in calm.sent):
            await asyncio.sleep(0.001)
    for _ in range(MAX_STRIKES):
        flood.allows_ping()
    assert (flood.closed, calm.closed) == ((1008, "too_fast"), None), "pings count like frames"
    await node.close()
    await store.close()


def test_malformed_input_is_not_logged(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    before = len(server.log)
    for frame in (
        b"\x81\x04bare",
        b"\xf1\x80\0\0\0\0",
        b"\x83\x80\0\0\0\0",
        b"\x09\x80\0\0\0\0",
        b"\x81\xff" + b"\xff" * 12,
    ):
        with open_socket(server, client, code) as socket_:
            socket_.send_raw(frame)
            socket_.closed_with()
    for request in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        b"GET /api/tables/AAAA/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    ):
        assert b" 400 " in exchange_raw(server.url, request)
    assert '"level":"' not in server.log[before:].replace('"level":"info"', ""), server.log
