"""Compare the cost of a move on our server with the same game on Colyseus, also durable, and boardgame.io.

`python bench/load.py` measures everything (about fifteen minutes) and writes docs/benchmarks.md. With names of rows
(cpu, pace, postgres, growth) it only prints those, unless --write is given. Servers run on
one core and players on another; the kernel's processor time of the server counts. Servers are measured in turns in one
run, three times (five times at human pace), and medians are compared.
"""

import argparse
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

from msgspec import Struct

import machine

TABLES = 20
TURNS = 3
SECONDS = 1.4
WARM_MOVES = 3000
WARM_TRIES = 6
HUMAN_MS = 3000  # a move every three seconds
HUMAN_TURNS = 5
HUMAN_SECONDS = 12.0
FAST = "1000"  # so fast that the server's pauses do not count
SIZES = (10, 100, 1000, 3000)
FEW, MANY = 10, 1000


class Played(Struct, frozen=True):
    """What players measured, and what the server used meanwhile."""

    tables: int
    seconds: float
    moves: int
    delivered: int
    bytes: int
    p50: float | None
    p99: float | None
    refused: dict[str, int]
    used: machine.Used
    memory: int

    @property
    def cpu_per_move(self) -> float:
        return self.used.cpu / max(1, self.moves) * 1e6


class Match:
    """A server and its players."""

    def __init__(
        self, name: str, port: int, server: machine.Program, players: machine.Program, store_pid: int | None = None
    ) -> None:
        self.name = name
        self.port = port
        self.server = server
        self.players = players
        self._store_pid = store_pid
        self.tables = 0
        self.empty = server.used().memory

    def open(self, tables: int) -> None:
        self.players.write_line(f"open {tables}")
        self.tables = int(self.players.read_json()["tables"])

    def play(self, seconds: float, think_ms: int = 0) -> Played:
        self.players.write_line(f"play {seconds} {think_ms}")
        self.players.read_line()
        before, stored = self.server.used(), self._stored_bytes()
        seen = self.players.read_json()
        after = self.server.used()
        spent = after.since(before)
        if self._store_pid is not None:
            spent = machine.Used(spent.cpu, spent.memory, self._stored_bytes() - stored)
        memory = after.memory - self.empty
        figures = {name: seen[name] for name in ("seconds", "moves", "delivered", "bytes", "p50", "p99", "refused")}
        return Played(tables=self.tables, used=spent, memory=memory, **figures)  # type: ignore[arg-type]

    def _stored_bytes(self) -> int:
        return machine.written_to_files(self._store_pid) if self._store_pid else 0


@contextmanager
def match(name: str, server: list[str], players: str, **environment: str) -> Iterator[Match]:
    port = free_port()
    pid = int(environment.pop("STORE_PID", 0)) or None
    environment |= {"PORT": str(port), "NODE_ENV": "production"}
    server_program = machine.Program([word.replace("PORT", str(port)) for word in server], machine.SERVER, environment)
    try:
        wait_for(port)
        player_program = machine.Program(
            [machine.node(), str(machine.ROOT / "bench/load" / players)], machine.PLAYERS, environment, quiet=False
        )
        try:
            yield Match(name, port, server_program, player_program, pid)
        finally:
            player_program.stop()
    finally:
        server_program.stop()


