"""The store for one process: a SQLite file in WAL mode, synced to disk before an append is acknowledged."""

import asyncio
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID, uuid4

from notahat.store.migration import missing
from notahat.store.safe_clock import A_DAY, SafeClock
from notahat.store.sqlite_cleanup import Cleanup
from notahat.store.sqlite_health import TEST_WRITE, FileCheck, FileWatch
from notahat.store.sqlite_log import SqliteLog
from notahat.store.store import Commit, Done, OnPresence, OnVersion, Snapshot, Unavailable
from notahat.store.writer import Writer, wait_for_commit

T = TypeVar("T")
Row = tuple[Any, ...]
Values = Sequence[Any] | Mapping[str, Any]
MEMORY = ":memory:"
OWNER_ONLY = 0o600
GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO
BUSY_SECONDS = 10.0  # how long another process may be writing
CLOSING_TIMEOUT_SECONDS = 3.0  # how long a read may delay the end of the server
# the update changes nothing, but makes a known hash return its guest
ADD_GUEST = "INSERT INTO guests VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING id"


class SqliteStore:
    """A store in one file."""

    def __init__(self, path: str) -> None:
        self._leased: set[UUID] = set()
        connection = connect(path)
        with close_on_error(connection):
            migrate(connection)
            enable_shrinking(connection)
            self._clock = SafeClock(last_write(connection))
            watch = None if path == MEMORY else FileWatch(path, connection)
            self._reader = None if path == MEMORY else Reader(path)
        self._file_check = None if watch is None else FileCheck(path, watch)
        self._log = SqliteLog(connection) if watch is None else SqliteLog(connection, watch.check)
        self._writer = Writer(self._log.write_batch, self._log.close)

    @classmethod
    async def open(cls, url: str) -> "SqliteStore":
        path = sqlite_path(url)
        if path != MEMORY:
            make_private(Path(path))
        return cls(path)

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None:
        self._writer.append(Commit(table, expected + 1, command, events), done)

    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit:
        return await wait_for_commit(lambda done: self.submit(table, expected, events, command or uuid4().hex, done))

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        commits = [Commit(table, *row) for row in await self._query(*self._log.reading(table, after))]
        if commits and commits[0].version != after + 1:
            raise Unavailable(f"the log of table {table} is damaged before version {commits[0].version}")
        return commits

    async def read_commit(self, table: UUID, version: int) -> Commit | None:
        found = await self._query(*self._log.reading_commit(table, version))
        return Commit(table, *found[0]) if found else None

    async def tables(self) -> list[UUID]:
        return [UUID(bytes=row[0]) for row in await self._read("SELECT id FROM tables WHERE touched >= 0")]

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:  # noqa: ARG002
        """There are no other nodes, so there is nothing to report."""
        return lambda: None

    async def refresh_presence(self, table: UUID) -> None:
        """There are no other nodes."""

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
        return first_id(await self._read("SELECT table_id FROM aliases WHERE code = ?", code))

    async def tables_of(self, codes: Sequence[str]) -> dict[str, UUID]:
        found = await self._read(f"SELECT code, table_id FROM aliases WHERE code IN ({_marks(codes)})", *codes)  # noqa: S608
        return {code: UUID(bytes=id_) for code, id_ in found}

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID:
        values = (hash_, (guest or uuid4()).bytes, time.time())
        ((id_,),) = await self._write(ADD_GUEST, *values)
        return UUID(bytes=id_)

    async def guest(self, hash_: bytes) -> UUID | None:
        found = await self._read("SELECT id, seen FROM guests WHERE hash = ?", hash_)
        if found and time.time() - found[0][1] > A_DAY:
            await self._write("UPDATE guests SET seen = ? WHERE hash = ?", time.time(), hash_)
        return first_id(found)

    async def known_tokens(self, hashes: Sequence[bytes]) -> set[bytes]:
        found = await self._read(f"SELECT hash FROM guests WHERE hash IN ({_marks(hashes)})", *hashes)  # noqa: S608
        return {bytes(hash_) for (hash_,) in found}

    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None:
        await self._write("INSERT OR IGNORE INTO tickets VALUES (?, ?, ?)", hash_, guest.bytes, time.time() + seconds)

    async def take_ticket(self, hash_: bytes) -> UUID | None:
        taken = await self._write("DELETE FROM tickets WHERE hash = ? RETURNING guest, expires", hash_)
        return first_id([row for row in taken if row[1] > time.time()])

    async def end_tokens(self, guest: UUID) -> int:
        await self._write("DELETE FROM tickets WHERE guest = ?", guest.bytes)
        return len(await self._write("DELETE FROM guests WHERE id = ? RETURNING hash", guest.bytes))

    async def tables_containing(self, text: bytes) -> list[UUID]:
        sql = "SELECT DISTINCT id FROM log JOIN tables ON id = table_id AND touched >= 0 WHERE instr(events, ?) > 0"
        return [UUID(bytes=row[0]) for row in await self._read(sql, text)]

    async def delete_table(self, table: UUID) -> None:
        await self._write("PRAGMA secure_delete = ON")  # overwrite what is deleted
        await self._cleanup(frozenset()).delete_table(table)

    def publish_presence(self, node: str, present: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:  # noqa: ARG002
        """Keep tables with people from being cleaned up. There are no other nodes to inform."""
        self._leased |= {table for table, guests in present.items() if guests}
        self._leased -= {table for table, guests in present.items() if not guests}

    async def clean(self, older_than_seconds: float) -> int:
        now = self._clock.now()
        await self._write("DELETE FROM tickets WHERE expires < ?", time.time())
        cleanup = self._cleanup(self._leased)
        await cleanup.delete_guests(min(now - older_than_seconds, now - 2 * A_DAY))
        deleted = await cleanup.delete_tables(now - older_than_seconds)
        await cleanup.shrink_file()
        return deleted

    def _cleanup(self, leased: Set[UUID]) -> Cleanup:
        return Cleanup(self._log, self._writer.write, self._read, lambda: frozenset(leased))

    async def check_health(self) -> None:
        if self._file_check is not None:
            await asyncio.to_thread(self._file_check.run)
        await self._write(TEST_WRITE, time.time())
        await self._read("SELECT owner FROM pen")  # waits for its turn, as the reads of guests do

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


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


class Reader:
    """A connection and a thread for reading: in WAL mode the reader and the writer do not block each other."""

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
        """Finish what was asked for, but interrupt a query that takes too long."""
        ending = asyncio.get_running_loop().create_task(asyncio.to_thread(self._thread.shutdown))
        while not (await asyncio.wait((ending,), timeout=CLOSING_TIMEOUT_SECONDS))[0]:
            self._connection.interrupt()
        self._connection.close()


def sqlite_path(url: str) -> str:
    """Return the file of a `sqlite://` URL, or `MEMORY`."""
    return url.removeprefix("sqlite://").removeprefix("/")


def make_private(path: Path) -> None:
    """Create folder and file for their owner only, and remove the access of others from an existing file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError):  # opening the file reports the problem
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    with suppress(OSError):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~GROUP_AND_OTHERS)


def connect(path: str) -> sqlite3.Connection:
    """Open a connection in autocommit mode whose commits wait for the disk."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    with close_on_error(connection):
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for new files; see enable_shrinking
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")  # statement journals need no file
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
    """Apply the missing schema steps, all or none."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        (reached,) = db.execute("PRAGMA user_version").fetchone()
        for step in missing("sqlite", reached):
            for statement in step.statements:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {step.number:d}")


def enable_shrinking(db: sqlite3.Connection) -> None:
    """Rewrite a file of an older release once, so that it can shrink. If that fails now, the next start tries again."""
    (kind,) = db.execute("PRAGMA auto_vacuum").fetchone()
    if not kind:
        with suppress(sqlite3.Error):
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute("VACUUM")


def last_write(db: sqlite3.Connection) -> float | None:
    found = db.execute("SELECT at FROM log ORDER BY place DESC LIMIT 1").fetchone()
    return None if found is None else float(found[0])


def create_alias(db: sqlite3.Connection, code: str, table: UUID) -> bool:
    existing = db.execute("SELECT table_id FROM aliases WHERE code = ?", (code,)).fetchall()
    if existing:
        return first_id(existing) == table
    db.execute("INSERT OR IGNORE INTO tables (id, touched) VALUES (?, ?)", (table.bytes, time.time()))
    db.execute("INSERT INTO aliases VALUES (?, ?)", (code, table.bytes))
    return True


def first_id(rows: list[Row]) -> UUID | None:
    """Return the id in the first column of the first row, or None."""
    return UUID(bytes=rows[0][0]) if rows else None
