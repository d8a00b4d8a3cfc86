"""The store for several nodes: PostgreSQL. The primary key (table, version) of the log detects conflicts."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool

from notahat.store.migration import missing
from notahat.store.notifications import PRESENCE, Notifier
from notahat.store.postgres_log import CLOSING_TIMEOUT_SECONDS, RETRY_SECONDS, SYNC_COMMITS, PostgresLog
from notahat.store.presence_leases import PresenceLeases
from notahat.store.safe_clock import SafeClock
from notahat.store.sql_store import Row, SqlStore, as_id, first_id
from notahat.store.store import Commit, Done, OnPresence, OnVersion, Unavailable
from notahat.store.subscriptions import Subscriptions
from notahat.store.writer import Writer

T = TypeVar("T")
MAX_CONNECTIONS = 8
OUTAGE_SECONDS = 20.0  # how long to retry while the database is away
# the pool reconnects with growing pauses; a new request makes it try at once
POOL_TIMEOUT_SECONDS = 1.0
HEALTH_TIMEOUT_SECONDS = 1.5
# notice a dead network within half a minute, before the operating system does
KEEPALIVE = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}


# appends do not update `touched`: copy the time of the newest commit for tables that seem old
UPDATE_TOUCHED = """
UPDATE notahat.tables SET touched = newest.at FROM notahat.tables AS old,
LATERAL (SELECT at FROM notahat.log WHERE table_id = old.id ORDER BY version DESC LIMIT 1) AS newest
WHERE tables.id = old.id AND old.id = ANY(%s) AND newest.at > old.touched AND old.touched <> '-infinity'
"""
OLD_TABLES = "SELECT id FROM notahat.tables WHERE id > %s AND touched < to_timestamp(%s) ORDER BY id LIMIT %s"
# delete the codes, and the newest commits so that no append can follow them
MARK_DELETED = """
WITH marked AS (
    UPDATE notahat.tables SET touched = '-infinity' WHERE id = ANY(%(ids)s) AND touched < to_timestamp(%(before)s)
    AND NOT EXISTS (SELECT FROM notahat.holds WHERE table_id = id)
    AND (touched = '-infinity' OR NOT EXISTS (
        SELECT FROM (SELECT at FROM notahat.log WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest
        WHERE at >= to_timestamp(%(before)s)
    ))
    RETURNING id
), deleted_aliases AS (DELETE FROM notahat.aliases USING marked WHERE table_id = marked.id),
deleted_commits AS (
    DELETE FROM notahat.log USING marked
    WHERE table_id = marked.id AND version = (SELECT max(version) FROM notahat.log WHERE table_id = marked.id)
)
SELECT id FROM marked
"""
DELETE_LOGS = "DELETE FROM notahat.log WHERE table_id = ANY(%s)"
DELETE_TABLES = "DELETE FROM notahat.tables WHERE id = ANY(%s) AND touched = '-infinity'"
# a write that changes nothing, but needs what every append needs: rights, disk space, and a primary server
TEST_WRITE = """
WITH tried AS (INSERT INTO notahat.log (table_id, version, command, events) SELECT id, 1, '', '' FROM notahat.tables
WHERE false) UPDATE notahat.schema SET reached = reached WHERE reached = (SELECT max(reached) FROM notahat.schema)
"""
LAST_TOUCHED = "SELECT EXTRACT(epoch FROM max(touched))::float8 FROM notahat.tables WHERE touched <> '-infinity'"
TABLES_PER_PAGE = 500
TABLES_PER_LOCK = 20
LOGS_PER_DELETE = 5


class PostgresStore(SqlStore):
    """A store in a database that several nodes share."""

    def __init__(self, url: str, outage_seconds: float) -> None:
        self._outage_seconds = outage_seconds
        self._clock = SafeClock(None)
        self._running: set[asyncio.Task[list[Row]]] = set()
        self._pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            open=False,
            configure=sync_commits,
            kwargs=connection_settings(),
            reconnect_timeout=POOL_TIMEOUT_SECONDS,
        )
        self._subscriptions = Subscriptions()
        self._leases = PresenceLeases(self._execute_once, self._notify_presence)
        self._notifier = Notifier(
            url, connection_settings(), self._subscriptions, leases=self._leases, execute=self._execute_once
        )
        self._log = PostgresLog(url, connection_settings(), outage_seconds)
        self._writer = Writer(self._log.write_batch, self._log.close)

    @classmethod
    async def open(cls, url: str, outage_seconds: float = OUTAGE_SECONDS) -> "PostgresStore":
        store = cls(url, outage_seconds)
        try:
            await store._pool.open(wait=True, timeout=outage_seconds)
            async with store._pool.connection() as connection:
                await migrate(connection)
                ((newest,),) = await (await connection.execute(LAST_TOUCHED)).fetchall()
                store._clock = SafeClock(newest)
        except (OperationalError, psycopg.errors.InsufficientPrivilege) as error:
            await store._pool.close()
            raise Unavailable(str(error)) from error
        except BaseException:
            await store._pool.close()
            raise
        store._notifier.start()
        return store

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None:
        def written(result: Commit | Exception) -> None:
            if isinstance(result, Commit):
                self._subscriptions.skip_version(table, result.version)
                self._notifier.send(table, result.version)
            done(result)

        self._writer.append(Commit(table, expected + 1, command, events), written)

    async def tables(self) -> list[UUID]:
        return [row[0] for row in await self._execute("SELECT id FROM notahat.tables WHERE touched <> '-infinity'")]

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:
        return self._subscriptions.add(table, on_version, on_presence)

    async def refresh_presence(self, table: UUID) -> None:
        await self._retry(lambda: self._notifier.refresh_presence(table))

    def publish_presence(self, node: str, present: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:
        self._leases.publish(node, present, seconds)

    async def create_alias(self, code: str, table: UUID) -> bool:
        await self._execute("INSERT INTO notahat.tables VALUES (%s) ON CONFLICT DO NOTHING", table)
        await self._execute("INSERT INTO notahat.aliases VALUES (%s, %s) ON CONFLICT DO NOTHING", code, table)
        return await self.table_of(code) == table

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID:
        sql = "INSERT INTO notahat.guests VALUES (%s, %s) ON CONFLICT DO NOTHING"
        await self._execute(sql, hash_, guest or uuid4())
        (row,) = await self._execute("SELECT id FROM notahat.guests WHERE hash = %s", hash_)
        return as_id(row[0])

    async def guest(self, hash_: bytes) -> UUID | None:
        found = await self._execute(
            "SELECT id, seen < now() - interval '1 day' FROM notahat.guests WHERE hash = %s", hash_
        )
        if found and found[0][1]:
            await self._execute("UPDATE notahat.guests SET seen = now() WHERE hash = %s", hash_)
        return first_id(found)

    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None:
        await self._execute(
            "INSERT INTO notahat.tickets VALUES (%s, %s, now() + make_interval(secs => %s)) ON CONFLICT DO NOTHING",
            hash_,
            guest,
            seconds,
        )

    async def take_ticket(self, hash_: bytes) -> UUID | None:
        taken = await self._execute(
            "DELETE FROM notahat.tickets WHERE hash = %s RETURNING guest, expires > now()", hash_
        )
        return first_id([row for row in taken if row[1]])

    async def tables_containing(self, text: bytes) -> list[UUID]:
        sql: LiteralString = (
            "SELECT DISTINCT id FROM notahat.log JOIN notahat.tables ON id = table_id AND touched <> '-infinity' "
            "WHERE position(%s::bytea IN events) > 0"
        )
        return [row[0] for row in await self._execute(sql, text)]

    async def delete_table(self, table: UUID) -> None:
        await self._execute("DELETE FROM notahat.holds WHERE table_id = %s", table)
        await self._delete_tables([table], float("inf"))

    async def clean(self, older_than_seconds: float) -> int:
        await self._leases.flush()
        await self._execute("DELETE FROM notahat.holds WHERE expires < now()")
        await self._execute("DELETE FROM notahat.tickets WHERE expires < now()")
        await self._execute(
            "DELETE FROM notahat.guests "
            "WHERE seen < least(now(), to_timestamp(%s)) - greatest(make_interval(secs => %s), interval '2 days')",
            self._clock.upper_bound,
            older_than_seconds,
        )
        ((before,),) = await self._execute(
            "SELECT EXTRACT(epoch FROM least(now(), to_timestamp(%s)))::float8 - %s::float8",
            self._clock.upper_bound,
            older_than_seconds,
        )
        return await self._delete_old_tables(before)

    async def _delete_old_tables(self, before: float) -> int:
        """Delete a few tables at a time, so that appends do not wait for long."""
        deleted, after = 0, UUID(int=0)
        while old := [row[0] for row in await self._execute(OLD_TABLES, after, before, TABLES_PER_PAGE)]:
            for start in range(0, len(old), TABLES_PER_LOCK):
                deleted += await self._delete_tables(old[start : start + TABLES_PER_LOCK], before)
            after = old[-1]
        return deleted

    async def _delete_tables(self, ids: list[UUID], before: float) -> int:
        await self._execute(UPDATE_TOUCHED, ids)
        marked = await self._mark_deleted(ids, before)
        for start in range(0, len(marked), LOGS_PER_DELETE):
            await self._execute(DELETE_LOGS, marked[start : start + LOGS_PER_DELETE])
        await self._execute(DELETE_TABLES, marked)
        return len(marked)

    async def _mark_deleted(self, ids: list[UUID], before: float) -> list[UUID]:
        """Lock the log against appends while marking, so that no table loses only a part of its log."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("LOCK TABLE notahat.log IN SHARE ROW EXCLUSIVE MODE")
                cursor = await connection.execute(MARK_DELETED, {"ids": ids, "before": before})
                return [row[0] for row in await cursor.fetchall()]
        except psycopg.Error as error:
            raise Unavailable(str(error)) from error

    async def check_health(self) -> None:
        """Raise `Unavailable` without waiting for the end of an outage."""
        try:
            async with asyncio.timeout(HEALTH_TIMEOUT_SECONDS):
                await self._test_write()
        except TimeoutError:
            raise Unavailable(f"PostgreSQL does not answer within {HEALTH_TIMEOUT_SECONDS:g} s") from None
        except psycopg.Error as error:
            raise Unavailable(str(error)) from error

    async def _test_write(self) -> None:
        """Try twice, because pooled connections may be broken although the database is up again."""
        try:
            await self._execute_once(TEST_WRITE)
        except OperationalError:
            await self._pool.check()
            await self._execute_once(TEST_WRITE)

    async def close(self) -> None:
        await self._notifier.stop()
        self._log.begin_closing()
        await self._writer.close()
        await self._leases.close()
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSING_TIMEOUT_SECONDS)
        await self._pool.close()

    def _notify_presence(self, tables: Iterable[UUID]) -> None:
        for table in tables:
            self._notifier.send(table, PRESENCE)

    async def _execute(self, sql: LiteralString, *values: object) -> list[Row]:
        """Run one statement in its own transaction; retry during an outage."""
        return await self._retry(lambda: self._execute_once(sql, *values))

    _read = _write = _execute

    async def _retry(self, request: Callable[[], Awaitable[T]]) -> T:
        deadline = time.monotonic() + self._outage_seconds
        while True:
            try:
                return await request()
            except OperationalError as error:
                if time.monotonic() > deadline:
                    raise Unavailable(str(error)) from error
                await asyncio.sleep(RETRY_SECONDS)
            except psycopg.Error as error:
                raise Unavailable(str(error)) from error

    async def _execute_once(self, sql: LiteralString, *values: object) -> list[Row]:
        """Run one statement to its end, even if the caller is cancelled."""
        task = asyncio.get_running_loop().create_task(self._run(sql, values))
        self._running.add(task)
        task.add_done_callback(self._forget_task)
        return await asyncio.shield(task)

    async def _run(self, sql: LiteralString, values: tuple[object, ...]) -> list[Row]:
        async with self._pool.connection(timeout=POOL_TIMEOUT_SECONDS) as connection:
            cursor = await connection.execute(sql, values)
            return await cursor.fetchall() if cursor.description else []

    def _forget_task(self, task: asyncio.Task[list[Row]]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved, even if the caller was cancelled


def connection_settings() -> dict[str, Any]:
    return {"autocommit": True, **KEEPALIVE}


async def sync_commits(connection: AsyncConnection[Row]) -> None:
    """Make commits wait for the disk, even if the operator's settings say otherwise."""
    await connection.execute(SYNC_COMMITS)


async def migrate(connection: AsyncConnection[Row]) -> None:
    """Apply the missing schema steps, all or none. A lock serialises nodes that start together."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtext('notahat.schema'))")
        await connection.execute("CREATE SCHEMA IF NOT EXISTS notahat")
        await connection.execute("CREATE TABLE IF NOT EXISTS notahat.schema (reached integer PRIMARY KEY)")
        cursor = await connection.execute("SELECT COALESCE(max(reached), 0) FROM notahat.schema")
        ((reached,),) = await cursor.fetchall()
        for step in missing("postgres", reached):
            await connection.execute(step.sql.encode())
            await connection.execute("INSERT INTO notahat.schema VALUES (%s)", (step.number,))
