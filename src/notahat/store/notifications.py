"""Notifications between nodes through PostgreSQL: LISTEN/NOTIFY as hints, and a slow poll for lost ones.

Notifications are sent outside the transactions that write, because PostgreSQL serialises commits that notify. They
travel on a few shared channels, and each process listens with one connection. Every node sends a heartbeat; a node
that has received nothing from another one for a while sends no notifications.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from notahat.store.presence_leases import Execute, PresenceLeases
from notahat.store.subscriptions import Subscriptions

PRESENCE = 0  # sent instead of a version: the presence at this table has changed
CHANNELS = [f"notahat_{number}" for number in range(4)]
POLL_SECONDS = 5.0
RECONNECT_SECONDS = 0.5
ALONE_AFTER_POLLS = 4
HEARTBEAT = (UUID(int=0), PRESENCE)

NEWEST_VERSIONS = """
SELECT id, version FROM unnest(%s::uuid[]) AS wanted (id),
LATERAL (SELECT version FROM notahat.log WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest
"""
SEND = "SELECT pg_notify(c, p) FROM unnest(%s::text[], %s::text[]) AS sent (c, p)"

log = logging.getLogger("notahat.store")


class Notifier:
    """Sends this node's notifications, and passes those of other nodes to the subscriptions."""

    def __init__(
        self,
        url: str,
        settings: dict[str, Any],
        subscriptions: Subscriptions,
        *,
        leases: PresenceLeases,
        execute: Execute,
    ) -> None:
        self._url = url
        self._settings = settings
        self._subscriptions = subscriptions
        self._leases = leases
        self._execute = execute
        self._sender = uuid4().hex
        self._unsent: set[tuple[UUID, int]] = set()
        self._has_unsent = asyncio.Event()
        self._stale: set[UUID] = set()  # tables whose presence must be read
        self._has_stale = asyncio.Event()
        self._refreshed = asyncio.get_running_loop().create_future()  # done when all tables stale until now were read
        self._heard_at = float("-inf")
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        work = (self._listen, self._send_all, self._refresh_all, self._poll)
        self._tasks = [loop.create_task(self._restart(one)) for one in work]

    async def stop(self) -> None:
        """Cancel the tasks, repeatedly: a query that was cancelled may have swallowed the cancellation."""
        waiting = set(self._tasks)
        while waiting:
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=0.2)
        self._refreshed.cancel()

    def send(self, table: UUID, version: int) -> None:
        """Notify other nodes, if there are any, that a table has changed."""
        if not self._alone:
            self._unsent.add((table, version))
            self._has_unsent.set()

    async def refresh_presence(self, table: UUID) -> None:
        """Read and report the presence on other nodes; concurrent calls share one query."""
        self._mark_stale(table)
        await asyncio.shield(self._refreshed)

    @property
    def _alone(self) -> bool:
        return time.monotonic() - self._heard_at > ALONE_AFTER_POLLS * POLL_SECONDS

    def _mark_stale(self, table: UUID) -> None:
        self._stale.add(table)
        self._has_stale.set()

    async def _restart(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start a task again whenever it fails: nothing else would notice that notifications have stopped."""
        while True:
            try:
                await work()
            except psycopg.Error:
                pass  # other parts of the store report that the database is away
            except Exception:
                log.exception("notifications failed")
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _send_all(self) -> None:
        """Send what has gathered. What fails is not repeated: the poll of the other nodes finds it."""
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            batch, self._unsent = self._unsent, set()
            await self._send_now(batch)

    async def _send_now(self, batch: Iterable[tuple[UUID, int]]) -> None:
        sent = [(CHANNELS[table.int % len(CHANNELS)], f"{self._sender} {table} {version}") for table, version in batch]
        await self._execute(SEND, [channel for channel, _ in sent], [payload for _, payload in sent])

    async def _listen(self) -> None:
        async with await AsyncConnection.connect(self._url, **self._settings) as connection:
            for channel in CHANNELS:
                await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
            await self._send_now([HEARTBEAT])
            await self._read_all()  # notifications may have been missed while this connection was down
            async for notification in connection.notifies():
                self._receive(notification.payload)

    def _receive(self, payload: str) -> None:
        """Handle a notification. Ignore malformed ones: anyone with access to the database can send them."""
        try:
            sender, table_id, number = payload.split(" ")
            table, version = UUID(table_id), int(number)
        except ValueError:
            return
        if sender == self._sender:
            return
        alone, self._heard_at = self._alone, time.monotonic()
        if alone:
            self.send(*HEARTBEAT)  # so that the other node learns of this one
        if version != PRESENCE:
            self._subscriptions.report_version(table, version)
        elif table in self._subscriptions:
            self._mark_stale(table)

    async def _refresh_all(self) -> None:
        """Read the presence of all stale tables in one query; what fails stays stale."""
        while True:
            await self._has_stale.wait()
            self._has_stale.clear()
            stale, self._stale = self._stale, set()
            refreshed, self._refreshed = self._refreshed, asyncio.get_running_loop().create_future()
            try:
                await self._report_presence(list(stale))
                refreshed.set_result(None)
            except psycopg.Error as error:
                self._stale |= stale
                self._has_stale.set()
                refreshed.set_exception(error)
                refreshed.exception()  # mark it as retrieved, even if nothing awaits it
                raise
            finally:
                refreshed.cancel()  # if this task is cancelled, nothing waits for ever

    async def _poll(self) -> None:
        """Renew and read everything regularly; soon again if it fails."""
        pause = POLL_SECONDS
        while True:
            await asyncio.sleep(pause)
            self._leases.renew()
            try:
                await self._send_now([HEARTBEAT])
                await self._read_all()
            except psycopg.Error:
                pause = RECONNECT_SECONDS
            else:
                pause = POLL_SECONDS

    async def _read_all(self) -> None:
        """Read and report version and presence of all subscribed tables."""
        if tables := self._subscriptions.tables():
            for table, version in await self._execute(NEWEST_VERSIONS, tables):
                self._subscriptions.report_version(table, version)
            await self._report_presence(tables)

    async def _report_presence(self, tables: list[UUID]) -> None:
        guests = await self._leases.on_other_nodes(tables)
        for table in tables:
            self._subscriptions.report_presence(table, guests.get(table, frozenset()))
