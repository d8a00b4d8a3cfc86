"""Measure lost and duplicated commands and waiting times on several nodes behind a proxy while things fail.

`python bench/nodes.py [--write] [haproxy] [nginx] [caddy] [FAULT …]` (faults: killed, stopped, cut, clocks, rolling,
database; HAProxy alone by default). The nodes share one PostgreSQL. The proxy runs deploy's configuration for several
nodes without TLS. With --write the figures go to docs/benchmarks.md, a section for each proxy. The exit code is 1 if a
command was lost or duplicated, or if a player behind HAProxy waited for more than 5 s.

The proxy spreads tables of two people and two computer players over the nodes. Every acknowledged command is looked up
in the log afterwards. Waiting times include reconnects.
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
    from support.load import LoadGame, LoadPlayer
    from support.postgres import Postgres

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

import proxies  # noqa: E402

SIZES = (2, 3)
GAMES = 8
PACE = 20.0
TROUBLE_SECONDS = 10.0
CLOCK_SKEW = 30.0
COMMANDS_BEFORE = 24
LONGEST_WAIT = 5.0
WITH_FAILOVER = ("haproxy",)  # moves connections away from a node that hangs
NAMES = {"haproxy": "HAProxy", "nginx": "nginx", "caddy": "Caddy"}
OPTIONS = {"show_seconds": 1, "patience_seconds": 60, "rounds": "each"}
CLOCK_OFFSET = "NODES_CLOCK_AHEAD"


class Measured(Struct):
    """The figures of one fault."""

    fault: str
    nodes: int
    commands: int
    lost: int
    duplicated: int
    reconnected: int
    longest: float
    silence: float
    usual: float


class DatabaseLink:
    """A relay between a node and the database that can be interrupted."""

    def __init__(self, folder: Path, target: Path) -> None:
        self._folder = folder
        self._target = target
        self.connected = asyncio.Event()
        self.connected.set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"postgresql://postgres:@/postgres?host={self._folder}"

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._relay, self._folder / ".s.PGSQL.5432")

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.connected.wait()
        try:
            database_reader, database_writer = await asyncio.open_unix_connection(str(self._target))
        except OSError:
            writer.transport.abort()
            return
        for source, sink in ((reader, database_writer), (database_reader, writer)):
            task = asyncio.create_task(self._copy(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self.connected.wait()
                writer.write(data)
        except OSError:
            pass
        writer.transport.abort()


class Cluster:
    """Nodes and their database."""

    def __init__(self, folder: Path, count: int, postgres: "Postgres") -> None:
        from support.server_process import ServerProcess

        self.postgres = postgres
        self.links: list[DatabaseLink] = []
        self.nodes: list[ServerProcess] = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir(mode=0o755)
            self.links.append(DatabaseLink(own, postgres.socket))
            settings = {CLOCK_OFFSET: str((number % 2) * CLOCK_SKEW), "NOTAHAT_BEHIND_PROXY": "yes"}
            node = ServerProcess(own, PACE, self.links[-1].address, None, coverage=True, **settings)
            node.program = (__file__,)
            self.nodes.append(node)
        self._folder = folder

    async def start(self) -> None:
        for link in self.links:
            await link.start()
        for node in self.nodes:
            await asyncio.to_thread(node.start)

    def proxy(self, kind: str) -> AbstractContextManager[str]:
        return proxies.running(kind, [node.url for node in self.nodes], self._folder)

    async def wait_until_healthy(self, node: int) -> None:
        while not await asyncio.to_thread(is_healthy, self.nodes[node].url):
            await asyncio.sleep(0.1)

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()


def is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


async def no_fault(_: Cluster) -> None:
    await asyncio.sleep(TROUBLE_SECONDS)


async def killed(cluster: Cluster) -> None:
    cluster.nodes[0].stop(signal.SIGKILL)
    await asyncio.sleep(TROUBLE_SECONDS)
    await asyncio.to_thread(cluster.nodes[0].start)
    await cluster.wait_until_healthy(0)


async def stopped(cluster: Cluster) -> None:
    cluster.nodes[0].process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(TROUBLE_SECONDS)
    cluster.nodes[0].process.send_signal(signal.SIGCONT)
    await cluster.wait_until_healthy(0)


async def cut(cluster: Cluster) -> None:
    cluster.links[0].connected.clear()
    await asyncio.sleep(TROUBLE_SECONDS)
    cluster.links[0].connected.set()
    await cluster.wait_until_healthy(0)


async def rolling(cluster: Cluster) -> None:
    for number, node in enumerate(cluster.nodes):
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)
        await cluster.wait_until_healthy(number)
        await asyncio.sleep(1.5)  # until the proxy has noticed


async def database(cluster: Cluster) -> None:
    await asyncio.to_thread(cluster.postgres.restart)
    for number in range(len(cluster.nodes)):
        await cluster.wait_until_healthy(number)


FAULTS: dict[str, tuple[str, Callable[[Cluster], Awaitable[None]]]] = {
    "clocks": ("no fault; clocks are 30 s apart, as in all rows", no_fault),
    "killed": ("a node is killed and restarted after 10 s", killed),
    "stopped": ("a node is suspended for 10 s", stopped),
    "cut": ("a node is cut off from the database for 10 s", cut),
    "rolling": ("all nodes are restarted, one after the other", rolling),
    "database": ("PostgreSQL crashes and restarts", database),
}


async def measure_fault(name: str, cluster: Cluster, url: str) -> Measured:
    """Start matches, cause the fault, play to the end, and look up every acknowledged command in the log."""
    from support.load import play_to_end, running_games, wait_for_all, wait_for_answers
    from support.timeouts import TIMEOUT

    description, cause = FAULTS[name]
    async with running_games(GAMES, people=2, bots=2, urls=[url], **OPTIONS) as games:
        people = [person for game in games for person in game.people]
        waits: list[tuple[float, float]] = []
        for person in people:
            person.do = timed(person.do, waits)  # type: ignore[method-assign]
            person.pause_probability = 0.0
        received: dict[LoadPlayer, list[float]] = {person: [] for person in people}
        recorders = [asyncio.create_task(record_times(person, received[person])) for person in people]
        playing = asyncio.gather(*(game.play() for game in games))
        await wait_for_answers(games, COMMANDS_BEFORE)
        began, before = time.monotonic(), [person.table.connections for person in people]
        await cause(cluster)
        ended = time.monotonic()
        await wait_for_answers(games, COMMANDS_BEFORE // 2)
        await wait_for_all(games, lambda person: person.has_own_seat)
        reconnected = sum(person.table.connections > old for person, old in zip(people, before, strict=True))
        await play_to_end(games, playing, TIMEOUT)
        for task in recorders:
            task.cancel()
    commands, lost, duplicated = await look_up(cluster, games)
    before_fault = sorted(wait for at, wait in waits if at < began)
    longest = max(wait for at, wait in waits if at + wait >= began and at <= ended)
    silence = max(longest_gap(times, began, ended) for times in received.values())
    return Measured(
        description,
        len(cluster.nodes),
        commands,
        lost,
        duplicated,
        reconnected,
        longest,
        silence,
        before_fault[len(before_fault) // 2],
    )


async def record_times(person: "LoadPlayer", received: list[float]) -> None:
    async for _ in person.table:
        received.append(time.monotonic())  # noqa: PERF401 - it is cancelled


def longest_gap(times: list[float], began: float, ended: float) -> float:
    """Return the longest time between two messages that overlaps the fault."""
    return max((after - before for before, after in pairwise(times) if after >= began and before <= ended), default=0.0)


def timed(do: Any, waits: list[tuple[float, float]]) -> Any:
    async def timed_do(command: str, **fields: object) -> Any:
        began = time.monotonic()
        try:
            return await do(command, **fields)
        finally:
            waits.append((began, time.monotonic() - began))

    return timed_do


async def look_up(cluster: Cluster, games: "list[LoadGame]") -> tuple[int, int, int]:
    """Return the number of acknowledged commands, and how many of them are not in the log, or more than once."""
    from notahat.store import open_store

    commands = lost = duplicated = 0
    store = await open_store(cluster.postgres.address)
    for game in games:
        id_ = await store.table_of(game.code)
        assert id_ is not None
        logged = [commit.command.rpartition(":")[2] for commit in await store.read(id_)]
        for command in (command for person in game.people for command in person.acknowledged):
            commands += 1
            lost += logged.count(command) == 0
            duplicated += logged.count(command) > 1
    await store.close()
    return commands, lost, duplicated


@asynccontextmanager
async def running_cluster(count: int) -> AsyncIterator[Cluster]:
    from support import postgres as database_

    with tempfile.TemporaryDirectory(prefix="nd") as folder, database_.running() as postgres:
        postgres.empty_database()
        cluster = Cluster(Path(folder), count, postgres)
        try:
            await cluster.start()
            yield cluster
        finally:
            cluster.stop()


async def measure(proxy: str, names: list[str]) -> list[Measured]:
    measured = []
    for count in SIZES:
        async with running_cluster(count) as cluster:
            with cluster.proxy(proxy) as url:
                for name in names:
                    print(f"{proxy}, {count} nodes: {FAULTS[name][0]} …", file=sys.stderr, flush=True)
                    measured.append(await measure_fault(name, cluster, url))
                    print(measured[-1], file=sys.stderr, flush=True)
    return measured


def section(proxy: str, measured: list[Measured]) -> str:
    from page import table

    head = ["fault", "nodes", "commands acknowledged", "lost", "duplicated", "reconnected players"]
    head += ["longest wait for an answer, s", "longest time without a message, s", "usual wait, ms"]
    rows = [
        [one.fault, str(one.nodes), str(one.commands), str(one.lost), str(one.duplicated), str(one.reconnected)]
        + [f"{one.longest:.2f}", f"{one.silence:.2f}", f"{one.usual * 1000:.0f}"]
        for one in measured
    ]
    limit = (
        f"The limit is {LONGEST_WAIT:g} s."
        if proxy in WITH_FAILOVER
        else f"The limit of {LONGEST_WAIT:g} s is for HAProxy: this proxy keeps connections to a node that hangs."
    )
    intro = (
        f"{GAMES} tables of two people and two computer players (deploy/{proxies.SHIPPED[proxy]}, without "
        f"TLS), pace {PACE:g}. Waits are from a command to its answer, reconnects included; "
        f"the time without a message includes the thinking of computer players. {limit}"
    )
    return f"{table(head, rows)}\n\n{intro}"


def passes(proxy: str, measured: list[Measured]) -> bool:
    in_time = all(max(one.longest, one.silence) <= LONGEST_WAIT for one in measured)
    return all(one.lost == one.duplicated == 0 for one in measured) and (in_time or proxy not in WITH_FAILOVER)


def main(words: list[str]) -> int:
    chosen = [word for word in words if word in proxies.SHIPPED] or ["haproxy"]
    names = [word for word in words if word in FAULTS] or list(FAULTS)
    for proxy in chosen:
        if proxies.find(proxy) is None:
            print(f"Not measured: {proxy} is not installed (on a Debian: python tools/deploy.py get).")
            return 2
    all_pass = True
    for proxy in chosen:
        measured = asyncio.run(measure(proxy, names))
        text = section(proxy, measured)
        print(text)
        all_pass = passes(proxy, measured) and all_pass
        if "--write" in words:
            from machine import describe_run
            from page import write

            title = f"Several nodes behind {NAMES[proxy]} while things break"
            named = "nodes" if proxy == "haproxy" else f"nodes-{proxy}"
            write(named, title, text, f"{describe_run(peers=False)} · {proxies.version(proxy)}")
    return 0 if all_pass else 1


def serve() -> int:
    """Run a node whose clock is wrong."""
    offset, real = float(os.environ[CLOCK_OFFSET]), time.time
    time.time = lambda: real() + offset
    from notahat import cli

    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(serve() if sys.argv[1:2] == ["serve"] else main(sys.argv[1:]))
