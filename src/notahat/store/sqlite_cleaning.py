"""Forgetting in SQLite, a little at a time: between any two small writes people's moves have their turn."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar
from uuid import UUID

from notahat.store.sqlite_log import SqliteLog

T = TypeVar("T")
Row = tuple[Any, ...]
TABLES_LOOKED_AT = 500
TABLES_TOGETHER = 20
ROWS_TOGETHER = 200
GUESTS_LOOKED_AT = 2000
GUESTS_TOGETHER = 200
PAGES_TOGETHER = 64
PAGES_TO_SPARE = 256  # what comes next goes there
BREATH_SECONDS = 0.004

OLD_TABLES = "SELECT id FROM tables WHERE id > ? AND touched < ? ORDER BY id LIMIT ?"
# from a table's newest row back
CHAIN = """
WITH RECURSIVE chain AS (
    SELECT place, before FROM tables JOIN log ON place = newest WHERE id = ?
    UNION ALL
    SELECT log.place, log.before FROM chain JOIN log ON log.place = chain.before
)
SELECT place FROM chain
"""
GUESTS = "SELECT hash, seen FROM guests WHERE hash > ? ORDER BY hash LIMIT ?"


class Write(Protocol):
    """Runs something in the writer's thread, in a transaction."""

    def __call__(self, write: Callable[[sqlite3.Connection], T], /) -> Awaitable[T]: ...


class Cleaning:
    """One cleaning, of all but the tables that are `kept`."""

    def __init__(
        self,
        log: SqliteLog,
        write: Write,
        read: Callable[..., Awaitable[list[Row]]],
        kept: Callable[[], frozenset[UUID]],
    ) -> None:
        self._log = log
        self._write_now = write
        self._read = read
        self._kept = kept

    async def tables(self, before: float) -> int:
        """How many were forgotten."""
        forgotten = 0
        async for ids in self._old_tables(before):
            gone = [id_ for some in groups(ids, TABLES_TOGETHER) for id_ in await self._condemn(some, before)]
            await self._erase(gone)
            forgotten += len(gone)
        return forgotten

    async def _erase(self, gone: list[bytes]) -> None:
        """In the order in which they lie in the file: people who play at the same time share its pages."""
        places = sorted([place for id_ in gone for (place,) in await self._read(CHAIN, id_)])
        for some in groups(places, ROWS_TOGETHER):
            await self._delete("DELETE FROM log WHERE place = ?", [(place,) for place in some])
        for ids in groups(gone, ROWS_TOGETHER):
            await self._delete("DELETE FROM tables WHERE id = ?", [(id_,) for id_ in ids])

    async def guests(self, unseen: float) -> None:
        async for page in self._guest_pages():
            old = [(hash_, unseen) for hash_, seen in page if seen < unseen]
            for some in groups(old, GUESTS_TOGETHER):
                await self._delete("DELETE FROM guests WHERE hash = ? AND seen < ?", some)

    async def shrink(self) -> None:
        """Give back to the disk what is not needed any more."""
        while await self._write(give_back) > 0:
            pass

    async def _condemn(self, some: Sequence[bytes], before: float) -> list[bytes]:
        return await self._write(lambda _: self._log.condemn(some, before, self._kept()))

    async def _delete(self, sql: str, rows: Sequence[Row]) -> None:
        await self._write(lambda db: db.executemany(sql, rows).fetchall())

    async def _write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        written = await self._write_now(write)
        await asyncio.sleep(BREATH_SECONDS)
        return written

    async def _old_tables(self, before: float) -> AsyncIterator[list[bytes]]:
        after = b""
        while found := [row[0] for row in await self._read(OLD_TABLES, after, before, TABLES_LOOKED_AT)]:
            yield found
            after = found[-1]

    async def _guest_pages(self) -> AsyncIterator[list[Row]]:
        after = b""
        while found := await self._read(GUESTS, after, GUESTS_LOOKED_AT):
            yield found
            after = found[-1][0]


def give_back(db: sqlite3.Connection) -> int:
    """How many pages could be given back after this."""
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    spare = int(free) - PAGES_TO_SPARE
    if spare <= 0:
        return 0
    for _ in range(min(spare, PAGES_TOGETHER)):  # asked for more, Python's driver stops after the first
        db.execute("PRAGMA incremental_vacuum(1)")
    (left,) = db.execute("PRAGMA freelist_count").fetchone()
    return int(left) - PAGES_TO_SPARE if left < free else 0  # a file that cannot shrink stays as it is


def groups(many: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(many), size):
        yield many[start : start + size]
