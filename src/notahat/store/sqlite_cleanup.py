"""Cleanup of a SQLite store in small slices, between which appends run.

A slice is one write, limited in size and to two milliseconds, however slow the disk or the machine is. There is a
pause after each slice, so an append waits for at most one of them.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Any, Protocol, TypeVar
from uuid import UUID

from notahat.store.sqlite_log import SqliteLog

T = TypeVar("T")
Row = tuple[Any, ...]
TABLES_PER_PAGE = 500
TABLES_PER_SLICE = 20
ROWS_SORTED = 4000
ROWS_PER_SLICE = 200
GUESTS_PER_PAGE = 2000
PAGES_PER_SLICE = 64
SLICE_SECONDS = 0.002
FREE_PAGES_KEPT = 256  # for the next writes
PAUSE_SECONDS = 0.004

OLD_TABLES = "SELECT id FROM tables WHERE id > ? AND touched < ? ORDER BY id LIMIT ?"
# from a table's newest row back; earlier rows have lower numbers, so a damaged chain ends
TABLE_ROWS = """
WITH RECURSIVE chain AS (
    SELECT id, place, before FROM tables JOIN log ON place = newest AND table_id = id WHERE id = ?
    UNION ALL
    SELECT id, log.place, log.before FROM chain JOIN log ON log.place = chain.before
    WHERE log.place < chain.place AND log.table_id = id
)
SELECT place FROM chain
"""
GUESTS = "SELECT hash, seen FROM guests WHERE hash > ? ORDER BY hash LIMIT ?"


class Write(Protocol):
    """Runs a function in the writer's thread, in a transaction."""

    def __call__(self, write: Callable[[sqlite3.Connection], T], /) -> Awaitable[T]: ...


class Cleanup:
    """One cleanup of all tables but those with a presence lease."""

    def __init__(
        self,
        log: SqliteLog,
        write: Write,
        read: Callable[..., Awaitable[list[Row]]],
        leased: Callable[[], frozenset[UUID]],
    ) -> None:
        self._log = log
        self._write_now = write
        self._read = read
        self._leased = leased

    async def delete_tables(self, before: float) -> int:
        """Delete the tables that were not used since `before`; return how many."""
        deleted = 0
        async for page in self._pages(OLD_TABLES, before, TABLES_PER_PAGE):
            marked = await self._mark_deleted([id_ for (id_,) in page], before)
            await self._delete_marked(marked)
            deleted += len(marked)
        return deleted

    async def delete_table(self, table: UUID) -> None:
        """Delete one table, whenever it was used."""
        await self._delete_marked(await self._mark_deleted([table.bytes], float("inf")))

    async def delete_guests(self, before: float) -> None:
        async for page in self._pages(GUESTS, GUESTS_PER_PAGE):
            old = [(hash_, before) for hash_, seen in page if seen < before]
            await self._delete_rows("DELETE FROM guests WHERE hash = ? AND seen < ?", old)

    async def shrink_file(self) -> None:
        while await self._write(release_pages) > 0:
            pass

    async def _mark_deleted(self, ids: Sequence[bytes], before: float) -> list[bytes]:
        marked: list[bytes] = []
        done = 0
        while done < len(ids):
            examined, more = await self._mark_slice(ids[done : done + TABLES_PER_SLICE], before)
            done += examined
            marked += more
        return marked

    async def _mark_slice(self, ids: Sequence[bytes], before: float) -> tuple[int, list[bytes]]:
        return await self._write(lambda _: self._log.mark_deleted(within_slice(ids), before, self._leased()))

    async def _delete_marked(self, marked: Sequence[bytes]) -> None:
        """Delete in the order of the file, because concurrent appends share its pages."""
        ids: list[bytes] = []
        rows: list[int] = []
        for id_ in marked:
            ids.append(id_)
            rows += [row for (row,) in await self._read(TABLE_ROWS, id_)]
            if len(rows) >= ROWS_SORTED:
                await self._delete_logs(ids, rows)
                ids, rows = [], []
        await self._delete_logs(ids, rows)

    async def _delete_logs(self, ids: list[bytes], rows: list[int]) -> None:
        """Delete log rows, then their tables: a later cleanup finds remaining rows through the table's newest one."""
        await self._delete_rows("DELETE FROM log WHERE place = ?", [(row,) for row in sorted(rows)])
        await self._delete_rows("DELETE FROM tables WHERE id = ?", [(id_,) for id_ in ids])

    async def _delete_rows(self, sql: str, rows: Sequence[Row]) -> None:
        done = 0
        while done < len(rows):
            done += await self._write(partial(execute_each, sql, rows[done : done + ROWS_PER_SLICE]))

    async def _write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        written = await self._write_now(write)
        await asyncio.sleep(PAUSE_SECONDS)
        return written

    async def _pages(self, sql: str, *values: object) -> AsyncIterator[list[Row]]:
        """Yield the rows of a query that takes the first column of the last row as its first value."""
        after = b""
        while rows := await self._read(sql, after, *values):
            yield rows
            after = rows[-1][0]


def within_slice(items: Iterable[T]) -> Iterator[T]:
    """Yield the first item, and the others until the slice's time is over."""
    deadline = monotonic() + SLICE_SECONDS
    for item in items:
        yield item
        if monotonic() >= deadline:
            return


def execute_each(sql: str, rows: Sequence[Row], db: sqlite3.Connection) -> int:
    """Execute a statement for the rows of one slice; return how many."""
    done = 0
    for row in within_slice(rows):
        db.execute(sql, row)
        done += 1
    return done


def release_pages(db: sqlite3.Connection) -> int:
    """Return free pages to the file system; return how many more could be."""
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    spare = int(free) - FREE_PAGES_KEPT
    if spare <= 0:
        return 0
    for _ in within_slice(range(min(spare, PAGES_PER_SLICE))):  # Python's driver stops after the first page of more
        db.execute("PRAGMA incremental_vacuum(1)")
    (left,) = db.execute("PRAGMA freelist_count").fetchone()
    return int(left) - FREE_PAGES_KEPT if left < free else 0  # 0 if the file cannot shrink
