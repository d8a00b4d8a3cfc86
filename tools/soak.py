"""A long run: tables come and go for half an hour, and nothing may be left of them in memory.

`make soak` (or `python tools/soak.py MINUTES [--write]`). People of the Python client and computer players sit down,
play a round, lose their connection now and then, and leave; what nobody touched for two minutes is cleaned away once a
minute while others play. At the end it says whether memory stayed flat after the warm-up, whether tasks, threads,
sockets or files were left behind, what a game costs on the disk, and how long the longest wait of a move was while
something was cleaned away: from lying in the socket until it is read, and from there until it is durable and answered.
What counts is the server's own part of that (tools/soak_server.py says how it is told apart from a machine that has no
processor to give); what the clock says stands beside it, and so does what a bare write and sync took meanwhile.
With --write the figures go to docs/benchmarks.md. Exit code 1 when a promise is broken.
"""

import asyncio
import contextlib
import os
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import psutil
from msgspec import Struct

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

from soak_server import CLEAN_EVERY, NOTES  # noqa: E402

TABLES = 12
GUESTS = 120
PACE = 20.0
KEEP_SECONDS = 120.0
LOOK_SECONDS = 5.0
REST_SECONDS = 25.0  # an empty room is closed after ten, by somebody who looks every five
MOST_GROWTH = 0.05
LONGEST_WAIT = 0.050
DROPPED = 0.15  # how many lose their connection in a game
SYNC_SECONDS = 0.25


class Look(Struct):
    """What the server held at a moment."""

    at: float
    memory: int
    files: int
    threads: int
    tasks: int
    sockets: int
    tables: int


class Wait(Struct):
    """Somebody waited longer than most: when that ended, how long it was by the clock, and the server's own part."""

    at: float
    seconds: float
    own: float


class Cleaning(Struct):
    """From when to when, and how many tables."""

    began: float
    ended: float
    tables: int


class Notes(Struct):
    """What the server noted of itself."""

    cleanings: list[Cleaning]
    waited: list[Wait]  # moves, from being read to being answered
    late: list[Wait]  # the loop, for whatever lay unread
    slices: list[Wait]  # writes while something was cleaned away; here the clock is the processor's

    def longest(self, waits: list[Wait], cleaning: bool) -> Wait:
        """The longest of each kind, while something was cleaned away or otherwise."""
        those = [wait for wait in waits if cleaning == any(c.began <= wait.at <= c.ended for c in self.cleanings)]
        return Wait(0.0, max((w.seconds for w in those), default=0.0), max((w.own for w in those), default=0.0))


