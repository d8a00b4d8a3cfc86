"""The scenarios: what runs, and which faults happen when. Everything follows from the seed."""

import asyncio
import logging
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

from msgspec import Struct, structs

from notahat.live.effects import ReadLog
from notahat.live.requests import ReadDeck
from notahat.rules import Illegal
from notahat.server import table_sync
from notahat.server.node import Node
from notahat.store import Commit, Unavailable
from notahat.table import open_table
from notahat.table.events import encode
from notahat.wire.messages import ServerReason
from simulation import network, postgres
from simulation.disk import Disk
from simulation.loop import Violation, VirtualLoop
from simulation.postgres import Database
from simulation.world import Client, ConnectionLost, Rival, Server, World
from support.hidden_gifts import PEOPLE, hidden_gifts, running_game, with_swapped_gifts
from support.tables import guest

SECONDS = 90.0  # with faults
RECOVERY_SECONDS = 60.0
PROGRESS_SECONDS = 40.0
STORM_SECONDS = 4.0
LATE_SECONDS = 40.0
READ_SECONDS = 3.0  # how long a guest waits for a new table, however many read at the same time
READERS = 20
LONG_LOG = 300
HOP_SECONDS = 0.3
RIVAL_TABLES = 8
LEAST_SHARE = 0.3
DEDUP_ENTRIES = 3  # so that commands are sent again after they were forgotten
OPTIONS: dict[str, object] = {"show_seconds": 1, "patience_seconds": 15, "rounds": "each"}
TABLE, LONG_TABLE = UUID(int=7), UUID(int=8)

Trace = Callable[[str], None] | None  # what prints each line of the trace

log = logging.getLogger("notahat")


class Result(Struct, frozen=True):
    """The outcome of a run. `digest` is that of its trace, `broken` the law that was broken, or empty."""

    seed: int
    scenario: str
    broken: str
    digest: str
    seconds: float
    acknowledged: int
    faults: int
    tail: tuple[str, ...]
    received: tuple[tuple[float, str, bytes], ...]


class Nemesis:
    """Causes faults: each run has a random choice of kinds, so that some runs are quiet."""

    def __init__(self, world: World, **kinds: Callable[[], None]) -> None:
        self._world = world
        self._kinds = {name: kinds[name] for name in kinds if world.random.random() < 0.5}
        self._pause = world.random.choice((2.0, 5.0, 15.0))
        world.loop.trace(f"faults {' '.join(self._kinds)} every {self._pause} s")

    async def run(self, seconds: float) -> None:
        end = self._world.loop.now + seconds
        while self._world.loop.now < end:
            await asyncio.sleep(self._world.random.expovariate(1 / self._pause))
            if self._kinds and self._world.loop.now < end:
                name = self._world.random.choice(list(self._kinds))
                self._world.loop.trace(f"fault {name}")
                self._world.faults += 1
                self._kinds[name]()


def crash(server: Server, disk: Disk | None = None) -> None:
    """Kill a server and start it again later; what it had written is there."""
    if not server.process.alive:
        return
    server.kill()
    if disk is not None:
        disk.crash()
    server.world.loop.main.call_later(server.world.random.uniform(0.1, 8.0), server.start)


def suspend(world: World) -> None:
    world.random.choice(world.servers).process.suspend(world.random.uniform(0.5, 25.0))


def jump_clock(world: World) -> None:
    world.random.choice(world.servers).process.wall_offset += world.random.uniform(-1e6, 1e6)


def disconnect(world: World) -> None:
    """Break a guest's connection; the guest comes back at once, or later than others wait."""
    client = world.random.choice(world.players)
    client.away_until = world.loop.now + world.random.choice((0.0, 1.0, 10.0, 40.0))
    if client.link is not None:
        client.link.inbox.put_nowait(None)
        client.link.cut()


def come_back_late(world: World) -> None:
    """Cut a guest off who has renamed a seat and not read the answer; they send it again when others have played on and
    every server was restarted.
    """

    async def watch() -> None:
        while world.loop.now < SECONDS - LATE_SECONDS:
            await asyncio.sleep(0.01)
            done = world.laws.history(world.table).versions
            for client in world.players:
                if client.link is not None and client.waits_for("rename") in done:
                    client.away_until = world.loop.now + LATE_SECONDS
                    client.link.inbox.put_nowait(None)
                    client.link.cut()
                    for server in world.servers:
                        world.loop.main.call_later(LATE_SECONDS - world.random.uniform(8.0, 12.0), crash, server)
                    return

    world.loop.main.spawn(watch())


def partition(world: World, database: Database) -> None:
    """Separate a server from the database, sometimes for longer than its leases last."""
    process, seconds = world.random.choice(world.servers).process, world.random.choice((0.5, 3.0, 10.0, 30.0))
    process.unreachable_until = world.loop.now + seconds
    process.excuse(seconds)
    database.disconnect(process)


def storm(world: World, database: Database) -> None:
    """Let half of all statements fail for some seconds."""
    database.network.storm_until = world.loop.now + STORM_SECONDS
    for server in world.servers:
        server.process.excuse(STORM_SECONDS)


