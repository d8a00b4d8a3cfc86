"""Compare the processor time per delivered message of our server and Node's `ws`, with 200 tables of four.

Broadcast: for each frame our server encodes and sends the state to the four of a table. Node sends the same bytes,
recorded from our server, to the four of a room. Without a peer: whole moves, decided, written and acknowledged. Each
table sends the next frame when all four have received the last one, so a server is as busy as possible. The three are
measured in turns, so noise affects all; the median of the rounds counts. Linux only: every table has its own loopback
address, because of the server's limits per address.
"""

import asyncio
import base64
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import uvloop
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from broadcaster import METRICS_TOKEN
from machine import fetch_packages, node
from notahat.clients.python import Client

TABLES = 200
SEATS = 4
ROUNDS = 5
SECONDS = 4.0
TARGET = 2.0
ROOT = Path(__file__).parents[1]


class Permission(Struct):
    """A permitted command."""

    do: str
    seat: int | None = None


class RoundPart(Struct):
    """The part of a round that a move needs."""

    turn: int


class ViewPart(Struct):
    """The part of a view that a move needs."""

    round: RoundPart | None


class StatePart(Struct):
    """The part of a state that a move needs."""

    view: ViewPart
    may: list[Permission]


AnyTable = TypeVar("AnyTable", bound="Table")
read_state = msgspec.json.Decoder(StatePart)


class Seat(WSListener):
    """One of the four connections of a table."""

    def __init__(self, table: "Table", number: int) -> None:
        self.table = table
        self.number = number
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002
        if frame.msg_type == WSMsgType.TEXT:
            self.table.receive(self.number, frame.get_payload_as_bytes())

    def send(self, message: bytes) -> None:
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, message)