class Evenings:
    """People who sit down together, play, and leave, again and again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._tokens: list[str] = []
        self._luck = Random(15)
        self.games = 0
        self.moves = 0
        self.stopping = False

    async def invite(self) -> None:
        from notahat.clients.python import Client

        for _ in range(GUESTS):
            async with Client(self._url) as client:
                self._tokens.append(client.token or "")

    async def go_on(self) -> None:
        """One table after the other."""
        while not self.stopping:
            people = self._luck.randint(1, 3)
            tokens = [self._tokens.pop(self._luck.randrange(len(self._tokens))) for _ in range(people)]
            try:
                await self._play(tokens)
            finally:
                self._tokens += tokens
            self.games += 1

    async def _play(self, tokens: list[str]) -> None:
        from notahat.clients.python import Client
        from support.load import Person

        async with contextlib.AsyncExitStack() as stack:
            people: list[Person] = []
            code = ""
            for number, token in enumerate(tokens):
                client = await stack.enter_async_context(Client(self._url, token))
                code = code or await client.open_table(show_seconds=0, patience_seconds=30)
                table = await stack.enter_async_context(client.table(code))
                person = Person(client, table, Random(self._luck.random()))
                person.seats = (await person.do("sit", name=f"Person {number + 1}")).you
                people.append(person)
            for _ in range(self._luck.randint(3 - len(people) if len(people) < 3 else 0, 3)):
                await people[0].do("add_bot", level="casual")
            if len(people[0].table.state.view.seats if people[0].table.state else ()) < 3:
                await people[0].do("add_bot", level="regular")
            await people[0].do("start")
            playing = [asyncio.create_task(person.play()) for person in people]
            if self._luck.random() < DROPPED:
                await asyncio.sleep(self._luck.uniform(0.5, 3))
                people[-1].table.drop()
            await asyncio.gather(*playing)
            self.moves += sum(len(person.promised) for person in people)


def quick_file() -> Path:
    """Where nothing that is written waits for a disk: taking notes must not be what takes long."""
    memory = Path("/dev/shm")  # noqa: S108
    number, name = tempfile.mkstemp(prefix="soak", dir=memory if memory.is_dir() else None)
    os.close(number)
    return Path(name)


class Server:
    """The server that is watched."""

    def __init__(self, folder: Path, minutes: float) -> None:
        from support.server_process import Served

        self._notes = quick_file()
        self._data = folder
        keep = min(KEEP_SECONDS, minutes * 10)  # in a short run, too, something grows old
        own = {"NOTAHAT_KEEP_DAYS": str(keep / 86400), NOTES: str(self._notes), CLEAN_EVERY: str(keep / 2)}
        served = Served(folder, PACE, luck=None, measured=True, **own)
        served.program = (str(Path(__file__).with_name("watched.py")),)
        self.served = served.start()
        self.process = psutil.Process(served.process.pid)

    def stop(self) -> None:
        self.served.stop()
        self._notes.unlink()

    def look(self) -> Look:
        told = dict(re.findall(r"^notahat_(tasks|sockets|tables|threads) (\d+)$", self.served.figures(), re.MULTILINE))
        with self.process.oneshot():
            memory, files = self.process.memory_info().rss, self.process.num_fds()
        return Look(
            time.time(),
            memory,
            files,
            int(told["threads"]),
            int(told["tasks"]),
            int(told["sockets"]),
            int(told["tables"]),
        )

    def notes(self) -> Notes:
        notes = Notes([], [], [], [])
        for kind, *values in (line.split() for line in self._notes.read_text().splitlines()):
            at, one, other = map(float, values)
            match kind:
                case "cleaned":
                    notes.cleanings.append(Cleaning(at, one, int(other)))
                case "waited":
                    notes.waited.append(Wait(at, one, other))
                case "late":
                    notes.late.append(Wait(at, one, other))
                case "slice":
                    notes.slices.append(Wait(at, other, one))
        return notes

    def sync(self) -> float:
        """How long it takes to write one page beside it, and to sync that."""
        began = time.monotonic()
        with (self._data / "beside").open("wb", buffering=0) as file:
            file.write(bytes(4096))
            os.fsync(file.fileno())
        return time.monotonic() - began

    def kept(self) -> tuple[int, float, float]:
        """Tables that are kept, bytes of events for each, and bytes of the file for each."""
        with contextlib.closing(sqlite3.connect(f"file:{self._data}/notahat.db?mode=ro", uri=True)) as db:
            (tables, said) = db.execute(
                "SELECT count(DISTINCT table_id), total(length(events) + length(command)) FROM log"
            ).fetchone()
            (pages,) = db.execute("PRAGMA page_count").fetchone()
            (free,) = db.execute("PRAGMA freelist_count").fetchone()
        return tables, said / max(1, tables), (pages - free) * 4096 / max(1, tables)

    @property
    def written(self) -> int:
        return int(self.process.io_counters().write_bytes)


async def sync_beside(server: Server, syncs: list[Wait]) -> None:
    while True:
        seconds = await asyncio.to_thread(server.sync)
        syncs.append(Wait(time.time(), seconds, seconds))
        await asyncio.sleep(SYNC_SECONDS)


async def soak(minutes: float, server: Server, syncs: list[Wait]) -> tuple[list[Look], Look, Look, Evenings]:
    evenings = Evenings(server.served.url)
    before = await asyncio.to_thread(server.look)
    await evenings.invite()
    ends = time.monotonic() + minutes * 60
    going = [asyncio.create_task(evenings.go_on()) for _ in range(TABLES)]
    looks: list[Look] = []
    syncing = asyncio.create_task(sync_beside(server, syncs))
    while time.monotonic() < ends:
        await asyncio.sleep(LOOK_SECONDS)
        failed = [task for task in going if task.done()]
        if failed:
            await asyncio.gather(*failed)
        looks.append(await asyncio.to_thread(server.look))
        now = looks[-1]
        left = (ends - time.monotonic()) / 60
        told = f"{left:.1f} minutes left · {evenings.games} games · {now.memory / 1e6:.1f} MB · {now.files} files"
        print(f"\r\x1b[K{told} · {now.tasks} tasks", end="", file=sys.stderr, flush=True)
    evenings.stopping = True
    syncing.cancel()
    await asyncio.wait_for(asyncio.gather(*going), 300)
    await asyncio.sleep(REST_SECONDS)
    print(file=sys.stderr)
    return looks, before, await asyncio.to_thread(server.look), evenings


class Verdict(Struct):
    """A promise, what was found, and whether it was kept."""

    promise: str
    found: str
    kept: bool


def judged(looks: list[Look], before: Look, after: Look, notes: Notes, syncs: list[Wait]) -> Iterable[Verdict]:
    warm = looks[max(len(looks) // 4, min(len(looks) // 2, int(120 / LOOK_SECONDS))) :]
    third = max(1, len(warm) // 3)
    early, late = (statistics.median(look.memory for look in part) for part in (warm[:third], warm[-third:]))
    grown = late / early - 1
    yield Verdict(
        f"memory grows by at most {MOST_GROWTH:.0%} after the warm-up",
        f"{early / 1e6:.1f} to {late / 1e6:.1f} MB ({grown:+.1%})",
        grown <= MOST_GROWTH,
    )
    for name, more in (("tasks", 0), ("sockets", 0), ("tables", 0), ("files", 2), ("threads", 2)):
        found, was = getattr(after, name), getattr(before, name)
        yield Verdict(f"no {name} are left behind", f"{was} before, {found} after everybody left", found <= was + more)
    yield waiting(notes, syncs)


def waiting(notes: Notes, syncs: list[Wait]) -> Verdict:
    """On a disk that is slow by itself nobody can be quicker than a bare write and sync."""
    disk = notes.longest(syncs, cleaning=False).seconds
    read, answered = notes.longest(notes.late, cleaning=True), notes.longest(notes.waited, cleaning=True)
    usual = notes.longest(notes.late, cleaning=False), notes.longest(notes.waited, cleaning=False)
    slice_ = notes.longest(notes.slices, cleaning=True)
    tables = sum(cleaning.tables for cleaning in notes.cleanings)
    own = read.own + answered.own
    return Verdict(
        f"a move waits at most {LONGEST_WAIT * 1000:.0f} ms for the server itself while tables are cleaned away, or as "
        "long as a bare write and sync of one page took when nothing was cleaned",
        f"{own * 1000:.0f} ms at the most ({read.own * 1000:.0f} to be read, {answered.own * 1000:.0f} to be answered) "
        f"in {sum(c.ended - c.began for c in notes.cleanings):.0f} s of cleaning ({tables} tables); "
        f"{usual[0].own * 1000:.0f} and {usual[1].own * 1000:.0f} ms otherwise; the longest write while cleaning took "
        f"{slice_.seconds * 1000:.1f} ms of the processor and {slice_.own * 1000:.0f} ms with the disk. By the clock, "
        f"with what the machine let it wait for a processor: {read.seconds * 1000:.0f} and "
        f"{answered.seconds * 1000:.0f} ms, {usual[0].seconds * 1000:.0f} and {usual[1].seconds * 1000:.0f} otherwise. "
        f"A bare write and sync: {disk * 1000:.0f} ms at the most",
        own <= max(LONGEST_WAIT, disk) and tables > 0,
    )


def main(minutes: float, write: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), minutes)
        try:
            written = server.written
            syncs: list[Wait] = []
            looks, before, after, evenings = asyncio.run(soak(minutes, server, syncs))
            verdicts = list(judged(looks, before, after, server.notes(), syncs))
            tables, said, filed = server.kept()
            wrote = (server.written - written) / max(1, evenings.games)
        finally:
            server.stop()
        quiet = '"trace"' not in server.served.log and '"level":"error"' not in server.served.log
    verdicts.append(Verdict("no error is logged", "none" if quiet else "see above", quiet))
    costs = (
        f"{minutes:g} minutes, {evenings.games:,} games with {evenings.moves:,} answered orders of people, {TABLES} "
        f"tables at a time. A game keeps {said / 1000:.1f} kB of events ({filed / 1000:.1f} kB of the file, {tables} "
        f"tables kept at the end) and writes {wrote / 1000:.0f} kB to the disk."
    )
    print(costs)
    for verdict in verdicts:
        print("kept:  " if verdict.kept else "BROKEN:", f"{verdict.promise}: {verdict.found}")
    if write:
        from machine import described
        from page import table
        from page import write as write_page

        rows = [[verdict.promise, verdict.found, "yes" if verdict.kept else "NO"] for verdict in verdicts]
        text = f"{table(['promise', 'found', 'kept'], rows)}\n\n{costs}"
        write_page("soak", "A long run: tables come and go", text, described(peers=False))
    return 0 if all(verdict.kept for verdict in verdicts) else 1


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    sys.exit(main(float(words[0]) if words else 30.0, "--write" in sys.argv))