def delete_file(world: World, disk: Disk) -> None:
    """Delete the database file; some seconds later the server is restarted with a backup of that moment."""
    if world.servers[0].process.alive:
        disk.delete()
        world.loop.main.call_later(world.random.uniform(3.0, 8.0), crash, world.servers[0], disk)


async def read_deck(node: Node, number: int) -> None:
    read = ReadLog(ReadDeck(LONG_TABLE, number), number, number, ServerReason.NO_SUCH_DECK)
    with suppress(Illegal):
        await node.log_reader.answer(LONG_TABLE, read)


def read_decks(world: World) -> None:
    """Let many guests ask for decks that are not there, each for another one."""

    async def ask(server: Server, reader: int) -> None:
        process = world.loop.process(f"reader {reader}")
        for number in range(1 + reader, LONG_LOG, READERS):
            try:
                await server.call(process, partial(read_deck, number=number))
            except (ConnectionLost, Unavailable):
                return

    for reader in range(READERS):
        world.loop.main.spawn(ask(world.servers[0], reader))


async def open_tables(world: World) -> None:
    """Be a guest who opens tables now and then, and must not wait for long."""
    process, random = world.loop.process("newcomer"), world.random
    while True:
        await asyncio.sleep(random.uniform(0.5, 2.0))
        server = random.choice(world.servers)
        try:
            with world.laws.waiting(server.process, "a newcomer opens a table", READ_SECONDS):
                _, table = await server.call(process, lambda node: node.open_table(guest("Fay"), {}))
                await server.call(process, lambda node, table=table: node.room(table))  # type: ignore[misc]
        except (ConnectionLost, Unavailable):
            pass


async def set_up(world: World, work: Callable[[Node], Coroutine[Any, Any, Any]]) -> Any:
    """Do something on the first server before the faults begin."""
    while True:
        try:
            return await world.servers[0].call(world.loop.main, work)
        except ConnectionLost:  # it is still starting
            await asyncio.sleep(0.5)


async def play(world: World, nemesis: Nemesis, people: tuple[str, ...], refuses: float | None = 0.5) -> None:
    world.players = [Client(world, name, refuses) for name in people]
    Client(world, "Eva", None)
    await nemesis.run(SECONDS)


async def recover(world: World) -> None:
    """Without faults everybody must come back, all servers must agree, and the game must go on."""
    for client in world.players:
        client.away_until = 0.0
    await world.until(partial(settled, world), RECOVERY_SECONDS, "not all are back")
    version = len(world.laws.history(world.table).states)
    await world.until(
        lambda: len(world.laws.history(world.table).states) > version, PROGRESS_SECONDS, "the game does not go on"
    )


def settled(world: World) -> bool:
    """Return whether all players are connected, and all servers know the newest version."""
    version = len(world.laws.history(world.table).states)
    up = all(server.process.alive and server.node is not None for server in world.servers)
    rooms = [server.rooms[world.table] for server in world.servers if world.table in server.rooms]
    return up and all(client.link for client in world.players) and all(one.table.version == version for one in rooms)


async def cluster(world: World, database: Database, *, twin: bool = False) -> None:
    """Several servers on one PostgreSQL. In a twin run hidden gifts are given on, and nobody opens one."""
    faults, random = database.network, world.random
    names = ("one", "two", "three")[: random.choice((2, 2, 3))]
    world.servers = [Server(world, name, lambda: "postgresql://simulated") for name in names]
    if twin:
        world.table = TABLE
    else:
        _, world.table = await set_up(world, lambda node: node.open_table(guest(PEOPLE[0]), OPTIONS))
    faults.failing = random.choice((0.0, 0.02, 0.06))
    faults.slow = random.choice((0.0, 0.01, 0.05))
    faults.losing = random.choice((0.0, 0.1, 1.0))
    nemesis = Nemesis(
        world,
        crash=lambda: crash(random.choice(world.servers)),
        suspend=lambda: suspend(world),
        clock=lambda: jump_clock(world),
        disconnect=lambda: disconnect(world),
        late=lambda: come_back_late(world),
        partition=lambda: partition(world, database),
        storm=lambda: storm(world, database),
        lease=lambda: database.fail_next("INSERT INTO notahat.holds"),
    )
    if twin:
        await play(world, nemesis, PEOPLE, refuses=0.0)
    else:
        await play(world, nemesis, PEOPLE[: random.choice((2, 3))])
    faults.failing = faults.slow = faults.losing = 0.0
    await recover(world)


