"""Several nodes behind a proxy on one PostgreSQL, while things break: what is lost or doubled, when do people play on?

`python bench/nodes.py [--write] [haproxy] [nginx] [caddy] [STORY …]` (stories: killed, stopped, cut, clocks, rolling,
database; HAProxy alone unless others are named). The proxy runs deploy's file for several nodes, but for TLS and ports.
With --write the figures go to docs/benchmarks.md, a section for each proxy. Exit code 1 when something was lost or
doubled, or when people behind HAProxy waited for more than 5 s; the others do not promise that.

Tables of two people and two computer players are spread over the nodes by it; each order that a server acknowledged is
looked up in the log afterwards. What counts is how long anybody waited for an answer, whatever happened meanwhile:
connections that broke and came back are part of that.
"""

import asyncio
import os
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from support.load import Game, Person
    from support.postgres import Postgres

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

import proxies  # noqa: E402

SIZES = (2, 3)
GAMES = 8
PACE = 20.0
TROUBLE_SECONDS = 10.0
CLOCKS_APART = 30.0
CALM_ORDERS = 24
BACK_WITHIN = 5.0
QUICK = ("haproxy",)  # moves people away from a node that fell silent
NAMES = {"haproxy": "HAProxy", "nginx": "nginx", "caddy": "Caddy"}
OPTIONS = {"show_seconds": 1, "patience_seconds": 60, "rounds": "each"}
AHEAD = "NODES_CLOCK_AHEAD"


class Told(Struct):
    """What people lived through in one story."""

    story: str
    nodes: int
    orders: int
    lost: int
    doubled: int
    reconnected: int
    longest: float
    silence: float
    usual: float


class Wire:
    """The way from a node to the database, which can fall silent."""

    def __init__(self, folder: Path, end: Path) -> None:
        self._folder = folder
        self._end = end
        self.whole = asyncio.Event()
        self.whole.set()
        self._carrying: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"postgresql://postgres:@/postgres?host={self._folder}"

    async def lay(self) -> None:
        self._server = await asyncio.start_unix_server(self._connected, self._folder / ".s.PGSQL.5432")

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.whole.wait()
        try:
            there, back = await asyncio.open_unix_connection(str(self._end))
        except OSError:
            writer.transport.abort()
            return
        for one, other in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._carry(one, other))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self.whole.wait()
                writer.write(data)
        except OSError:
            pass
        writer.transport.abort()


class House:
    """Nodes, their database, and the proxy in front of them."""

    def __init__(self, folder: Path, count: int, postgres: "Postgres") -> None:
        from support.server_process import Served

        self.postgres = postgres
        self.wires: list[Wire] = []
        self.nodes: list[Served] = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir(mode=0o755)
            self.wires.append(Wire(own, postgres.socket))
            ahead = {AHEAD: str((number % 2) * CLOCKS_APART), "NOTAHAT_BEHIND_PROXY": "yes"}
            node = Served(own, PACE, self.wires[-1].address, None, measured=True, **ahead)
            node.program = (__file__,)
            self.nodes.append(node)
        self._folder = folder

    async def open(self) -> None:
        for wire in self.wires:
            await wire.lay()
        for node in self.nodes:
            await asyncio.to_thread(node.start)

    def proxy(self, kind: str) -> AbstractContextManager[str]:
        return proxies.running(kind, [node.url for node in self.nodes], self._folder)

    async def healthy(self, node: int) -> None:
        while not await asyncio.to_thread(is_well, self.nodes[node].url):
            await asyncio.sleep(0.1)

    def close(self) -> None:
        for node in self.nodes:
            node.stop()


def is_well(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


async def no_trouble(_: House) -> None:
    await asyncio.sleep(TROUBLE_SECONDS)


async def killed(house: House) -> None:
    house.nodes[0].stop(signal.SIGKILL)
    await asyncio.sleep(TROUBLE_SECONDS)
    await asyncio.to_thread(house.nodes[0].start)
    await house.healthy(0)


async def stopped(house: House) -> None:
    house.nodes[0].process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(TROUBLE_SECONDS)
    house.nodes[0].process.send_signal(signal.SIGCONT)
    await house.healthy(0)


async def cut(house: House) -> None:
    house.wires[0].whole.clear()
    await asyncio.sleep(TROUBLE_SECONDS)
    house.wires[0].whole.set()
    await house.healthy(0)


async def rolling(house: House) -> None:
    for number, node in enumerate(house.nodes):
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)
        await house.healthy(number)
        await asyncio.sleep(1.5)  # until the proxy has seen it, too


async def database(house: House) -> None:
    await asyncio.to_thread(house.postgres.restart)
    for number in range(len(house.nodes)):
        await house.healthy(number)


STORIES: dict[str, tuple[str, Callable[[House], Awaitable[None]]]] = {
    "clocks": ("nothing breaks; clocks are 30 s apart, as in all stories", no_trouble),
    "killed": ("a node is killed, and comes back after 10 s", killed),
    "stopped": ("a node stands still for 10 s", stopped),
    "cut": ("a node is cut off from the database for 10 s", cut),
    "rolling": ("all nodes are restarted, one after the other", rolling),
    "database": ("PostgreSQL crashes and comes back", database),
}


