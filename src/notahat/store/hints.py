"""Telling whoever waits in this process that a table has a new version."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

PRESENCE = 0


class Waiter:
    """One subscription. Hints that nobody has fetched yet melt into one, so a slow reader costs nothing."""

    def __init__(self) -> None:
        self._newest = PRESENCE
        self._presence = False
        self._fresh = asyncio.Event()

    def hint(self, version: int) -> None:
        if version == PRESENCE:
            self._presence = True
        elif version > self._newest:
            self._newest = version
        self._fresh.set()

    async def __aiter__(self) -> AsyncIterator[int]:
        told = PRESENCE
        while True:
            await self._fresh.wait()
            self._fresh.clear()
            if self._presence:
                self._presence = False
                yield PRESENCE
            if self._newest > told:
                told = self._newest
                yield told


class Hints:
    """All subscriptions of this process, by table."""

    def __init__(self) -> None:
        self._waiters: defaultdict[UUID, set[Waiter]] = defaultdict(set)

    def hint(self, table: UUID, version: int) -> None:
        for waiter in self._waiters.get(table, ()):
            waiter.hint(version)

    def tables(self) -> list[UUID]:
        """The tables that somebody here waits for."""
        return list(self._waiters)

    @asynccontextmanager
    async def subscribe(self, table: UUID) -> AsyncIterator[AsyncIterator[int]]:
        waiter = Waiter()
        self._waiters[table].add(waiter)
        hints = waiter.__aiter__()
        try:
            yield hints
        finally:
            self._waiters[table].discard(waiter)
            if not self._waiters[table]:
                del self._waiters[table]
