"""Telling other nodes about new versions through PostgreSQL: notifications as hints, and a slow poll for lost ones.

Notifications are sent outside the transactions that write, because PostgreSQL makes notifying commits wait for one
another. They travel on a few shared channels, and each process listens with one connection. Every node says now and
then that it is there; one that has not heard of another for a while writes in silence.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from notahat.store.subscriptions import Followers

PRESENCE = 0  # in the place of a version: somebody came or went
CHANNELS = [f"notahat_{number}" for number in range(4)]
POLL_SECONDS = 5.0
RECONNECT_SECONDS = 0.5
ALONE_AFTER_POLLS = 4
HERE = (UUID(int=0), PRESENCE)  # something that every node understands, about no table

Versions = Callable[[list[UUID]], Awaitable[list[tuple[UUID, int]]]]
Guests = Callable[[list[UUID]], Awaitable[dict[UUID, frozenset[UUID]]]]
Say = Callable[[list[str], list[str]], Awaitable[None]]


class Bell:
    """Rings for the other nodes, and listens to their ringing."""

    def __init__(
        self,
        url: str,
        settings: dict[str, Any],
        followers: Followers,
        *,
        versions: Versions,
        guests: Guests,
        say: Say,
        keep: Callable[[], Awaitable[None]],
    ) -> None:
        self._url = url
        self._settings = settings
        self._followers = followers
        self._versions = versions
        self._guests = guests
        self._say = say
        self._keep = keep
        self._voice = uuid4().hex
        self._unsaid: set[tuple[UUID, int]] = set()
        self._something = asyncio.Event()
        self._moved: set[UUID] = set()
        self._somebody = asyncio.Event()
        self._looked = asyncio.get_running_loop().create_future()  # when all that moved until now was looked at
        self._heard_at = float("-inf")
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        works = (self._listen_again, self._speak, self._look_around, self._poll)
        self._tasks = [loop.create_task(work()) for work in works]

    async def stop(self) -> None:
        """Cancel the work, again if need be: a query that was cancelled may have swallowed it."""
        waiting = set(self._tasks)
        while waiting:
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=0.2)
        self._looked.cancel()

    def ring(self, table: UUID, version: int) -> None:
        """Say that a table has changed, if there is anybody to hear it."""
        if not self._alone:
            self._unsaid.add((table, version))
            self._something.set()

    async def look_at(self, table: UUID) -> None:
        """See who is at a table on other nodes: one question for all that were asked about meanwhile."""
        self._moved.add(table)
        self._somebody.set()
        await asyncio.shield(self._looked)

    @property
    def _alone(self) -> bool:
        return time.monotonic() - self._heard_at > ALONE_AFTER_POLLS * POLL_SECONDS

    async def _speak(self) -> None:
        """Say all that has gathered at once. What cannot be said now need not be: the poll finds it."""
        while True:
            await self._something.wait()
            self._something.clear()
            said, self._unsaid = self._unsaid, set()
            try:
                await self._tell(said)
            except psycopg.Error:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _tell(self, news: Iterable[tuple[UUID, int]]) -> None:
        words = [(CHANNELS[table.int % len(CHANNELS)], f"{self._voice} {table} {version}") for table, version in news]
        await self._say([channel for channel, _ in words], [word for _, word in words])

    async def _listen_again(self) -> None:
        while True:
            try:
                await self._listen()
            except psycopg.Error:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        async with await AsyncConnection.connect(self._url, **self._settings) as connection:
            for channel in CHANNELS:
                await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
            await self._tell([HERE])
            await self._look()  # at what was said while nobody listened
            async for said in connection.notifies():
                self._hear(said.payload)

    def _hear(self, payload: str) -> None:
        """Anybody may ring on our channels: what makes no sense is none of ours."""
        try:
            voice, table_id, number = payload.split(" ")
            table, version = UUID(table_id), int(number)
        except ValueError:
            return
        if voice == self._voice:
            return
        alone, self._heard_at = self._alone, time.monotonic()
        if alone:
            self.ring(*HERE)  # we are here too
        if version != PRESENCE:
            self._followers.wrote(table, version)
        elif self._followers.follows(table):
            self._moved.add(table)
            self._somebody.set()

    async def _look_around(self) -> None:
        """See who is where on other nodes, for all tables at once of which somebody said that it changed, or asked."""
        while True:
            await self._somebody.wait()
            self._somebody.clear()
            moved, self._moved = self._moved, set()
            looked, self._looked = self._looked, asyncio.get_running_loop().create_future()
            try:
                await self._see(list(moved))
                looked.set_result(None)
            except psycopg.Error as error:
                looked.set_exception(error)
                looked.exception()  # somebody has looked, even if nobody waits for it
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                looked.cancel()  # where we were stopped, nobody waits for ever

    async def _poll(self) -> None:
        while True:
            try:
                await asyncio.sleep(POLL_SECONDS)
                await self._tell([HERE])
                await self._keep()
                await self._look()
            except psycopg.Error:
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _look(self) -> None:
        """Read the versions of all tables that somebody here follows, and who is there."""
        if tables := self._followers.tables():
            for table, version in await self._versions(tables):
                self._followers.wrote(table, version)
            await self._see(tables)

    async def _see(self, tables: list[UUID]) -> None:
        guests = await self._guests(tables)
        for table in tables:
            self._followers.elsewhere(table, guests.get(table, frozenset()))
