"""The store for one process: a SQLite file in WAL mode, synced to disk before an append is acknowledged."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID, uuid4

from notahat.store.sql_store import A_DAY, Row, SafeClock, SqlStore, first_id
from notahat.store.sqlite_file import MEMORY, CommitNote, FileWatch, close_on_error, connect, open_file, sqlite_path
from notahat.store.store import Commit, Done, OnPresence, OnVersion, Unavailable
from notahat.store.writer import Job, PendingAppend, PendingWrite, Writer, write_together


class SqliteLog:
    """The owner of the writing connection. The writer's thread calls `write_batch`."""

    def __init__(
        self, connection: sqlite3.Connection, watch: FileWatch | None = None, note: CommitNote | None = None
    ) -> None:
        self._db = connection
        self._watch = watch
        self._note = note

    def close(self) -> None:
        self._db.close()
        if self._note is not None:
            self._note.close()

    def write_batch(self, jobs: list[Job]) -> None:
        write_together(jobs, self._commit, concerns_all, sqlite3.Error)

    def _commit(self, jobs: list[Job]) -> None:
        """Write in one transaction; nothing if the file is not the one that was opened."""
        if self._watch is not None:
            self._watch.check()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._write(jobs)
        newest = next((job.result for job in reversed(jobs) if isinstance(job.result, Commit)), None)
        if newest is not None and self._note is not None:
            self._note.write(newest)

    def _write(self, jobs: list[Job]) -> None:
        appends = [job for job in jobs if isinstance(job, PendingAppend)]
        if appends and not self._insert(appends):
            for append in appends:
                self._append_checked(append)
        for job in jobs:
            if isinstance(job, PendingWrite):
                job.result = job.write(self._db)

    def _insert(self, jobs: list[PendingAppend]) -> bool:
        """Insert the commits that follow an existing version and are not there yet; return whether all were."""
        now, values = time.time(), list[object]()
        for job in jobs:
            commit = job.commit
            values += (commit.table.bytes, commit.version, now, commit.key, commit.events)
            if commit.version == 1:
                self._db.execute("INSERT OR IGNORE INTO tables VALUES (?, ?)", (commit.table.bytes, now))
            job.result = commit
        return self._db.execute(insertion(len(jobs)), values).rowcount == len(jobs)

    def _append_checked(self, job: PendingAppend) -> None:
        """Append one commit; if it is not the next one, read whether an earlier attempt has written it."""
        if not self._insert([job]):
            values = (job.commit.table.bytes, job.commit.version)
            found = self._db.execute("SELECT command, events FROM log WHERE table_id = ? AND version = ?", values)
            job.compare_with_log(found.fetchone())


def concerns_all(error: Exception) -> bool:
    """Return whether each job alone would fail as well: the file is gone, or another process writes for too long."""
    return isinstance(error, Unavailable) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY


@lru_cache(maxsize=1024)
def insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?)"] * rows)
    return (
        f"WITH new (id, number, at, command, events) AS (VALUES {values}) "  # noqa: S608
        "INSERT INTO log SELECT * FROM new "
        "WHERE number = 1 OR EXISTS (SELECT 1 FROM log WHERE table_id = id AND version = number - 1) "
        "ON CONFLICT DO NOTHING"
    )


T = TypeVar("T")
Delete = Callable[[sqlite3.Connection, bytes], int]  # deletes by a key; returns 1 if it did
CLOSING_TIMEOUT_SECONDS = 3.0  # how long a read may delay the end of the server
# a cleanup is many writes of two milliseconds, with pauses in which appends run
SLICE_SECONDS = 0.002
PAUSE_SECONDS = 0.004
ERASING_TRIES, ERASING_PAUSE = 20, 0.2  # others cannot write during a try
FREE_PAGES_KEPT = 256  # for the next writes

# the update changes nothing, but makes a known hash return its guest
ADD_GUEST = "INSERT INTO guests VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING id"
# a ticket of no guest: a write without meaning that reaches the disk like any other
TEST_WRITE = "INSERT OR REPLACE INTO tickets VALUES (x'', x'', ?)"
# `touched` is when a table was created; its newest commit may be later
LAST_USE = "max(touched, COALESCE((SELECT at FROM log WHERE table_id = id ORDER BY version DESC LIMIT 1), 0))"
OLD_TABLES = f"SELECT id FROM tables WHERE touched < ? AND {LAST_USE} < ?"  # noqa: S608


