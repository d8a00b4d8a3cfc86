"""What a table costs on our server, beside the same game on Colyseus and boardgame.io.

`python bench/load.py` measures everything (about ten minutes) and writes docs/benchmarks.md; with names of rows (cpu,
postgres, growth, and human, a part of it) it only prints those, unless told to --write. Servers run on one core, their
players on another; what counts is the processor time of the server by the kernel's account. Peers are measured by turns
within one run, three times, and medians are compared. Our server is driven by its public protocol.
"""

import argparse
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

from msgspec import Struct

from machine import (
    PLAYERS,
    ROOT,
    SERVER,
    START_SECONDS,
    Program,
    Used,
    described,
    fetch_packages,
    node,
    raise_limits,
    written_to_files,
)
from page import table, write

TABLES = 20
TURNS = 3
SECONDS = 1.4
WARM_MOVES = 3000
WARM_TRIES = 6
HUMAN_MS = 3000  # somebody moves every three seconds
FAST = "1000"  # clocks run so fast that only the players' speed counts
SIZES = (10, 100, 1000, 3000)
FEW, MANY = 10, 1000


class Played(Struct, frozen=True):
    """What players saw while a server was measured, and what that server used meanwhile."""

    tables: int
    seconds: float
    moves: int
    delivered: int
    bytes: int
    p50: float | None
    p99: float | None
    refused: dict[str, int]
    used: Used
    memory: int

    @property
    def cpu_per_move(self) -> float:
        return self.used.cpu / max(1, self.moves) * 1e6


class Match:
    """A server and its players."""

    def __init__(self, name: str, server: Program, players: Program, store_pid: int | None = None) -> None:
        self.name = name
        self.server = server
        self.players = players
        self._store_pid = store_pid
        self.tables = 0
        self.empty = server.used().memory

    def open(self, tables: int) -> None:
        self.players.say(f"open {tables}")
        self.tables = int(self.players.hear_json()["tables"])

    def play(self, seconds: float, think_ms: int = 0) -> Played:
        self.players.say(f"play {seconds} {think_ms}")
        self.players.hear()
        before, stored = self.server.used(), self._stored()
        saw = self.players.hear_json()
        after = self.server.used()
        spent = after.since(before)
        if self._store_pid is not None:
            spent = Used(spent.cpu, spent.memory, self._stored() - stored)
        memory = after.memory - self.empty
        told = {name: saw[name] for name in ("seconds", "moves", "delivered", "bytes", "p50", "p99", "refused")}
        return Played(tables=self.tables, used=spent, memory=memory, **told)  # type: ignore[arg-type]

    def _stored(self) -> int:
        return written_to_files(self._store_pid) if self._store_pid else 0


@contextmanager
def match(name: str, server: list[str], players: str, **environment: str) -> Iterator[Match]:
    port = free_port()
    pid = int(environment.pop("STORE_PID", 0)) or None
    environment |= {"PORT": str(port), "NODE_ENV": "production"}
    served = Program([word.replace("PORT", str(port)) for word in server], SERVER, environment)
    try:
        wait_for(port)
        crowd = Program([node(), str(ROOT / "bench/load" / players)], PLAYERS, environment, quiet=False)
        try:
            yield Match(name, served, crowd, pid)
        finally:
            crowd.stop()
    finally:
        served.stop()


@contextmanager
def ours(
    name: str = "Not a Hat, changes only", store: str = "", pace: str = FAST, store_pid: int = 0, changes: bool = True
) -> Iterator[Match]:
    """Our server, with clients that ask for changes only, as our page does, or with those that get whole views."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "notahat", "serve", "--no-browser", "--port", "PORT", "--pace", pace]
        command += ["--data", folder, *(["--store", store] if store else [])]
        environment = {"NOTAHAT_GUESTS_PER_ADDRESS": "1000000", "STORE_PID": str(store_pid)}
        environment |= {"CHANGES": "1"} if changes else {}
        with match(name, command, "our_players.cjs", **environment) as begun:
            yield begun


def ours_in_full() -> AbstractContextManager[Match]:
    return ours("Not a Hat, whole views", changes=False)


def colyseus() -> AbstractContextManager[Match]:
    return peer("Colyseus", "colyseus")


def boardgame() -> AbstractContextManager[Match]:
    return peer("boardgame.io", "boardgame")


def peer(name: str, which: str) -> AbstractContextManager[Match]:
    return match(name, [node(), str(ROOT / f"bench/load/{which}_server.cjs")], f"{which}_players.cjs")


@contextmanager
def ours_on_postgres(pace: str = FAST) -> Iterator[Match]:
    """Our server with a PostgreSQL, which runs beside the players."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support import postgres as database

    here = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {PLAYERS})
    with database.running() as running:
        os.sched_setaffinity(0, here)
        with ours("Not a Hat, PostgreSQL", running.empty_database(), pace, running.pid) as begun:
            yield begun


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not start")


