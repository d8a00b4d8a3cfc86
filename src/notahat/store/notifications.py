"""Nodes that share PostgreSQL: leases say who is connected where; LISTEN/NOTIFY gives hints, a poll finds lost ones."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID, uuid4

import psycopg
from msgspec import Struct
from psycopg import AsyncConnection

from notahat.store.store import OnPresence, OnVersion

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

    def __init__(self, execute: Execute, notify: Callable[[UUID], None]) -> None:
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
        """Write changes, one statement at a time, so that a slow one overwrites none; repeat what fails."""
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
                    for table in changed:
                        self._notify(table)
        finally:
            self._writing = None

    async def _upsert(self, tables: list[UUID]) -> None:
        if tables:
            guests = [" ".join(map(str, self._present[table])) for table in tables]
            await self._execute(UPSERT_LEASES, self._node, self._seconds, tables, guests)

    async def _delete(self, tables: list[UUID]) -> None:
        if tables:
            await self._execute(DELETE_LEASES, self._node, tables)


PRESENCE = 0  # sent instead of a version: the presence at this table has changed
CHANNEL = "notahat_0"
POLL_SECONDS = 5.0
RECONNECT_SECONDS = 0.5
ALONE_AFTER_POLLS = 4
HEARTBEAT = (UUID(int=0), PRESENCE)

NEWEST_VERSIONS = """
SELECT id, version FROM unnest(%s::uuid[]) AS wanted (id),
LATERAL (SELECT version FROM notahat.log WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest
"""
SEND = "SELECT pg_notify(%s, p) FROM unnest(%s::text[]) AS sent (p)"

Report = TypeVar("Report")

log = logging.getLogger("notahat.store")


class Subscription(Struct, eq=False):
    """Who is told of a table's changes by other nodes, and what they know."""

    on_version: OnVersion
    on_presence: OnPresence
    version: int = 0  # the newest one that was reported, or written by this node
    guests: frozenset[UUID] = frozenset()


class Notifier:
    """Sends this node's notifications, and reports those of other nodes to the subscription of their table."""

    def __init__(self, url: str, settings: dict[str, Any], *, leases: PresenceLeases, execute: Execute) -> None:
        self._url = url
        self._settings = settings
        self._subscriptions: dict[UUID, Subscription] = {}
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

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:
        """Subscribe to a table; the returned function ends the subscription."""
        subscription = self._subscriptions[table] = Subscription(on_version, on_presence)

        def stop() -> None:
            if self._subscriptions.get(table) is subscription:
                del self._subscriptions[table]

        return stop

    def written(self, table: UUID, version: int) -> None:
        """Notify the others of a commit of this node, which is not reported here."""
        if (known := self._subscriptions.get(table)) is not None:
            known.version = max(known.version, version)
        self.send(table, version)

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
        await self._execute(SEND, CHANNEL, [f"{self._sender} {table} {version}" for table, version in batch])

    async def _listen(self) -> None:
        async with await AsyncConnection.connect(self._url, **self._settings) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
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
            self._report_version(table, version)
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
        if tables := list(self._subscriptions):
            for table, version in await self._execute(NEWEST_VERSIONS, tables):
                self._report_version(table, version)
            await self._report_presence(tables)

    def _report_version(self, table: UUID, version: int) -> None:
        known = self._subscriptions.get(table)
        if known is not None and known.version < version:
            known.version = version
            _call(known.on_version, version)

    async def _report_presence(self, tables: list[UUID]) -> None:
        found = await self._leases.on_other_nodes(tables)
        for table in tables:
            known, guests = self._subscriptions.get(table), found.get(table, frozenset())
            if known is not None and known.guests != guests:
                known.guests = guests
                _call(known.on_presence, guests)


def _call(subscriber: Callable[[Report], None], report: Report) -> None:
    """Call a subscriber; its failure concerns no other table."""
    try:
        subscriber(report)
    except Exception:
        log.exception("a subscriber failed")