@contextmanager
def ours(
    name: str = "Not a Hat, changes only", store: str = "", pace: str = FAST, store_pid: int = 0, changes: bool = True
) -> Iterator[Match]:
    """Run our server with clients that receive deltas, as our page does, or whole views."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "notahat", "serve", "--no-browser", "--port", "PORT", "--pace", pace]
        command += ["--data", folder, *(["--store", store] if store else [])]
        environment = {"NOTAHAT_GUESTS_PER_ADDRESS": "1000000", "STORE_PID": str(store_pid)}
        environment |= {"CHANGES": "1"} if changes else {}
        with match(name, command, "our_players.cjs", **environment) as started:
            yield started


def ours_in_full() -> AbstractContextManager[Match]:
    return ours("Not a Hat, whole views", changes=False)


def colyseus() -> AbstractContextManager[Match]:
    return peer("Colyseus", "colyseus")


def colyseus_durable() -> AbstractContextManager[Match]:
    return peer("Colyseus, durable", "colyseus_durable", "colyseus")


def colyseus_naive() -> AbstractContextManager[Match]:
    return peer("Colyseus, a commit per move", "colyseus_durable", "colyseus", COMMIT="each")


def boardgame() -> AbstractContextManager[Match]:
    return peer("boardgame.io", "boardgame")


def peer(name: str, which: str, players: str = "", **environment: str) -> AbstractContextManager[Match]:
    server = [machine.node(), str(machine.ROOT / f"bench/load/{which}_server.cjs")]
    return match(name, server, f"{players or which}_players.cjs", **environment)


@contextmanager
def ours_on_postgres(pace: str = FAST) -> Iterator[Match]:
    """Run our server with a PostgreSQL on the players' core."""
    sys.path.insert(0, str(machine.ROOT / "tests"))
    from support import postgres as database

    affinity = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {machine.PLAYERS})
    with database.running() as running:
        os.sched_setaffinity(0, affinity)
        with ours("Not a Hat, PostgreSQL", running.empty_database(), pace, running.pid) as started:
            yield started


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    deadline = time.monotonic() + machine.START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not start")


def progress(words: str) -> None:
    print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def warm_up(one: Match) -> None:
    """Let Node compile its hot code before the measurement."""
    moves = tries = 0
    while moves < WARM_MOVES and tries < WARM_TRIES:
        moves += one.play(SECONDS / 2).moves
        tries += 1


def measure_in_turns(
    servers: Sequence[Callable[[], AbstractContextManager[Match]]], tables: int = TABLES, think_ms: int = 0
) -> dict[str, list[Played]]:
    """Measure all servers in turns, so that noise affects all."""
    turns, seconds = (HUMAN_TURNS, HUMAN_SECONDS) if think_ms else (TURNS, SECONDS)
    with ExitStack() as stack:
        matches = [stack.enter_context(server()) for server in servers]
        for one in matches:
            progress(f"{one.name}: opening {tables} tables")
            one.open(tables)
            warm_up(one)
        played: dict[str, list[Played]] = {one.name: [] for one in matches}
        for turn in range(turns):
            for one in matches:
                progress(f"{one.name}: turn {turn + 1} of {turns}")
                played[one.name].append(one.play(seconds, think_ms))
    progress("")
    return played


def comparison(played: dict[str, list[Played]]) -> str:
    """Return CPU time per move and its ratio to the peers: the median of the turns' ratios."""
    peers = [name for name in played if not name.startswith("Not a Hat")]
    head = ["server", "CPU µs per move", "turns", *(f"of {peer}" for peer in peers)]
    head += ["moves/s", "bytes a message", "bytes written per move"]
    return machine.table(
        head, [[name, *costs(turns), *ratios(turns, peers, played), *flow(turns)] for name, turns in played.items()]
    )


def costs(turns: list[Played]) -> list[str]:
    costs = [turn.cpu_per_move for turn in turns]
    return [f"{statistics.median(costs):.0f}", f"{min(costs):.0f}–{max(costs):.0f}"]


def ratios(turns: list[Played], peers: list[str], played: dict[str, list[Played]]) -> list[str]:
    pairs = [zip(turns, played[peer], strict=True) for peer in peers]
    return [
        f"{statistics.median(one.cpu_per_move / other.cpu_per_move for one, other in pair):.2f} ×" for pair in pairs
    ]


def flow(turns: list[Played]) -> list[str]:
    a_second = statistics.median(turn.moves / turn.seconds for turn in turns)
    size = sum(turn.bytes for turn in turns) / sum(turn.delivered for turn in turns)
    written = sum(turn.used.written for turn in turns) / sum(turn.moves for turn in turns)
    return [f"{a_second:,.0f}", f"{size:,.0f}" if size else "", f"{written:,.0f}" if written else "none"]


def cpu() -> str:
    servers = [ours, ours_in_full, colyseus_durable, colyseus_naive, colyseus, boardgame]
    return comparison(measure_in_turns(servers))