async def live_through(name: str, house: House, url: str) -> Told:
    """Tables in play; something happens; everybody plays to the end, and the log is asked about every promise."""
    from support.load import answers, everybody, finish, games
    from support.timeouts import PATIENCE

    told, trouble = STORIES[name]
    async with games(GAMES, people=2, bots=2, urls=[url], **OPTIONS) as crowd:
        people = [person for game in crowd for person in game.people]
        waits: list[tuple[float, float]] = []
        for person in people:
            person.do = timed(person.do, waits)  # type: ignore[method-assign]
            person.dozing = 0.0
        heard: dict[Person, list[float]] = {person: [] for person in people}
        listening = [asyncio.create_task(listen(person, heard[person])) for person in people]
        playing = asyncio.gather(*(game.play() for game in crowd))
        await answers(crowd, CALM_ORDERS)
        began, before = time.monotonic(), [person.table.connections for person in people]
        await trouble(house)
        over = time.monotonic()
        await answers(crowd, CALM_ORDERS // 2)
        await everybody(crowd, lambda person: person.sees_own_seat)
        again = sum(person.table.connections > old for person, old in zip(people, before, strict=True))
        await finish(crowd, playing, PATIENCE)
        for task in listening:
            task.cancel()
    orders, lost, doubled = await counted(house, crowd)
    calm = sorted(wait for at, wait in waits if at < began)
    longest = max(wait for at, wait in waits if at + wait >= began and at <= over)
    silence = max(longest_gap(times, began, over) for times in heard.values())
    return Told(told, len(house.nodes), orders, lost, doubled, again, longest, silence, calm[len(calm) // 2])


async def listen(person: "Person", heard: list[float]) -> None:
    async for _ in person.table:
        heard.append(time.monotonic())  # noqa: PERF401 - it never ends by itself


def longest_gap(times: list[float], began: float, over: float) -> float:
    """How long somebody heard nothing, until the last that they heard at all."""
    return max((after - before for before, after in pairwise(times) if after >= began and before <= over), default=0.0)


def timed(do: Any, waits: list[tuple[float, float]]) -> Any:
    async def timing(order: str, **fields: object) -> Any:
        began = time.monotonic()
        try:
            return await do(order, **fields)
        finally:
            waits.append((began, time.monotonic() - began))

    return timing


async def counted(house: House, crowd: "list[Game]") -> tuple[int, int, int]:
    """Orders that were acknowledged, and how many of them the log has not, or more than once."""
    from notahat.store import open_store

    orders = lost = doubled = 0
    store = await open_store(house.postgres.address)
    for game in crowd:
        id_ = await store.table_of(game.code)
        assert id_ is not None
        kept = [commit.command.rpartition(":")[2] for commit in await store.read(id_)]
        for command in (command for person in game.people for command in person.promised):
            orders += 1
            lost += kept.count(command) == 0
            doubled += kept.count(command) > 1
    await store.close()
    return orders, lost, doubled


@asynccontextmanager
async def house_of(count: int) -> AsyncIterator[House]:
    from support import postgres as database_

    with tempfile.TemporaryDirectory(prefix="nd") as folder, database_.running() as postgres:
        postgres.empty_database()
        house = House(Path(folder), count, postgres)
        try:
            await house.open()
            yield house
        finally:
            house.close()


async def measure(proxy: str, names: list[str]) -> list[Told]:
    told = []
    for count in SIZES:
        async with house_of(count) as house:
            with house.proxy(proxy) as url:
                for name in names:
                    print(f"{proxy}, {count} nodes: {STORIES[name][0]} …", file=sys.stderr, flush=True)
                    told.append(await live_through(name, house, url))
                    print(told[-1], file=sys.stderr, flush=True)
    return told


def section(proxy: str, told: list[Told]) -> str:
    from page import table

    head = ["what happens", "nodes", "orders acknowledged", "lost", "doubled", "people who had to reconnect"]
    head += ["longest wait for an answer, s", "longest silence at a table, s", "usual wait, ms"]
    rows = [
        [one.story, str(one.nodes), str(one.orders), str(one.lost), str(one.doubled), str(one.reconnected)]
        + [f"{one.longest:.2f}", f"{one.silence:.2f}", f"{one.usual * 1000:.0f}"]
        for one in told
    ]
    promise = (
        f"The promise is {BACK_WITHIN:g} s."
        if proxy in QUICK
        else f"The promise of {BACK_WITHIN:g} s is HAProxy's: this one leaves people at a node that hangs."
    )
    intro = (
        f"{GAMES} tables of two people and two computer players (deploy/{proxies.SHIPPED[proxy]}, without "
        f"TLS), pace {PACE:g}. Waits are those of people, from an order to its answer, reconnecting included; "
        f"silence is how long anybody heard nothing of their table, computer players' thinking included. {promise}"
    )
    return f"{table(head, rows)}\n\n{intro}"


def kept(proxy: str, told: list[Told]) -> bool:
    soon = all(max(one.longest, one.silence) <= BACK_WITHIN for one in told)
    return all(one.lost == one.doubled == 0 for one in told) and (soon or proxy not in QUICK)


def main(words: list[str]) -> int:
    chosen = [word for word in words if word in proxies.SHIPPED] or ["haproxy"]
    names = [word for word in words if word in STORIES] or list(STORIES)
    for proxy in chosen:
        if proxies.found(proxy) is None:
            print(f"Several nodes were not measured: {proxy} is not here (python tools/deploy.py get, on a Debian).")
            return 2
    all_kept = True
    for proxy in chosen:
        told = asyncio.run(measure(proxy, names))
        text = section(proxy, told)
        print(text)
        all_kept = kept(proxy, told) and all_kept
        if "--write" in words:
            from machine import described
            from page import write

            title = f"Several nodes behind {NAMES[proxy]} while things break"
            named = "nodes" if proxy == "haproxy" else f"nodes-{proxy}"
            write(named, title, text, f"{described(peers=False)} · {proxies.version(proxy)}")
    return 0 if all_kept else 1


def serve() -> int:
    """A node whose clock is wrong."""
    ahead, real = float(os.environ[AHEAD]), time.time
    time.time = lambda: real() + ahead
    from notahat import cli

    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(serve() if sys.argv[1:2] == ["serve"] else main(sys.argv[1:]))
