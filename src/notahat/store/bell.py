"""Telling other nodes about new versions through PostgreSQL: notifications as hints, and a slow poll for lost ones.

Notifications are sent outside the transactions that write, because PostgreSQL makes notifying commits wait for one
another. They travel on a few shared channels, and each process listens with one connection.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

from psycopg import AsyncConnection, OperationalError
from psycopg.sql import SQL, Identifier

from notahat.store.hints import Hints

CHANNELS = [f"notahat_{number}" for number in range(4)]
POLL_SECONDS = 5.0
RECONNECT_SECONDS = 0.5

Versions = Callable[[list[UUID]], Awaitable[list[tuple[UUID, int]]]]
Say = Callable[[list[str], list[str]], Awaitable[None]]


class Bell:
    """Rings for the other nodes, and listens to their ringing."""

    def __init__(self, url: str, settings: dict[str, Any], hints: Hints, versions: Versions, say: Say) -> None:
        self._url = url
        self._settings = settings
        self._hints = hints
        self._versions = versions
        self._say = say
        self._voice = uuid4().hex
        self._unsaid: set[tuple[UUID, int]] = set()
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(work()) for work in (self._listen, self._speak, self._poll)]

    async def stop(self) -> None:
        """Cancel the work, again if need be: a query that was cancelled may have swallowed it."""
        waiting = set(self._tasks)
        while waiting:
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=0.2)

    def ring(self, table: UUID, version: int) -> None:
        self._unsaid.add((table, version))
        self._something.set()

    async def _speak(self) -> None:
        """Say all that has gathered at once. What cannot be said now need not be: the poll finds it."""
        while True:
            await self._something.wait()
            self._something.clear()
            said, self._unsaid = self._unsaid, set()
            channels = [CHANNELS[table.int % len(CHANNELS)] for table, _ in said]
            try:
                await self._say(channels, [f"{self._voice} {table} {version}" for table, version in said])
            except OperationalError:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_until_lost()
            except OperationalError:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen_until_lost(self) -> None:
        async with await AsyncConnection.connect(self._url, **self._settings) as connection:
            for channel in CHANNELS:
                await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
            await self._look()  # at what was said while nobody listened
            async for said in connection.notifies():
                voice, table, version = said.payload.split(" ")
                if voice != self._voice:
                    self._hints.hint(UUID(table), int(version))

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self._look()
            except OperationalError:
                continue

    async def _look(self) -> None:
        """Read the versions of all tables that somebody here waits for."""
        if tables := self._hints.tables():
            for table, version in await self._versions(tables):
                self._hints.hint(table, version)
