"""What both stores do with the same SQL. SQLite drops the schema `notahat`, and writes parameters as `?`."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID, uuid4

from notahat.store.store import Commit, Done, Snapshot, Unavailable
from notahat.store.writer import wait_for_commit

Row = tuple[Any, ...]


class SqlStore(ABC):
    """The statements that need neither a clock nor a database's own functions."""

    @abstractmethod
    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None: ...
    @abstractmethod
    async def _read(self, sql: LiteralString, *values: object) -> list[Row]: ...
    @abstractmethod
    async def _write(self, sql: LiteralString, *values: object) -> list[Row]: ...

    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit:
        return await wait_for_commit(lambda done: self.submit(table, expected, events, command or uuid4().hex, done))

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
