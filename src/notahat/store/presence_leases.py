"""Presence leases in PostgreSQL: one row per node and table says who is connected there, and until when."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

import psycopg

NO_GUESTS: frozenset[UUID] = frozenset()
RETRY_SECONDS = 0.5  # so that a lease does not expire because of a few failed renewals
FLUSH_SECONDS = 5.0

UPSERT_LEASES = """
INSERT INTO notahat.holds
SELECT id, %s, string_to_array(guests, ' ')::uuid[], now() + make_interval(secs => %s)
FROM unnest(%s::uuid[], %s::text[]) AS held (id, guests)
ON CONFLICT (table_id, node) DO UPDATE SET guests = excluded.guests, expires = excluded.expires
"""
DELETE_LEASES = "DELETE FROM notahat.holds WHERE node = %s AND table_id = ANY(%s::uuid[])"
OTHER_LEASES = "SELECT table_id, guests FROM notahat.holds WHERE table_id = ANY(%s) AND node <> %s AND expires > now()"

Execute = Callable[..., Awaitable[list[tuple[Any, ...]]]]


class PresenceLeases:
    """The leases of this node: what they say, and which of them are not written yet."""

    def __init__(self, execute: Execute, notify: Callable[[Iterable[UUID]], None]) -> None:
        self._execute = execute
        self._notify = notify
        self._node = ""
        self._seconds = 0.0
        self._present: dict[UUID, frozenset[UUID]] = {}
        self._unwritten: set[UUID] = set()
        self._changed: set[UUID] = set()  # unwritten tables that other nodes must read again
        self._renew_at = float("inf")
        self._writing: asyncio.Task[None] | None = None

    def publish(self, node: str, present: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:
        """Update the leases of these tables; the empty set ends a lease. Other leases stay."""
        self._node, self._seconds = node, seconds
        for table, guests in present.items():
            if self._present.get(table, NO_GUESTS) != guests:
                self._unwritten.add(table)
                self._changed.add(table)
                if guests:
                    self._present[table] = guests
                else:
                    del self._present[table]
        self._start_writing()

    def renew(self) -> None:
        """Begin to renew all leases if half of their time is over. Call this regularly."""
        if time.monotonic() >= self._renew_at:
            self._renew_at = float("inf")  # until they are written
            self._unwritten |= self._present.keys()
            self._start_writing()

    async def on_other_nodes(self, tables: list[UUID]) -> dict[UUID, frozenset[UUID]]:
        """Return the guests connected to these tables through other nodes."""
        found: dict[UUID, frozenset[UUID]] = {}
        for table, guests in await self._execute(OTHER_LEASES, tables, self._node):
            found[table] = found.get(table, NO_GUESTS) | frozenset(guests)
        return found

    async def flush(self) -> None:
        """Wait until all changes are written, but not for ever: the database may be away."""
        if self._writing is not None:
            await asyncio.wait((self._writing,), timeout=FLUSH_SECONDS)

    async def close(self) -> None:
        """Write the last changes if the database answers, then stop."""
        await self.flush()
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait((self._writing,))

    def _start_writing(self) -> None:
        if self._unwritten and self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Write all changes of one loop iteration in one statement, and repeat what fails.

        There is one statement at a time, so that a slow one never overwrites a newer one.
        """
        try:
            while self._unwritten:
                tables, self._unwritten = self._unwritten, set()
                changed, self._changed = self._changed, set()
                began = time.monotonic()
                try:
                    await self._upsert([table for table in tables if table in self._present])
                    await self._delete([table for table in tables if table not in self._present])
                except psycopg.Error:
                    self._unwritten |= tables
                    self._changed |= changed
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    self._renew_at = min(self._renew_at, began + self._seconds / 2)
                    self._notify(changed)
        finally:
            self._writing = None

    async def _upsert(self, tables: list[UUID]) -> None:
        if tables:
            guests = [" ".join(map(str, self._present[table])) for table in tables]
            await self._execute(UPSERT_LEASES, self._node, self._seconds, tables, guests)

    async def _delete(self, tables: list[UUID]) -> None:
        if tables:
            await self._execute(DELETE_LEASES, self._node, tables)