async def single(world: World, disk: Disk) -> None:
    """One server on a SQLite file."""
    world.servers = [Server(world, "one", lambda: f"sqlite:///{disk.path}")]
    _, world.table = await set_up(world, lambda node: node.open_table(guest(PEOPLE[0]), OPTIONS))
    entry = encode(open_table("K7QX", guest("Fay"), {}, 0.0))

    async def fill(node: Node) -> None:
        await asyncio.gather(*(node.store.append(LONG_TABLE, version, entry) for version in range(LONG_LOG)))

    await set_up(world, fill)
    world.loop.main.spawn(open_tables(world))
    disk.failing = world.random.choice((0.0, 0.0, 0.01))
    nemesis = Nemesis(
        world,
        crash=lambda: crash(world.servers[0], disk),
        clock=lambda: jump_clock(world),
        disconnect=lambda: disconnect(world),
        delete=lambda: delete_file(world, disk),
        decks=lambda: read_decks(world),
    )
    await play(world, nemesis, PEOPLE[: world.random.choice((2, 3))])
    disk.failing = 0.0
    await recover(world)


async def crash_once(world: World, database: Database, step: int) -> None:
    """Two servers and one crash, at any step of the first one: seeds in a row crash at one `await` after another."""
    world.servers = [Server(world, name, lambda: "postgresql://simulated") for name in ("one", "two")]
    _, world.table = await set_up(world, lambda node: node.open_table(guest(PEOPLE[0]), OPTIONS))
    first = world.servers[0]
    first.process.stop_at = first.process.steps + step
    first.process.on_stop = lambda: crash(first)
    world.faults += 1
    world.players = [Client(world, name, 0.5) for name in PEOPLE[:2]]
    await asyncio.sleep(20.0)
    await recover(world)


async def slow_link(world: World) -> None:
    """Guests of two servers write at the same tables. The link of one server is slow, and it gets its share."""
    world.servers = [Server(world, name, lambda: "postgresql://simulated") for name in ("quick", "slow")]
    world.servers[1].process.hop_seconds = HOP_SECONDS
    for number in range(RIVAL_TABLES):
        _, table = await set_up(world, lambda node: node.open_table(guest(PEOPLE[0]), OPTIONS))
        for server in world.servers:
            Rival(world, f"{server.name} {number}", server, table)
    world.faults += 1
    await asyncio.sleep(SECONDS)
    quick, slow = (server.node.metrics.commands["done"] for server in world.servers if server.node is not None)
    world.loop.trace(f"quick {quick}, slow {slow}")
    if slow < LEAST_SHARE * quick:
        world.loop.fail("share", f"a server with a slow link wrote {slow} times, the other {quick} times")


def run(seed: int, scenario: str, *, trace: Trace = None, swapped: bool = False) -> Result:
    """Run one scenario to its end, or until a law is broken."""
    loop, broken = VirtualLoop(f"{scenario} {seed}"), ""
    loop.print_line = trace
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="notahat-")))
        stack.enter_context(loop.patched())
        stack.enter_context(patch.object(table_sync, "DEDUP_ENTRIES", DEDUP_ENTRIES))
        database, disk = Database(loop), Disk(loop, folder)
        stack.enter_context(postgres.patched(database))
        stack.enter_context(disk.patched())
        stack.callback(setattr, log, "propagate", log.propagate)
        log.propagate = False
        world = World(
            loop,
            f"{seed}",
            disk.log if scenario in ("single", "network") else lambda table, after: database.log[table][after:],
        )
        stack.enter_context(world.laws.listening(log))
        match scenario:
            case "cluster":
                main = cluster(world, database)
            case "twin":
                database.log[TABLE] = hidden_game(seed, swapped)
                main = cluster(world, database, twin=True)
            case "single":
                main = single(world, disk)
            case "network":
                main = network.hostile_network(world, f"sqlite:///{disk.path}")
            case "slow":
                main = slow_link(world)
            case _:
                main = crash_once(world, database, seed // len(SCENARIOS) % 600)
        try:
            loop.run(main)
        except Violation as violation:
            broken = str(violation)
    numbers = loop.now, world.laws.acknowledged, world.faults
    return Result(seed, scenario, broken, loop.digest.hexdigest(), *numbers, tuple(loop.tail), tuple(world.received))


def hidden_game(seed: int, swapped: bool) -> list[Commit]:
    """Return the log of a running game; `swapped` exchanges the gifts that lie face down."""
    driver = running_game(seed, own_gifts=False)
    entries = with_swapped_gifts(driver.log, hidden_gifts(driver)) if swapped else driver.log
    return [Commit(TABLE, n, f"preloaded {n}", encode(entry)) for n, entry in enumerate(entries, 1)]


SCENARIOS = ("cluster", "single", "twin", "crash", "network", "slow")


def simulate(seed: int, *, trace: Trace = None) -> Result:
    """Run the scenario of a seed. The two runs of a twin must not differ in one byte or one instant."""
    scenario = SCENARIOS[seed % len(SCENARIOS)]
    result = run(seed, scenario, trace=trace)
    if scenario != "twin" or result.broken:
        return result
    other = run(seed, scenario, swapped=True)
    return result if result.digest == other.digest else _interference(result, other)


def _interference(one: Result, other: Result) -> Result:
    pairs = zip(one.received, other.received, strict=False)
    first = next((f"{a} / {b}" for a, b in pairs if a != b), "the traces differ")
    return structs.replace(one, broken=f"rule 9.5: {other.broken or first}")