def pace() -> str:
    """Compare with the peer that keeps our promise, as people play."""
    played = measure_in_turns([ours, colyseus_durable], MANY, HUMAN_MS)
    latencies = "; ".join(
        f"{name}: p50 {median(turn.p50 for turn in turns):.1f} ms, p99 {median(turn.p99 for turn in turns):.1f} ms, "
        f"{turns[-1].memory / MANY / 1000:.0f} kB of memory a table"
        for name, turns in played.items()
    )
    return f"{comparison(played)}\n\nMedians: {latencies}."


def median(values: Iterable[float | None]) -> float:
    return statistics.median(value or 0.0 for value in values)


def on_postgres() -> str:
    return comparison(measure_in_turns([ours_on_postgres, colyseus]))


def at_human_pace(server: AbstractContextManager[Match], sizes: Sequence[int]) -> list[Played]:
    """Measure one server with more and more tables, with a move every three seconds at each."""
    measured = []
    with server as one:
        for size in sizes:
            progress(f"{one.name}: opening {size} tables")
            one.open(size)
            seconds = 60.0 if size <= FEW else 20.0
            progress(f"{one.name}: {size} tables for {seconds:.0f} s")
            measured.append(one.play(seconds, HUMAN_MS))
    progress("")
    return measured


def growth() -> str:
    measured = at_human_pace(ours(pace="1"), SIZES)
    text = growth_table({"SQLite": measured, "PostgreSQL": at_human_pace(ours_on_postgres("1"), SIZES)})
    return text + latency_note(measured)


def latency_note(measured: list[Played]) -> str:
    """Compare the latency until the last of four views, with many tables and with few."""
    few, many = ({one.tables: one for one in measured}[size] for size in (FEW, MANY))
    times = (many.p99 or 0.0) / (few.p99 or 1.0)
    words = f"{many.p99 or 0:.1f} ms with {MANY:,} tables, {few.p99 or 0:.1f} ms with {FEW}: {times:.2f} ×"
    return f"\n\np99 from a command to the last of the four views, SQLite: {words}."


def growth_table(measured: dict[str, list[Played]]) -> str:
    head = [
        "tables",
        "store",
        "share of a core",
        "CPU µs per move",
        "per delivered message",
        "bytes written per move",
        "kB of memory a table",
        "p50 ms",
        "p99 ms",
        "moves/s",
    ]
    rows = [
        [
            f"{one.tables:,}",
            store,
            f"{one.used.cpu / one.seconds:.1%}",
            f"{one.cpu_per_move:.0f}",
            f"{one.used.cpu / max(1, one.delivered) * 1e6:.0f}",
            f"{one.used.written / max(1, one.moves):,.0f}",
            f"{one.memory / one.tables / 1000:.0f}",
            f"{one.p50 or 0:.1f}",
            f"{one.p99 or 0:.1f}",
            f"{one.moves / one.seconds:,.0f}",
        ]
        for store, several in measured.items()
        for one in several
    ]
    refused = [reason for several in measured.values() for one in several for reason in one.refused]
    return machine.table(head, rows) + (f"\n\nRefused: {', '.join(sorted(set(refused)))}." if refused else "")


ROWS: dict[str, tuple[str, Callable[[], str]]] = {
    "cpu": (f"Processor time of a move: {TABLES} tables of four, SQLite, as fast as they can", cpu),
    "pace": (f"Beside Colyseus at human pace: {MANY:,} tables of four, a move every 3 s at each, SQLite", pace),
    "postgres": ("The same on PostgreSQL, the node alone", on_postgres),
    "growth": ("Growth at human pace", growth),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS], metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--write", action="store_true", help="write chosen rows to docs/benchmarks.md too")
    arguments = parser.parse_args()
    machine.fetch_packages()
    machine.raise_limits()
    for name in arguments.rows or ("cpu", "pace", "postgres", "growth"):
        title, measure = ROWS[name]
        text = measure()
        print(f"{title}\n\n{text}\n", flush=True)
        if arguments.write or not arguments.rows:
            machine.write(name, title, text, machine.describe_run())


if __name__ == "__main__":
    main()
