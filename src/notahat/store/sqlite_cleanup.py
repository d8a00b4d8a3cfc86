"""Forgetting in SQLite, a little at a time: between any two small writes people's moves have their turn.

What is written in one go, a slice, is bounded by its size and by its time: it ends when two milliseconds are over,
however slow disk or machine are. A move that comes meanwhile waits for the rest of one slice and for no second one,
because the next is put only a breath after the last was told.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from time import monotonic
from typing import Any, Protocol, TypeVar
from uuid import UUID

from notahat.store.sqlite_log import SqliteLog

T = TypeVar("T")
Row = tuple[Any, ...]
TABLES_LOOKED_AT = 500
TABLES_TOGETHER = 20
ROWS_SORTED = 4000
ROWS_TOGETHER = 200
GUESTS_LOOKED_AT = 2000
PAGES_TOGETHER = 64
SLICE_SECONDS = 0.002
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
            gone = await self._condemn(ids, before)
            await self._erase(gone)
            forgotten += len(gone)
        return forgotten

    async def guests(self, unseen: float) -> None:
        async for page in self._guest_pages():
            old = [(hash_, unseen) for hash_, seen in page if seen < unseen]
            await self._delete("DELETE FROM guests WHERE hash = ? AND seen < ?", old)

    async def shrink(self) -> None:
        """Give back to the disk what is not needed any more."""
        while await self._write(give_back) > 0:
            pass

    async def _condemn(self, ids: Sequence[bytes], before: float) -> list[bytes]:
        condemned: list[bytes] = []
        looked = 0
        while looked < len(ids):
            asked, gone = await self._condemn_some(ids[looked : looked + TABLES_TOGETHER], before)
            looked += asked
            condemned += gone
        return condemned

    async def _condemn_some(self, ids: Sequence[bytes], before: float) -> tuple[int, list[bytes]]:
        return await self._write(lambda _: self._log.condemn(within(ids), before, self._kept()))

    async def _erase(self, gone: Sequence[bytes]) -> None:
        """In the order in which they lie in the file: people who play at the same time share its pages."""
        some: list[bytes] = []
        places: list[int] = []
        for id_ in gone:
            some.append(id_)
            places += [place for (place,) in await self._read(CHAIN, id_)]
            if len(places) >= ROWS_SORTED:
                await self._erase_rows(some, places)
                some, places = [], []
        await self._erase_rows(some, places)

    async def _erase_rows(self, ids: list[bytes], places: list[int]) -> None:
        """A table's newest row goes last: from there whoever cleans next finds what is left of it."""
        await self._delete("DELETE FROM log WHERE place = ?", [(place,) for place in sorted(places)])
        await self._delete("DELETE FROM tables WHERE id = ?", [(id_,) for id_ in ids])

    async def _delete(self, sql: str, rows: Sequence[Row]) -> None:
        done = 0
        while done < len(rows):
            done += await self._delete_some(sql, rows[done : done + ROWS_TOGETHER])

    async def _delete_some(self, sql: str, rows: Sequence[Row]) -> int:
        return await self._write(lambda db: each(db, sql, rows))

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


def within(many: Iterable[T]) -> Iterator[T]:
    """The first of them, and the others as long as the slice lasts."""
    ends = monotonic() + SLICE_SECONDS
    for one in many:
        yield one
        if monotonic() >= ends:
            return


def each(db: sqlite3.Connection, sql: str, rows: Sequence[Row]) -> int:
    """For how many of these rows there was time."""
    done = 0
    for row in within(rows):
        db.execute(sql, row)
        done += 1
    return done


def give_back(db: sqlite3.Connection) -> int:
    """How many pages could be given back after this."""
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    spare = int(free) - PAGES_TO_SPARE
    if spare <= 0:
        return 0
    for _ in within(range(min(spare, PAGES_TOGETHER))):  # asked for more, Python's driver stops after the first
        db.execute("PRAGMA incremental_vacuum(1)")
    (left,) = db.execute("PRAGMA freelist_count").fetchone()
    return int(left) - PAGES_TO_SPARE if left < free else 0  # a file that cannot shrink stays as it is
