"""Who is at which table on this node, told to other nodes: one lease for a node and a table, renewed in time."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

import psycopg

NOBODY: frozenset[UUID] = frozenset()

HOLD = """
INSERT INTO notahat.holds
SELECT id, %s, string_to_array(guests, ' ')::uuid[], now() + make_interval(secs => %s)
FROM unnest(%s::uuid[], %s::text[]) AS held (id, guests)
ON CONFLICT (table_id, node) DO UPDATE SET guests = excluded.guests, expires = excluded.expires
"""
LET_GO = "DELETE FROM notahat.holds WHERE node = %s AND table_id = ANY(%s::uuid[])"
ELSEWHERE = "SELECT table_id, guests FROM notahat.holds WHERE table_id = ANY(%s) AND node <> %s AND expires > now()"

Run = Callable[..., Awaitable[list[tuple[Any, ...]]]]


class Holding:
    """What this node holds, what of it is written, and what is still to be."""

    def __init__(self, run: Run, changed: Callable[[Iterable[UUID]], None]) -> None:
        self._run = run
        self._changed = changed
        self._node = ""
        self._seconds = 0.0
        self._held: dict[UUID, frozenset[UUID]] = {}
        self._unwritten: set[UUID] = set()
        self._renew_at = float("inf")
        self._writing: asyncio.Task[None] | None = None

    def hold(self, node: str, held: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:
        """These guests are at these tables; nobody means that a table is let go. Others stay as they are."""
        self._node, self._seconds = node, seconds
        for table, guests in held.items():
            if self._held.get(table, NOBODY) != guests:
                self._unwritten.add(table)
                if guests:
                    self._held[table] = guests
                else:
                    del self._held[table]
        if self._unwritten and self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def renew(self) -> None:
        """Called now and then: write all again when half of the time has run out."""
        if self._held and time.monotonic() >= self._renew_at:
            self._renew_at = time.monotonic() + self._seconds / 2
            await self._put(list(self._held))

    async def elsewhere(self, tables: list[UUID]) -> dict[UUID, frozenset[UUID]]:
        """Who is at these tables on other nodes."""
        found: dict[UUID, frozenset[UUID]] = {}
        for table, guests in await self._run(ELSEWHERE, tables, self._node):
            found[table] = found.get(table, NOBODY) | frozenset(guests)
        return found

    async def settle(self) -> None:
        """Wait until what was said is written."""
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        """All that changed in one turn of the loop, in one statement. What cannot be written now is renewed later."""
        while self._unwritten:
            tables, self._unwritten = list(self._unwritten), set()
            try:
                await self._put([table for table in tables if table in self._held])
                await self._drop([table for table in tables if table not in self._held])
            except psycopg.Error:
                self._renew_at = 0.0
            else:
                self._renew_at = min(self._renew_at, time.monotonic() + self._seconds / 2)
                self._changed(tables)
        self._writing = None

    async def _put(self, tables: list[UUID]) -> None:
        if tables:
            guests = [" ".join(map(str, self._held[table])) for table in tables]
            await self._run(HOLD, self._node, self._seconds, tables, guests)

    async def _drop(self, tables: list[UUID]) -> None:
        if tables:
            await self._run(LET_GO, self._node, tables)
