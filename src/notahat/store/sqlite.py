"""The store of one machine: a SQLite file in WAL mode, synced to disk before anyone is answered."""

import asyncio
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID, uuid4

from notahat.store.migration import missing
from notahat.store.safe_clock import A_DAY, Age
from notahat.store.sqlite_cleanup import Cleaning
from notahat.store.sqlite_health import TOUCH, Files
from notahat.store.sqlite_log import SqliteLog
from notahat.store.store import Commit, Done, Elsewhere, Snapshot, Unavailable, Wrote
from notahat.store.writer import Writer, awaited

T = TypeVar("T")
Row = tuple[Any, ...]
Values = Sequence[Any] | Mapping[str, Any]
MEMORY = ":memory:"
FOR_ITS_OWNER = 0o600
FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
BUSY_SECONDS = 10.0  # how long somebody else may be writing


class SqliteStore:
    """Events kept in one file by one process."""

    def __init__(self, path: str) -> None:
        self._held: set[UUID] = set()
        connection = connect(path)
        with close_on_error(connection):
            migrate(connection)
            may_shrink(connection)
            self._age = Age(newest(connection))
            self._reader = None if path == MEMORY else Reader(path)
        self._files = None if path == MEMORY else Files(path)
        self._log = SqliteLog(connection)
        self._writer = Writer(self._log.together, self._log.close)

    @classmethod
    async def open(cls, url: str) -> "SqliteStore":
        path = path_of(url)
        if path != MEMORY:
            keep_private(Path(path))
        return cls(path)

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None:
        self._writer.append(Commit(table, expected + 1, command, events), done)

    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit:
        return await awaited(lambda done: self.submit(table, expected, events, command or uuid4().hex, done))

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        sql, values = self._log.reading(table, after)
        return [Commit(table, *row) for row in await self._query(sql, values)]

    async def tables(self) -> list[UUID]:
        return [UUID(bytes=row[0]) for row in await self._read("SELECT id FROM tables WHERE touched >= 0")]

    def follow(self, table: UUID, wrote: Wrote, elsewhere: Elsewhere) -> Callable[[], None]:  # noqa: ARG002
        """There is no other node that could write or be somewhere else."""
        return lambda: None

    async def look_around(self, table: UUID) -> None:
        """There is nobody anywhere else."""

    async def save_snapshot(self, table: UUID, version: int, schema: int, state: bytes) -> None:
        await self._write(
            "INSERT INTO snapshots SELECT id, ?, ?, ? FROM tables WHERE id = ? ON CONFLICT (table_id) DO UPDATE "
            "SET version = excluded.version, schema = excluded.schema, state = excluded.state "
            "WHERE (excluded.schema, excluded.version) >= (snapshots.schema, snapshots.version)",
            version,
            schema,
            state,
            table.bytes,
        )

    async def snapshot(self, table: UUID) -> Snapshot | None:
        found = await self._read("SELECT version, schema, state FROM snapshots WHERE table_id = ?", table.bytes)
        return Snapshot(*found[0]) if found else None

    async def create_alias(self, code: str, table: UUID) -> bool:
        return await self._writer.write(lambda db: create_alias(db, code, table))

    async def table_of(self, code: str) -> UUID | None:
        return id_in(await self._read("SELECT table_id FROM aliases WHERE code = ?", code))

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID:
        return await self._writer.write(lambda db: add_guest(db, hash_, guest or uuid4()))

    async def guest(self, hash_: bytes) -> UUID | None:
        found = await self._read("SELECT id, seen FROM guests WHERE hash = ?", hash_)
        if found and time.time() - found[0][1] > A_DAY:
            await self._write("UPDATE guests SET seen = ? WHERE hash = ?", time.time(), hash_)
        return id_in(found)

    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None:
        await self._write("INSERT OR IGNORE INTO tickets VALUES (?, ?, ?)", hash_, guest.bytes, time.time() + seconds)

    async def take_ticket(self, hash_: bytes) -> UUID | None:
        taken = await self._write("DELETE FROM tickets WHERE hash = ? RETURNING guest, expires", hash_)
        return id_in([row for row in taken if row[1] > time.time()])

    def hold(self, node: str, held: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:  # noqa: ARG002
        """There is nobody to tell it to; but tables with people at them are not cleaned away."""
        self._held |= {table for table, guests in held.items() if guests}
        self._held -= {table for table, guests in held.items() if not guests}

    async def clean(self, older_than_seconds: float) -> int:
        now = self._age.now()
        await self._write("DELETE FROM tickets WHERE expires < ?", time.time())
        cleaning = Cleaning(self._log, self._writer.write, self._read, lambda: frozenset(self._held))
        await cleaning.guests(min(now - older_than_seconds, now - 2 * A_DAY))
        forgotten = await cleaning.tables(now - older_than_seconds)
        await cleaning.shrink()
        return forgotten

    async def well(self) -> None:
        if self._files is not None:
            await asyncio.to_thread(self._files.look)
        await self._write(TOUCH, time.time())

    async def close(self) -> None:
        if self._reader is not None:
            await self._reader.close()
        await self._writer.close()

    async def _write(self, sql: str, *values: object) -> list[Row]:
        return await self._writer.write(lambda db: db.execute(sql, values).fetchall())

    async def _read(self, sql: str, *values: object) -> list[Row]:
        return await self._query(sql, values)

    async def _query(self, sql: str, values: Values) -> list[Row]:
        if self._reader is None:
            return await self._writer.write(lambda db: db.execute(sql, values).fetchall())
        return await self._reader.read(sql, values)


class Reader:
    """A connection and a thread for reading: in WAL mode readers and the writer do not wait for each other."""

    def __init__(self, path: str) -> None:
        self._connection = connect(path)
        self._thread = ThreadPoolExecutor(1, "store-reader")

    async def read(self, sql: str, values: Values) -> list[Row]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._fetch, sql, values)

    def _fetch(self, sql: str, values: Values) -> list[Row]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)
        self._connection.close()


