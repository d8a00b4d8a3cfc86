"""Measure the processor time of a durable append per move, by moves per commit.

The store is compared with a bare log without checks and indexes, the lower bound of SQLite, in turns in one run, and
medians count. With PostgreSQL the processor time of the node counts. `python bench/storage.py --write` writes
docs/benchmarks.md.
"""

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from random import Random
from time import process_time
from uuid import UUID, uuid4

from machine import PLAYERS, ROOT, SERVER, describe_run, table, used_by_process, write
from notahat.store.postgres import CONNECTION, PostgresLog, StatementWatch
from notahat.store.sql_store import migrations
from notahat.store.sqlite import SqliteLog
from notahat.store.sqlite_file import connect, migrate
from notahat.store.store import Commit
from notahat.store.writer import Job, PendingAppend

TABLES = 100
BATCHES = (1, 5, 20)
TURNS = 5
MOVES = 1000
EVENTS = bytes(range(130))  # about the size of a move

Write = Callable[[list[Commit]], None]


class GrowingLog:
    """Appends moves of many tables."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._versions = {uuid4(): count(1) for _ in range(TABLES)}
        self._random = Random(4242)
        for _ in range(10):
            write([self._next(table) for table in self._versions])

    def cost(self, together: int) -> tuple[float, float]:
        """Return the microseconds of processor time and the bytes written per move."""
        tables = list(self._versions)
        batches = [[self._next(one) for one in self._random.sample(tables, together)] for _ in range(MOVES // together)]
        began, written = process_time(), bytes_written()
        for batch in batches:
            self._write(batch)
        spent, moves = process_time() - began, len(batches) * together
        return spent / moves * 1e6, (bytes_written() - written) / moves

    def _next(self, table: UUID) -> Commit:
        return Commit(table, next(self._versions[table]), f"{uuid4().hex}:{self._random.getrandbits(48):012x}", EVENTS)


def bytes_written() -> int:
    used = used_by_process(os.getpid())
    assert used is not None
    return used.written


@contextmanager
def sqlite_file() -> Iterator[sqlite3.Connection]:
    with tempfile.TemporaryDirectory() as folder:
        connection = connect(f"{folder}/tables.db")
        yield connection
        connection.close()


@contextmanager
def keyed_log() -> Iterator[Write]:
    """The current schema: a row with its key."""
    with sqlite_file() as db:
        migrate(db)
        yield appending(SqliteLog(db).write_batch)


@contextmanager
def bare_log() -> Iterator[Write]:
    with sqlite_file() as db:
        db.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, id BLOB, version INTEGER, command TEXT, events BLOB)")

        def append(commits: list[Commit]) -> None:
            rows = [value for one in commits for value in (one.table.bytes, one.version, one.key, one.events)]
            values = ", ".join(["(?, ?, ?, ?)"] * len(commits))
            db.execute(f"INSERT INTO log (id, version, command, events) VALUES {values}", rows)  # noqa: S608

        yield append


@contextmanager
def on_postgres() -> Iterator[Write]:
    sys.path.insert(0, str(ROOT / "tests"))
    from support import postgres as database

    os.sched_setaffinity(0, {PLAYERS})
    with database.running() as running:
        os.sched_setaffinity(0, {SERVER})
        url = running.empty_database()
        log = PostgresLog(url, CONNECTION, 20.0, StatementWatch())
        make_schema(url)
        yield appending(log.write_batch)
        log.close()


def make_schema(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA notahat")
        for step in migrations("postgres"):
            connection.execute(step.sql.encode())


def appending(together: Callable[[list[Job]], None]) -> Write:
    def append(commits: list[Commit]) -> None:
        jobs = [PendingAppend(commit, lambda _: None) for commit in commits]
        together(list(jobs))
        assert all(job.result is job.commit for job in jobs)

    return append


STORES = {
    "SQLite, a key of table and version (today)": keyed_log,
    "SQLite, a bare log": bare_log,
    "PostgreSQL, the node alone": on_postgres,
}


def measure() -> str:
    with ExitStack() as stack:
        logs = {name: GrowingLog(stack.enter_context(store())) for name, store in STORES.items()}
        found: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for turn in range(TURNS):
            print(f"\rturn {turn + 1} of {TURNS} ", end="", file=sys.stderr, flush=True)
            for together in BATCHES:
                for name, log in logs.items():
                    found.setdefault((name, together), []).append(log.cost(together))
    head = ["store", *(f"µs, {together} together" for together in BATCHES), "bytes written, 5 together"]
    rows = [
        [
            name,
            *(f"{statistics.median(cost for cost, _ in found[name, together]):.0f}" for together in BATCHES),
            f"{statistics.median(size for _, size in found[name, 5]):,.0f}" if "SQLite" in name else "",
        ]
        for name in STORES
    ]
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {SERVER})
    text = measure()
    print(f"\r{text}")
    if arguments.write:
        write("storage", "A durable append by itself: processor time for each move", text, describe_run())


if __name__ == "__main__":
    main()