def progress(words: str) -> None:
    print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def warm_up(one: Match) -> None:
    """Node compiles what runs often: on a busy machine that takes longer, and would be measured."""
    moves = tries = 0
    while moves < WARM_MOVES and tries < WARM_TRIES:
        moves += one.play(SECONDS / 2).moves
        tries += 1


def by_turns(servers: Sequence[Callable[[], AbstractContextManager[Match]]]) -> dict[str, list[Played]]:
    """All servers with the same tables, each played in its turn: a noisy moment is noisy for all."""
    with ExitStack() as stack:
        matches = [stack.enter_context(server()) for server in servers]
        for one in matches:
            progress(f"{one.name}: opening {TABLES} tables")
            one.open(TABLES)
            warm_up(one)
        played: dict[str, list[Played]] = {one.name: [] for one in matches}
        for turn in range(TURNS):
            for one in matches:
                progress(f"{one.name}: turn {turn + 1} of {TURNS}")
                played[one.name].append(one.play(SECONDS))
    progress("")
    return played


def compared(played: dict[str, list[Played]]) -> str:
    """CPU per move, and how many times that is what the peers need: the median of the turns' ratios."""
    peers = [name for name in played if not name.startswith("Not a Hat")]
    head = ["server", "CPU µs per move", "three turns", *(f"of {peer}" for peer in peers)]
    head += ["moves/s", "bytes a message", "bytes written per move"]
    return table(
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
    return compared(by_turns([ours, ours_in_full, colyseus, boardgame]))


def on_postgres() -> str:
    return compared(by_turns([ours_on_postgres, colyseus]))


def at_human_pace(server: AbstractContextManager[Match], sizes: Sequence[int]) -> list[Played]:
    """More and more tables on one server, at which somebody moves every three seconds."""
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


def human() -> str:
    measured = at_human_pace(ours(pace="1"), (FEW, MANY))
    return growing({"SQLite": measured}) + last_views(measured)


def growth() -> str:
    measured = at_human_pace(ours(pace="1"), SIZES)
    text = growing({"SQLite": measured, "PostgreSQL": at_human_pace(ours_on_postgres("1"), SIZES)})
    return text + last_views(measured)


def last_views(measured: list[Played]) -> str:
    """How long the last of four waits for a move where many play, against where few do."""
    few, many = ({one.tables: one for one in measured}[size] for size in (FEW, MANY))
    times = (many.p99 or 0.0) / (few.p99 or 1.0)
    words = f"{many.p99 or 0:.1f} ms with {MANY:,} tables, {few.p99 or 0:.1f} ms with {FEW}: {times:.2f} ×"
    return f"\n\np99 from a command to the last of the four views, SQLite: {words}."


def growing(measured: dict[str, list[Played]]) -> str:
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
    return table(head, rows) + (f"\n\nRefused: {', '.join(sorted(set(refused)))}." if refused else "")


ROWS: dict[str, tuple[str, Callable[[], str]]] = {
    "cpu": (f"Processor time of a move: {TABLES} tables of four, SQLite, as fast as they can", cpu),
    "postgres": ("The same on PostgreSQL, the node alone", on_postgres),
    "human": ("At human pace: a move every 3 s at each table, SQLite", human),
    "growth": ("Growth at human pace", growth),
}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("rows", nargs="*", choices=[[], *ROWS], metavar="ROW", help=", ".join(ROWS))
    reader.add_argument("--write", action="store_true", help="write chosen rows to docs/benchmarks.md too")
    asked = reader.parse_args()
    fetch_packages()
    raise_limits()
    for name in asked.rows or ("cpu", "postgres", "growth"):
        title, measure = ROWS[name]
        text = measure()
        print(f"{title}\n\n{text}\n", flush=True)
        if asked.write or not asked.rows:
            write(name, title, text, described())


if __name__ == "__main__":
    main()