class Table:
    """Four connections. The next frame is sent when all four have received the last broadcast."""

    def __init__(self) -> None:
        self.seats = [Seat(self, number) for number in range(SEATS)]
        self.delivered = 0
        self.playing = False
        self._commands = 0
        self._outstanding = 0

    def receive(self, seat: int, message: bytes) -> None:  # noqa: ARG002
        self.delivered += 1
        self._outstanding -= 1
        if self.playing and self._outstanding <= 0:
            self.act()

    def act(self) -> None:
        self._outstanding = SEATS
        self._commands += 1
        self.seats[self._commands // 2 % SEATS].send(b'{"id":"%012x","do":"beat"}' % self._commands)


class OurTable(Table):
    """A table in play. While `moving`, every claim is accepted, so the round never ends (rule 9.6)."""

    def __init__(self) -> None:
        super().__init__()
        self.moving = False
        self.latest = [b""] * SEATS

    def receive(self, seat: int, message: bytes) -> None:
        if message.startswith(b'{"no"'):  # stale: a card has been wrapped meanwhile
            asyncio.get_running_loop().call_later(0.01, self.act)
            return
        self.latest[seat] = message
        super().receive(seat, message)

    def act(self) -> None:
        if not self.moving:
            return super().act()
        for seat, message in zip(self.seats, self.latest, strict=True):
            state = read_state.decode(message)
            for permitted in state.may:
                if permitted.do in ("draw", "give", "accept") and state.view.round is not None:
                    return self._move(seat, permitted.do, state.view.round.turn)
        self._outstanding = SEATS  # the server wraps a card first
        return None

    def _move(self, seat: Seat, do: str, turn: int) -> None:
        self._outstanding = SEATS
        self._commands += 1
        command = {"id": f"{self._commands:012x}", "do": do, "turn": turn}
        seat.send(msgspec.json.encode(command | ({"claim": "hat"} if do == "give" else {})))


async def connect(seat: Seat, url: str, address: str, token: str = "") -> None:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    await ws_connect(lambda: seat, url, extra_headers=headers, local_addr=(address, 0))


async def open_ours(url: str) -> list[OurTable]:
    """Start matches of four people."""

    async def begin(number: int) -> OurTable:
        table, code, address = OurTable(), "", f"127.0.1.{1 + number}"
        for seat in table.seats:
            async with Client(url) as guest:
                code = code or await guest.open_table(show_seconds=0, arrows="black")
                socket_url = f"{url.replace('http', 'ws')}/api/tables/{code}/socket"
                await connect(seat, socket_url, address, guest.token or "")
            seat.send(msgspec.json.encode({"id": "sit", "do": "sit", "name": f"Player {seat.number + 1}"}))
            await asyncio.sleep(0.05)
        table.seats[0].send(b'{"id":"start","do":"start"}')
        return table

    return [table for first in range(0, TABLES, 20) for table in await together(begin, first)]


async def open_theirs(url: str) -> list[Table]:
    async def begin(number: int) -> Table:
        table = Table()
        for seat in table.seats:
            await connect(seat, f"{url.replace('http', 'ws')}/{number}", f"127.0.2.{1 + number}")
        return table

    return [table for first in range(0, TABLES, 20) for table in await together(begin, first)]


async def together(begin: Callable[[int], Awaitable[AnyTable]], first: int) -> list[AnyTable]:
    return list(await asyncio.gather(*(begin(first + number) for number in range(20))))


async def play(tables: Sequence[Table], seconds: float) -> int:
    """Let all tables play for so long; return the number of delivered messages."""
    before = delivered(tables)
    for table in tables:
        table.playing = True
        table.act()
    await asyncio.sleep(seconds)
    for table in tables:
        table.playing = False
    await asyncio.sleep(0.5)
    return delivered(tables) - before


def delivered(tables: Sequence[Table]) -> int:
    return sum(table.delivered for table in tables)


def spent(url: str) -> float:
    """Return the processor time that a server reports."""
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {METRICS_TOKEN}"})  # noqa: S310
    with urllib.request.urlopen(request) as response:  # noqa: S310
        text = response.read().decode()
    found = re.search(r"notahat_cpu_seconds_total ([0-9.]+)", text)
    return float(found[1] if found else text)


async def cost(playing: Awaitable[int], cpu_url: str) -> float:
    """Return the microseconds of processor time per delivered message."""
    before = await asyncio.to_thread(spent, cpu_url)
    messages = await playing
    return (await asyncio.to_thread(spent, cpu_url) - before) / messages * 1e6


@contextmanager
def our_server(folder: str) -> Iterator[str]:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, str(ROOT / "bench/broadcaster.py"), folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


@contextmanager
def node_server(broadcasts: Path) -> Iterator[str]:
    process = subprocess.Popen(  # noqa: S603
        [node(), str(ROOT / "bench/ws.mjs"), str(broadcasts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield "http://127.0.0.1:" + process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def write_broadcasts(tables: list[OurTable], path: Path) -> int:
    """Write our server's messages for Node to send; return their average size."""
    lines = [" ".join(base64.b64encode(message).decode() for message in table.latest) for table in tables]
    path.write_text("\n".join(lines))
    return round(statistics.mean(len(message) for table in tables for message in table.latest))


async def run(folder: str) -> float:
    costs: dict[str, list[float]] = {
        "Not a Hat, broadcasting": [],
        "Node ws, the same bytes": [],
        "Not a Hat, moves": [],
    }
    with our_server(folder) as our_url:
        ours = await open_ours(our_url)
        await move(ours, 1.0)
        size = write_broadcasts(ours, Path(folder) / "broadcasts")
        with node_server(Path(folder) / "broadcasts") as node_url:
            theirs = await open_theirs(node_url)
            await play(theirs, 1.0)
            for number in range(ROUNDS):
                print(f"\rmeasuring, round {number + 1} of {ROUNDS} ", end="", file=sys.stderr, flush=True)
                costs["Not a Hat, broadcasting"].append(await cost(play(ours, SECONDS), our_url + "/metrics"))
                costs["Node ws, the same bytes"].append(await cost(play(theirs, SECONDS), node_url))
                costs["Not a Hat, moves"].append(await cost(move(ours, SECONDS), our_url + "/metrics"))
    medians = {name: statistics.median(values) for name, values in costs.items()}
    peer = medians["Node ws, the same bytes"]
    print(f"\r{TABLES} tables of {SEATS}, messages of {size:,} bytes on average, median of {ROUNDS} rounds")
    print(f"{'server':<26}{'CPU µs per delivered message':>30}{'of Node':>12}")
    for name, median in medians.items():
        print(f"{name:<26}{median:>30.1f}{median / peer:>10.2f} ×")
    print(f"target for broadcasting: at most {TARGET} ×")
    return medians["Not a Hat, broadcasting"] / peer


async def move(tables: list[OurTable], seconds: float) -> int:
    for table in tables:
        table.moving = True
    messages = await play(tables, seconds)
    for table in tables:
        table.moving = False
    return messages


def main() -> int:
    fetch_packages()
    with tempfile.TemporaryDirectory() as folder:
        return 0 if uvloop.run(run(folder)) <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
