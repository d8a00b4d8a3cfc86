"""Play at many tables while a hostile client attacks, and print what the players notice.

`python bench/attacks.py` plays at 500 tables beside 2,000 idle sockets, five minutes for each attack, on loopback only.
`--tables 20 --idle 100 --seconds 10` is a quick look; names of attacks choose some of them.
"""

import argparse
import asyncio
import subprocess
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

import msgspec

from load import Match, ours, progress
from machine import PLAYERS, ROOT, raise_limits

THINK_MS = 3000
ADDRESS = "127.9.0.1"  # all attacks come from one address, which no player has
IDLE_ADDRESSES = 100
SOCKETS_PER_GUEST = 12
FLOOD_SOCKETS, UNREAD_SOCKETS, SLOW_READERS = 96, 3120, 2300
SOCKETS_PER_TABLE = 120
PONGS = b"\x8a\x80\0\0\0\0" * 680
FRAGMENTS = b"\x00\x80\0\0\0\0" * 680
FIRST_FRAGMENT = b"\x01\x80\0\0\0\0"
PROBE_SECONDS = 0.02
LONGEST_WAIT = 10.0
RENAMES = [f'{{"id": "{n}", "do": "rename", "name": "{"ab"[n % 2]}"}}'.encode() for n in range(1000)]
HANDSHAKE = (
    "GET /api/tables/{code}/socket HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer {token}\r\n\r\n"
)

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Attacker:
    """One hostile client with a table of its own for every few guests."""

    def __init__(self, port: int, address: str = ADDRESS) -> None:
        self._port = port
        self._address = address

    async def connect(self, sent: bytes = b"", unread: bool = False) -> Stream:
        address = (self._address, 0)
        stream = await asyncio.open_connection("127.0.0.1", self._port, local_addr=address, limit=65536)
        if unread:
            stream[1].transport.pause_reading()  # type: ignore[attr-defined]
        stream[1].write(sent)
        return stream

    async def post(self, path: str, token: str = "") -> dict[str, str]:
        bearer = f"authorization: Bearer {token}\r\n" if token else ""
        head = f"POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{bearer}content-length: 2\r\n\r\n{{}}"
        reader, writer = await self.connect(head.encode())
        answer = await reader.read()
        writer.close()
        return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2], type=dict)

    async def token(self) -> str:
        return (await self.post("/api/guests"))["token"]

    async def table(self) -> tuple[str, str]:
        token = await self.token()
        return (await self.post("/api/tables", token))["code"], token

    async def socket(self, code: str, token: str, unread: bool = False) -> Stream:
        reader, writer = await self.connect(HANDSHAKE.format(code=code, token=token).encode())
        await reader.readuntil(b"\r\n\r\n")
        if unread:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
        return reader, writer

    async def again_and_again(self, attack: Callable[[], Awaitable[None]]) -> None:
        """Repeat an attack when the server ends it."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, msgspec.DecodeError, KeyError):
                await attack()
            await asyncio.sleep(0.05)

    async def flood(self, frames: bytes) -> None:
        code, _ = await self.table()
        tokens = [await self.token() for _ in range(FLOOD_SOCKETS // SOCKETS_PER_GUEST)]

        async def send(token: str) -> None:
            _, writer = await self.socket(code, token)
            writer.write(FIRST_FRAGMENT if frames is FRAGMENTS else b"")
            while not writer.is_closing():
                writer.write(frames)
                await writer.drain()
                await asyncio.sleep(0)

        floods = [self.again_and_again(lambda token=token: send(token)) for token in tokens * SOCKETS_PER_GUEST]  # type: ignore[misc]
        await asyncio.gather(*floods)

    async def never_read_responses(self, path: str) -> None:
        async def ask() -> None:
            requests = f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode() * 3
            _, writer = await self.connect(requests, unread=True)
            while not writer.is_closing():
                await asyncio.sleep(1)
                writer.write(b"\r\n")

        await asyncio.gather(*(self.again_and_again(ask) for _ in range(SLOW_READERS)))

    async def never_read_sockets(self) -> None:
        kept = []
        for _ in range(UNREAD_SOCKETS // SOCKETS_PER_TABLE):
            code, host = await self.table()
            reader, writer = await self.socket(code, host)
            writer.write(frame(b'{"id": "s", "do": "sit", "name": "a"}'))
            for _ in range(SOCKETS_PER_TABLE // SOCKETS_PER_GUEST):
                token = await self.token()
                kept += [await self.socket(code, token, unread=True) for _ in range(SOCKETS_PER_GUEST)]
            kept.append((reader, writer))
        for number in count():
            for _, writer in kept[SOCKETS_PER_TABLE :: SOCKETS_PER_TABLE + 1]:
                writer.write(frame(RENAMES[number % len(RENAMES)]))
            await asyncio.sleep(1 / 15)


def frame(text: bytes) -> bytes:
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text


def largest_asset() -> str:
    files = (ROOT / "src/notahat/server/static/assets").iterdir()
    return f"/assets/{max(files, key=lambda file: file.stat().st_size).name}"


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    "pongs": lambda one: one.flood(PONGS),
    "fragments": lambda one: one.flood(FRAGMENTS),
    "responses": lambda one: one.never_read_responses(largest_asset()),
    "sockets": lambda one: one.never_read_sockets(),
}


async def hold_idle(port: int, number: int) -> list[Stream]:
    """Open sockets of spectators from many addresses."""
    kept: list[Stream] = []
    for address in range(IDLE_ADDRESSES):
        one = Attacker(port, f"127.8.0.{address + 1}")
        code, _ = await one.table()
        for _ in range(max(1, number // IDLE_ADDRESSES // SOCKETS_PER_GUEST + 1)):
            token = await one.token()
            kept += [await one.socket(code, token) for _ in range(SOCKETS_PER_GUEST) if len(kept) < number]
    return kept


async def run_child(arguments: argparse.Namespace) -> None:
    """Attack, or hold idle sockets, until the time is over or the process is ended."""
    attacker = Attacker(arguments.port)
    with suppress(TimeoutError):
        async with asyncio.timeout(arguments.seconds):
            if arguments.child in ATTACKS:
                await ATTACKS[arguments.child](attacker)
            else:
                kept = await hold_idle(arguments.port, arguments.idle)
                print(len(kept), flush=True)
                await asyncio.Event().wait()


def start_child(name: str, port: int, seconds: float, idle: int = 0) -> subprocess.Popen[str]:
    words = [sys.executable, __file__, "--child", name, "--port", str(port), "--seconds", str(seconds)]
    command = ["taskset", "-c", str(PLAYERS), *words, "--idle", str(idle)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603


async def probe(port: int, seconds: float, begin: Callable[[], None]) -> list[float]:
    """Rename a player of a quiet table again and again; return how many milliseconds each answer took."""
    client = Attacker(port, "127.7.0.1")
    code, token = await client.table()
    reader, writer = await client.socket(code, token)
    writer.write(frame(b'{"id": "s", "do": "sit", "name": "a"}'))
    await reader.readuntil(b'"ack":"s"')
    begin()
    spans: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        number = len(spans) % len(RENAMES)
        began = time.monotonic()
        writer.write(frame(RENAMES[number]))
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.readuntil(f'"ack":"{number}"'.encode()), LONGEST_WAIT)
        spans.append((time.monotonic() - began) * 1000)
        await asyncio.sleep(max(PROBE_SECONDS, 0.1 - spans[-1] / 1000))
    return spans


def is_healthy(port: int) -> bool:
    with suppress(OSError):
        return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).status == 200)
    return False


def measure(one: Match, name: str, seconds: float) -> str:
    before = one.server.used().memory
    children = []

    def begin() -> None:
        if name in ATTACKS:
            children.append(start_child(name, one.port, seconds + 60))
            time.sleep(3)  # until the attack has begun

    one.players.write_line(f"play {seconds + 4} {THINK_MS}")
    one.players.read_line()
    spans = sorted(asyncio.run(probe(one.port, seconds, begin)))
    healthy = sum(is_healthy(one.port) for _ in range(5))
    memory = one.server.used().memory
    played = one.players.read_json()
    for child in children:
        child.terminate()
        child.wait()
    p50, p99, worst = spans[len(spans) // 2], spans[len(spans) * 99 // 100], spans[-1]
    figures = f"{len(spans)} answers | p50 {p50:.1f} ms | p99 {p99:.1f} ms | worst {worst:.0f} ms"
    memories = f"{before >> 20} → {memory >> 20} MB"
    return f"{name:10} | {figures} | {memories} | healthy {healthy}/5 | {played['moves']} moves of others"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    raise_limits()
    if arguments.child:
        asyncio.run(run_child(arguments))
        return
    for name in arguments.attacks or ("quiet", *ATTACKS):
        with ours(pace="1") as one:
            idle = start_child("idle", one.port, arguments.seconds + 120, arguments.idle)
            assert idle.stdout is not None
            progress(f"{idle.stdout.readline().strip()} idle sockets")
            one.open(arguments.tables)
            one.play(1, THINK_MS)
            print("\r\x1b[K" + measure(one, name, arguments.seconds), flush=True)
            idle.terminate()
            idle.wait()


if __name__ == "__main__":
    main()
