"""Clients that send too much or read too little do not harm others."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from notahat.clients.python import Client
from support.raw_http import PING, TEXT, RawSocket, exchange_raw
from support.raw_table import open_socket, open_table
from support.server_process import ServerProcess, running_server
from support.timeouts import TIMEOUT


def test_flood_of_one_guest_slows_only_that_guest(tmp_path: Path) -> None:
    with running_server(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(open_table(server.url))
        other = asyncio.run(Client(server.url).__aenter__())
        with open_socket(server, client, code) as flood, open_socket(server, other, code) as calm:
            calm.message()
            began = time.monotonic()
            for n in range(200):
                flood.send(b'{"id": "f%d", "do": "emote", "emote": "wow", "seat": 0}' % n)
            calm.send(b'{"id": "calm", "do": "sit", "name": "Ben"}')
            answer = calm.message()
            while "ack" not in answer and "no" not in answer:
                answer = calm.message()
            assert answer.get("ack") == "calm", "the other guest is not limited"
            reasons = [flood.message().get("reason") for _ in range(202)]
            seconds = time.monotonic() - began
        accepted = 200 - reasons.count("too_fast")
        assert 30 <= accepted <= 61 + 15 * seconds  # some of these exceed the limit on pending commands
        assert reasons.count("not_seated") >= 30


def test_continued_flood_closes_with_1008(tmp_path: Path) -> None:
    with running_server(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(open_table(server.url))
        with open_socket(server, client, code) as flood:
            assert flood_until_closed(flood, b'{"do": "beat"}') == (1008, "too_fast")


def flood_until_closed(socket_: RawSocket, payload: bytes, kind: int = TEXT) -> tuple[int, str]:
    """Send until the server closes, on machines of any speed; return the close code and reason."""
    with ThreadPoolExecutor(1) as reading:
        closed = reading.submit(socket_.closed_with)
        with suppress(OSError):
            while not closed.done():
                socket_.send(payload, kind)
        return closed.result()


def test_pings_count_like_frames(tmp_path: Path) -> None:
    with running_server(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(open_table(server.url))
        with open_socket(server, client, code) as flood:
            assert flood_until_closed(flood, b"still there?", PING) == (1008, "too_fast")


def test_closed_connection_is_not_read(tmp_path: Path) -> None:
    with running_server(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(open_table(server.url))
        other = asyncio.run(Client(server.url).__aenter__())
        with open_socket(server, client, code) as flood, open_socket(server, other, code) as calm:
            assert flood_until_closed(flood, b'{"do": "beat"}') == (1008, "too_fast")
            with suppress(OSError):  # the connection may be closed by now
                flood.send(b'{"id": "late", "do": "sit", "name": "Late"}')
            calm.send(b'{"id": "calm", "do": "sit", "name": "Ben"}')
            state = calm.message()
            while state.get("ack") != "calm":
                state = calm.message()
            assert [chair["name"] for chair in state["view"]["seats"]] == ["Ben"]


def test_client_that_never_reads_is_dropped(server: ServerProcess) -> None:
    async def rename_until_dropped(code: str, host: Client) -> int:
        async with host.table(code) as ada:
            for name in "ABCDEFGH":
                await ada.do("sit", name=name * 20)
            for n in range(6000):
                state = await ada.do("rename", name=f"{n:020}", seat=n % 8)
                if state.view.watching == 0:
                    return n
        raise AssertionError("the client was never dropped")

    host, code = asyncio.run(open_table(server.url))
    client = asyncio.run(Client(server.url).__aenter__())
    with open_socket(server, client, code, receive_buffer=2048):
        sent = asyncio.run(asyncio.wait_for(rename_until_dropped(code, host), TIMEOUT))
    assert 10 < sent < 1500, "neither the server nor the kernel buffers megabytes"


def test_malformed_input_is_not_logged_as_error(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        client, code = asyncio.run(open_table(server.url))
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
        ):
            assert b" 400 " in exchange_raw(server.url, request)
        bad = exchange_raw(
            server.url,
            b"GET /api/tables/AAAA/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        )
        assert b" 400 " in bad
    assert '"level":"warning"' not in server.log, server.log
