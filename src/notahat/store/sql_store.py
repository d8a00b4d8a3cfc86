"""What both stores have in common: migrations, a clock for the cleanup, and SQL. SQLite has `?` for `%s`."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from typing import Any, LiteralString
from uuid import UUID, uuid4

from msgspec import Struct

from notahat.store.store import Commit, Done, SchemaTooNew, Snapshot, Unavailable
from notahat.store.writer import settle

Row = tuple[Any, ...]


class SqlStore(ABC):
    """The statements that need neither a clock nor a database's own functions."""

    @abstractmethod
    def submit(self, table: UUID, expected: int, events: bytes, key: str, done: Done) -> None: ...
    @abstractmethod
    async def _read(self, sql: LiteralString, *values: object) -> list[Row]: ...
    @abstractmethod
    async def _write(self, sql: LiteralString, *values: object) -> list[Row]: ...

    async def append(self, table: UUID, expected: int, events: bytes, key: str | None = None) -> Commit:
        future: asyncio.Future[Commit] = asyncio.get_running_loop().create_future()
        self.submit(table, expected, events, key or uuid4().hex, partial(settle, future))
        return await future

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        sql = "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version > %s ORDER BY version"
        commits = [Commit(table, *row) for row in await self._read(sql, table, after)]
        if commits and commits[-1].version != after + len(commits):
            raise Unavailable(f"the log of table {table} is damaged: it has a gap after version {after}")
        return commits

    async def read_commit(self, table: UUID, version: int) -> Commit | None:
        sql = "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version = %s"
        found = await self._read(sql, table, version)
        return Commit(table, *found[0]) if found else None

    async def save_snapshot(self, table: UUID, version: int, schema: int, state: bytes) -> None:
        sql = (
            "INSERT INTO notahat.snapshots SELECT id, %s, %s, %s FROM notahat.tables WHERE id = %s "
            "ON CONFLICT (table_id) DO UPDATE "
            "SET version = excluded.version, schema = excluded.schema, state = excluded.state "
            "WHERE (excluded.schema, excluded.version) >= (snapshots.schema, snapshots.version)"
        )
        await self._write(sql, version, schema, state, table)

    async def snapshot(self, table: UUID) -> Snapshot | None:
        found = await self._read("SELECT version, schema, state FROM notahat.snapshots WHERE table_id = %s", table)
        return Snapshot(*found[0]) if found else None

    async def table_of(self, code: str) -> UUID | None:
        return first_id(await self._read("SELECT table_id FROM notahat.aliases WHERE code = %s", code))

    async def tables_of(self, codes: Sequence[str]) -> dict[str, UUID]:
        sql = f"SELECT code, table_id FROM notahat.aliases WHERE code IN ({_markers(codes)})"  # noqa: S608
        return {code: as_id(table) for code, table in await self._read(sql, *codes)}

    async def known_tokens(self, hashes: Sequence[bytes]) -> set[bytes]:
        sql = f"SELECT hash FROM notahat.guests WHERE hash IN ({_markers(hashes)})"  # noqa: S608
        return {bytes(hash_) for (hash_,) in await self._read(sql, *hashes)}

    async def erase_deleted(self) -> bool:
        """Erase copies of deleted rows beside the data; return whether none is left that this store knows of."""
        return True

    async def end_tokens(self, guest: UUID) -> int:
        await self._write("DELETE FROM notahat.tickets WHERE guest = %s", guest)
        return len(await self._write("DELETE FROM notahat.guests WHERE id = %s RETURNING hash", guest))


def _markers(values: Sequence[object]) -> LiteralString:
    return ", ".join(["NULL", *["%s"] * len(values)])  # a list must not be empty, and NULL equals nothing


def first_id(rows: list[Row]) -> UUID | None:
    """Return the id in the first column of the first row, or None."""
    return as_id(rows[0][0]) if rows else None


def as_id(value: Any) -> UUID:
    """Return an id as PostgreSQL (a UUID) or SQLite (its bytes) returns it."""
    return value if isinstance(value, UUID) else UUID(bytes=value)


A_DAY = 24 * 3600.0


class SafeClock:
    """The wall clock, up to a day after the newest entry plus the time since the start: a wrong one deletes nothing."""

    def __init__(self, newest: float | None) -> None:
        self._offset = (time.time() if newest is None else newest) + A_DAY - monotonic()

    @property
    def upper_bound(self) -> float:
        return self._offset + monotonic()

    def now(self) -> float:
        return min(time.time(), self.upper_bound)


def monotonic() -> float:
    """Return seconds that no clock change affects, including suspended time where the system counts it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Migration(Struct, frozen=True):
    """One step. Its SQL has semicolons only at the end of statements."""

    number: int
    sql: str

    @property
    def statements(self) -> list[str]:
        return [statement for statement in self.sql.split(";") if statement.strip()]


def migrations(kind: str) -> list[Migration]:
    """Return all steps for `sqlite` or `postgres`, in order."""
    folder = files("notahat.store") / "schema" / kind
    scripts = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [Migration(int(name.partition("_")[0]), sql) for name, sql in scripts]


def missing(kind: str, reached: int) -> list[Migration]:
    """Return the steps after `reached`. Raise `SchemaTooNew` if this release does not know that step."""
    steps = migrations(kind)
    if reached > steps[-1].number:
        raise SchemaTooNew(f"the data has schema {reached}, this release knows {steps[-1].number}: use a newer release")
    return [step for step in steps if step.number > reached]
