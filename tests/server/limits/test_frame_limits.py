"""Guests who send too much harm only themselves, and malformed input fills no log."""

import asyncio
from uuid import UUID, uuid4

import pytest

from notahat.live.limits import FRAMES_PER_SECOND, MAX_FRAMES, MAX_STRIKES
from notahat.server.limits.accounts import Accounts
from notahat.server.node import Node
from notahat.server.sockets.connection import ConnectionOptions, GuestConnection
from support.raw_http import exchange_raw
from support.raw_table import ManualClock, open_socket, open_table
from support.server_process import ServerProcess
from support.timeouts import until

BEAT = b'{"do": "beat"}'


class RecordingConnection(GuestConnection):
    """A connection that records what it would send, and how it is closed."""

    def __init__(self, node: Node, table: UUID, accounts: Accounts) -> None:
        self.guest, address = uuid4(), "192.0.2.1"
        super().__init__(
            node,
            table,
            self.guest,
            accounts=accounts,
            address=address,
            gate=accounts.frame_gate(self.guest, address),
            options=ConnectionOptions(),
            token_hash=b"",
        )
        self.sent: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.on_open()

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self, code: int, reason: str = "") -> None:
        self.closed = (code, reason)


@pytest.mark.anyio
async def test_flood_of_one_guest_closes_only_that_guest(node: Node) -> None:
    _, table = await node.open_table(uuid4(), {})
    assert await node.room(table) is not None
    clock = ManualClock()
    accounts = Accounts(100, clock=clock)
    flood, calm = (RecordingConnection(node, table, accounts) for _ in range(2))
    for _ in range(MAX_FRAMES + 1):
        flood.on_message(BEAT)
    assert flood.sent.count(b'{"beat":true}') == MAX_FRAMES
    assert b'"too_fast"' in flood.sent[-1]
    calm.on_message(b'{"id": "calm", "do": "sit", "name": "Ben"}')
    await until(lambda: any(b'"ack":"calm"' in message for message in calm.sent))
    for _ in range(MAX_STRIKES):
        flood.allows_frame()
    assert (flood.closed, calm.closed) == ((1008, "too_fast"), None), "frames of any kind count"
    assert accounts.shed_log.counts == {"frames": 1}
    again = accounts.frame_gate(flood.guest, "192.0.2.1")
    clock.now += 0.9 * MAX_STRIKES / FRAMES_PER_SECOND
    assert not again.allows(), "another connection does not help"
    clock.now += 0.2 * MAX_STRIKES / FRAMES_PER_SECOND
    assert again.allows()


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