def path_of(url: str) -> str:
    """The file that an address means."""
    return url.removeprefix("sqlite://").removeprefix("/")


def keep_private(path: Path) -> None:
    """Folder and file are their owner's alone where we make them; what is there is closed to others, if it is ours."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError):  # what cannot be is told by whoever opens it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FOR_ITS_OWNER))
    with suppress(OSError):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~FOR_OTHERS)


def connect(path: str) -> sqlite3.Connection:
    """A connection that commits each statement by itself unless told otherwise, and then waits for the disk."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    with close_on_error(connection):
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # a new file can shrink; others know better (may_shrink)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")  # what a statement might have to undo need not go to a file
    return connection


@contextmanager
def close_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close a connection whose set-up fails; Python 3.13 warns about connections that are only garbage collected."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def migrate(db: sqlite3.Connection) -> None:
    """Take the schema steps that this file still lacks, all or none."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        (reached,) = db.execute("PRAGMA user_version").fetchone()
        for step in missing("sqlite", reached):
            for statement in step.statements:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {step.number:d}")


def may_shrink(db: sqlite3.Connection) -> None:
    """A file of an older release is written anew, once, so that it can shrink; if it cannot be now, then later."""
    (kind,) = db.execute("PRAGMA auto_vacuum").fetchone()
    if not kind:
        with suppress(sqlite3.Error):
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute("VACUUM")


def newest(db: sqlite3.Connection) -> float | None:
    """When something was written last."""
    found = db.execute("SELECT at FROM log ORDER BY place DESC LIMIT 1").fetchone()
    return None if found is None else float(found[0])


def create_alias(db: sqlite3.Connection, code: str, table: UUID) -> bool:
    taken = db.execute("SELECT table_id FROM aliases WHERE code = ?", (code,)).fetchall()
    if taken:
        return id_in(taken) == table
    db.execute("INSERT OR IGNORE INTO tables (id, touched) VALUES (?, ?)", (table.bytes, time.time()))
    db.execute("INSERT INTO aliases VALUES (?, ?)", (code, table.bytes))
    return True


def add_guest(db: sqlite3.Connection, hash_: bytes, guest: UUID) -> UUID:
    known = id_in(db.execute("SELECT id FROM guests WHERE hash = ?", (hash_,)).fetchall())
    if known is not None:
        return known
    db.execute("INSERT INTO guests VALUES (?, ?, ?)", (hash_, guest.bytes, time.time()))
    return guest


def id_in(rows: list[Row]) -> UUID | None:
    """The id in the first column of the first row, if there is one."""
    return UUID(bytes=rows[0][0]) if rows else None
