"""Whoever sends too much or reads too little harms nobody else."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from notahat.clients.python import Client
from support.raw_http import PING, TEXT, RawSocket, said_plainly
from support.server_process import Served, served
from support.timeouts import PATIENCE


async def opened(url: str, **options: object) -> tuple[Client, str]:
    client = await Client(url).__aenter__()
    return client, await client.open_table(**options)


def raw(server: Served, client: Client, code: str) -> RawSocket:
    return RawSocket(server.url, f"/api/tables/{code}/socket", authorization=f"Bearer {client.token}")


def test_a_flood_from_one_guest_slows_only_that_guest(tmp_path: Path) -> None:
    with served(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(opened(server.url))
        other = asyncio.run(Client(server.url).__aenter__())
        with raw(server, client, code) as flood, raw(server, other, code) as calm:
            calm.message()
            began = time.monotonic()
            for n in range(200):
                flood.send(b'{"id": "f%d", "do": "emote", "emote": "wow", "seat": 0}' % n)
            calm.send(b'{"id": "calm", "do": "sit", "name": "Ben"}')
            answer = calm.message()
            while "ack" not in answer and "no" not in answer:
                answer = calm.message()
            assert answer.get("ack") == "calm", "who sends little is never too fast"
            reasons = [flood.message().get("reason") for _ in range(202)]
            seconds = time.monotonic() - began
        heard = 200 - reasons.count("too_fast")
        assert 30 <= heard <= 61 + 15 * seconds  # some of those wait in line for too long
        assert reasons.count("not_seated") >= 30


def test_whoever_goes_on_flooding_is_shown_the_door(tmp_path: Path) -> None:
    with served(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(opened(server.url))
        with raw(server, client, code) as flood:
            assert flooded(flood, b'{"do": "beat"}') == (1008, "too_fast")


def flooded(line: RawSocket, payload: bytes, kind: int = TEXT) -> tuple[int, str]:
    """How somebody is shown the door who goes on, however slow the machine is: beside them, answers are read."""
    with ThreadPoolExecutor(1) as reading:
        closed = reading.submit(line.closed_with)
        with suppress(OSError):
            while not closed.done():
                line.send(payload, kind)
        return closed.result()


def test_pings_count_like_frames(tmp_path: Path) -> None:
    with served(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(opened(server.url))
        with raw(server, client, code) as flood:
            assert flooded(flood, b"still there?", PING) == (1008, "too_fast")


def test_whoever_was_shown_the_door_is_not_listened_to(tmp_path: Path) -> None:
    with served(tmp_path, pace=1.0) as server:
        client, code = asyncio.run(opened(server.url))
        other = asyncio.run(Client(server.url).__aenter__())
        with raw(server, client, code) as flood, raw(server, other, code) as calm:
            assert flooded(flood, b'{"do": "beat"}') == (1008, "too_fast")
            with suppress(OSError):  # the line may be dead by now
                flood.send(b'{"id": "late", "do": "sit", "name": "Late"}')
            calm.send(b'{"id": "calm", "do": "sit", "name": "Ben"}')
            state = calm.message()
            while state.get("ack") != "calm":
                state = calm.message()
            assert [chair["name"] for chair in state["view"]["seats"]] == ["Ben"]  # type: ignore[index]


def test_a_client_that_never_reads_is_dropped(server: Served) -> None:
    async def story(code: str, host: Client) -> int:
        async with host.table(code) as ada:
            for name in "ABCDEFGH":
                await ada.do("sit", name=name * 20)
            for n in range(6000):
                state = await ada.do("rename", name=f"{n:020}", seat=n % 8)
                if state.view.watching == 0:
                    return n
        raise AssertionError("they were never dropped")

    host, code = asyncio.run(opened(server.url))
    client = asyncio.run(Client(server.url).__aenter__())
    with raw_with_small_buffer(server, client, code):
        sent = asyncio.run(asyncio.wait_for(story(code, host), PATIENCE))
    assert 10 < sent < 1500, "neither we nor the system keep megabytes for them"


def raw_with_small_buffer(server: Served, client: Client, code: str) -> RawSocket:
    token = f"Bearer {client.token}"
    return RawSocket(server.url, f"/api/tables/{code}/socket", 2048, authorization=token)


def test_what_strangers_say_wrong_is_no_error_of_ours(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        client, code = asyncio.run(opened(server.url))
        token = f"Bearer {client.token}"
        for frame in (
            b"\x81\x04bare",
            b"\xf1\x80\0\0\0\0",
            b"\x83\x80\0\0\0\0",
            b"\x09\x80\0\0\0\0",
            b"\x81\xff" + b"\xff" * 12,
        ):
            with RawSocket(server.url, f"/api/tables/{code}/socket", authorization=token) as line:
                line.send_raw(frame)
                line.closed_with()
        for said in (
            b"\x16\x03\x01\x02\x00",
            b"GET\r\n\r\n",
            b"GET / HTTP/9\r\n\r\n",
            b"POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        ):
            assert b" 400 " in said_plainly(server.url, said)
        bad = said_plainly(
            server.url,
            b"GET /api/tables/AAAA/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        )
        assert b" 401 " in bad
    assert '"level":"warning"' not in server.log, server.log