class SqliteStore(SqlStore):
    """A store in one file."""

    def __init__(self, path: str) -> None:
        self._leased: set[UUID] = set()
        connection = open_file(path)
        with close_on_error(connection):
            ((newest,),) = connection.execute(f"SELECT max({LAST_USE}) FROM tables")  # noqa: S608
            self._clock = SafeClock(newest)
            self._watch = None if path == MEMORY else FileWatch(path, connection)
            self._note = None if path == MEMORY else CommitNote(path, connection)
            self._reader = None if path == MEMORY else Reader(path)
        self._log = SqliteLog(connection, self._watch, self._note)
        self._writer = Writer(self._log.write_batch, self._log.close)

    @classmethod
    async def open(cls, url: str) -> "SqliteStore":
        return cls(sqlite_path(url))

    def submit(self, table: UUID, expected: int, events: bytes, key: str, done: Done) -> None:
        self._writer.append(Commit(table, expected + 1, key, events), done)

    async def tables(self) -> list[UUID]:
        return [UUID(bytes=row[0]) for row in await self._read("SELECT id FROM tables")]

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:
        """There are no other nodes, so there is nothing to report."""
        return lambda: None

    async def refresh_presence(self, table: UUID) -> None:
        """There are no other nodes."""

    async def create_alias(self, code: str, table: UUID) -> bool:
        return await self._writer.write(lambda db: create_alias(db, code, table))

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID:
        values = (hash_, (guest or uuid4()).bytes, time.time())
        ((id_,),) = await self._write(ADD_GUEST, *values)
        return UUID(bytes=id_)

    async def guest(self, hash_: bytes) -> UUID | None:
        found = await self._read("SELECT id, seen FROM guests WHERE hash = ?", hash_)
        if found and time.time() - found[0][1] > A_DAY:
            await self._write("UPDATE guests SET seen = ? WHERE hash = ?", time.time(), hash_)
        return first_id(found)

    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None:
        await self._write("INSERT OR IGNORE INTO tickets VALUES (?, ?, ?)", hash_, guest, time.time() + seconds)

    async def take_ticket(self, hash_: bytes) -> UUID | None:
        taken = await self._write("DELETE FROM tickets WHERE hash = ? RETURNING guest, expires", hash_)
        return first_id([row for row in taken if row[1] > time.time()])

    async def tables_containing(self, text: bytes) -> list[UUID]:
        found = await self._read("SELECT DISTINCT table_id FROM log WHERE instr(events, ?) > 0", text)
        return [UUID(bytes=row[0]) for row in found]

    async def delete_table(self, table: UUID) -> None:
        await self._write("PRAGMA secure_delete = ON")  # overwrite what is deleted
        await self._writer.write(lambda db: self._delete_table(db, table.bytes, float("inf"), frozenset()))

    def _delete_table(self, db: sqlite3.Connection, id_: bytes, before: float, leased: Set[UUID]) -> int:
        """Delete a table that was not used since `before` and has no presence lease; return 1 if it was deleted."""
        if UUID(bytes=id_) in leased:
            return 0
        sql = f"DELETE FROM tables WHERE id = ? AND {LAST_USE} < ?"  # noqa: S608
        deleted = db.execute(sql, (id_, before)).rowcount
        if deleted:
            for name in ("log", "snapshots", "aliases"):
                db.execute(f"DELETE FROM {name} WHERE table_id = ?", (id_,))  # noqa: S608
            if self._note is not None:
                self._note.table_deleted(id_)
        return deleted

    async def erase_deleted(self) -> bool:
        """Empty the write-ahead file, which has older versions of changed pages; False if others use it just now."""
        if self._reader is None:
            return True
        await self._reader.read("PRAGMA busy_timeout = 50", ())
        for _ in range(ERASING_TRIES):
            ((busy, *_),) = await self._reader.read("PRAGMA wal_checkpoint(TRUNCATE)", ())
            if not busy:
                return True
            await asyncio.sleep(ERASING_PAUSE)
        return False

    def publish_presence(self, node: str, present: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:
        """Keep tables with people from being cleaned up. There are no other nodes to inform."""
        self._leased |= {table for table, guests in present.items() if guests}
        self._leased -= {table for table, guests in present.items() if not guests}

    async def clean(self, older_than_seconds: float) -> int:
        now = self._clock.now()
        before = now - older_than_seconds
        unseen = min(before, now - 2 * A_DAY)
        await self._write("DELETE FROM tickets WHERE expires < ?", time.time())
        guests = [row[0] for row in await self._read("SELECT hash FROM guests WHERE seen < ?", unseen)]
        delete_guest = "DELETE FROM guests WHERE hash = ? AND seen < ?"
        await self._delete_in_slices(guests, lambda db, hash_: db.execute(delete_guest, (hash_, unseen)).rowcount)
        tables = [row[0] for row in await self._read(OLD_TABLES, before, before)]
        deleted = await self._delete_in_slices(tables, partial(self._delete_table, before=before, leased=self._leased))
        while await self._writer.write(release_pages):
            await asyncio.sleep(PAUSE_SECONDS)
        return deleted

    async def _delete_in_slices(self, keys: list[bytes], delete: Delete) -> int:
        """Delete rows by their keys; return how many were deleted."""
        results: list[int] = []
        while old := keys[len(results) :]:
            results += await self._writer.write(lambda db: [delete(db, key) for key in within_slice(old)])
            await asyncio.sleep(PAUSE_SECONDS)
        return sum(results)

    async def check_health(self) -> None:
        if self._watch is not None:
            await asyncio.to_thread(self._watch.check_health)
        await self._write(TEST_WRITE, time.time())
        await self._read("SELECT id FROM tables LIMIT 1")  # waits for its turn, as the reads of guests do

    async def close(self) -> None:
        if self._reader is not None:
            await self._reader.close()
        await self._writer.close()

    async def _write(self, sql: str, *values: object) -> list[Row]:
        return await self._writer.write(lambda db: db.execute(sqlite_dialect(sql), values).fetchall())

    async def _read(self, sql: str, *values: object) -> list[Row]:
        return await (
            self._write(sql, *values) if self._reader is None else self._reader.read(sqlite_dialect(sql), values)
        )


def sqlite_dialect(sql: str) -> str:
    return sql.replace("notahat.", "").replace("%s", "?")


class Reader:
    """A connection and a thread for reading: in WAL mode the reader and the writer do not block each other."""

    def __init__(self, path: str) -> None:
        self._connection = connect(path)
        self._thread = ThreadPoolExecutor(1, "store-reader")

    async def read(self, sql: str, values: Sequence[Any]) -> list[Row]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._fetch, sql, values)

    def _fetch(self, sql: str, values: Sequence[Any]) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error

    async def close(self) -> None:
        """Finish what was asked for, but interrupt a query that takes too long."""
        ending = asyncio.get_running_loop().create_task(asyncio.to_thread(self._thread.shutdown))
        while not (await asyncio.wait((ending,), timeout=CLOSING_TIMEOUT_SECONDS))[0]:
            self._connection.interrupt()
        self._connection.close()


def create_alias(db: sqlite3.Connection, code: str, table: UUID) -> bool:
    existing = db.execute("SELECT table_id FROM aliases WHERE code = ?", (code,)).fetchall()
    if existing:
        return first_id(existing) == table
    db.execute("INSERT OR IGNORE INTO tables (id, touched) VALUES (?, ?)", (table.bytes, time.time()))
    db.execute("INSERT INTO aliases VALUES (?, ?)", (code, table.bytes))
    return True


def release_pages(db: sqlite3.Connection) -> bool:
    """Return free pages to the file system for the time of a slice; return whether there are more."""
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    for _ in within_slice(range(free - FREE_PAGES_KEPT)):  # Python's driver stops after the first page of more
        db.execute("PRAGMA incremental_vacuum(1)")
    (left,) = db.execute("PRAGMA freelist_count").fetchone()
    return bool(FREE_PAGES_KEPT < left < free)  # not if the file cannot shrink


def within_slice(items: Iterable[T]) -> Iterator[T]:
    """Yield the first item, and the others until the slice's time is over."""
    deadline = monotonic() + SLICE_SECONDS
    for item in items:
        yield item
        if monotonic() >= deadline:
            return
