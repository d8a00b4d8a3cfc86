"""The store for several nodes: PostgreSQL. The primary key (table, version) of the log detects conflicts."""

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection, Connection, OperationalError, RawCursor
from psycopg_pool import AsyncConnectionPool

from notahat.store.notifications import PRESENCE, Notifier, PresenceLeases
from notahat.store.sql_store import Row, SafeClock, SqlStore, as_id, first_id, missing
from notahat.store.store import Commit, Done, OnPresence, OnVersion, Unavailable
from notahat.store.writer import Job, PendingAppend, Writer, write_together

RETRY_SECONDS = 0.1
CLOSING_TIMEOUT_SECONDS = 3.0
SILENCE_SECONDS = 5.0  # without an answer to a statement
SYNC_COMMITS = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
WRITTEN = (
    "SELECT table_id, version, command, events FROM notahat.log "
    "JOIN unnest($1::uuid[], $2::bigint[]) AS job (id, expected) ON table_id = id AND version = expected"
)


class StatementWatch:
    """Breaks connections whose statements get no answer: psycopg would wait for a hung pooler without end."""

    def __init__(self) -> None:
        self._asked: dict[Connection[Row] | AsyncConnection[Row], float] = {}

    @contextmanager
    def asking(self, connection: Connection[Row] | AsyncConnection[Row]) -> Iterator[None]:
        """Inside this block a statement waits for its answer, in any thread."""
        self._asked[connection] = time.monotonic()
        try:
            yield
        finally:
            self._asked.pop(connection, None)

    def break_silent(self, seconds: float = SILENCE_SECONDS) -> None:
        for connection, since in tuple(self._asked.items()):
            if time.monotonic() - since >= seconds:
                hang_up(connection)


def hang_up(connection: Connection[Row] | AsyncConnection[Row]) -> None:
    """Shut a connection's socket down: whoever waits for an answer gets an `OperationalError` at once."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as shared:
        shared.shutdown(socket.SHUT_RDWR)


class PostgresLog:
    """The owner of the writing connection. The writer's thread calls `write_batch`."""

    def __init__(self, url: str, settings: dict[str, Any], outage_seconds: float, watch: StatementWatch) -> None:
        self._watch = watch
        self._url = url
        self._settings = settings
        self._outage_seconds = outage_seconds
        self._closing_at: float | None = None
        self._open: Connection[Row] | None = None

    def begin_closing(self) -> None:
        """Shorten the retries: the store is being closed."""
        self._closing_at = time.monotonic()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def write_batch(self, jobs: list[Job]) -> None:
        write_together(jobs, self._write_with_retries, lambda error: isinstance(error, OperationalError), psycopg.Error)

    def _write_with_retries(self, jobs: list[Job]) -> None:
        """Retry while the connection is lost. Raise `OperationalError` when the outage lasts too long."""
        appends = [job for job in jobs if isinstance(job, PendingAppend)]
        began, unknown = time.monotonic(), False
        while True:
            try:
                return self._write(appends, unknown)
            except OperationalError:
                self.close()
                unknown = True
                now, closing_at = time.monotonic(), self._closing_at
                is_closed = closing_at is not None and now > closing_at + CLOSING_TIMEOUT_SECONDS
                if is_closed or now > began + self._outage_seconds:
                    raise
                time.sleep(RETRY_SECONDS)

    def _write(self, jobs: list[PendingAppend], unknown: bool) -> None:
        """Write jobs; `unknown` says that an earlier attempt may have written some of them."""
        connection = self._connection()
        with self._watch.asking(connection), RawCursor(connection) as cursor:
            if new := [job.commit.table for job in jobs if job.commit.version == 1]:
                cursor.execute("INSERT INTO notahat.tables SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING", (new,))
            if unknown or not insert(cursor, jobs):
                append_checked(cursor, jobs)

    def _connection(self) -> Connection[Row]:
        if self._open is None:
            self._open = psycopg.connect(self._url, **self._settings)
            with self._watch.asking(self._open):
                self._open.execute(SYNC_COMMITS)
        return self._open


@lru_cache(maxsize=1024)
def insertion(rows: int) -> bytes:
    """Return the statement. It orders rows by table, so that nodes that write the same tables cannot deadlock."""
    values = ", ".join(f"(${n}::uuid, ${n + 1}::bigint, ${n + 2}, ${n + 3}::bytea)" for n in range(1, rows * 4, 4))
    return (
        "INSERT INTO notahat.log (table_id, version, command, events) "  # noqa: S608
        f"SELECT id, version, command, events FROM (VALUES {values}) AS new (id, version, command, events) "
        "WHERE version = 1 OR EXISTS "
        "(SELECT FROM notahat.log WHERE table_id = new.id AND log.version = new.version - 1) "
        "ORDER BY id ON CONFLICT DO NOTHING"
    ).encode()


def insert(cursor: RawCursor[Row], jobs: list[PendingAppend]) -> bool:
    """Insert the commits; return whether all were written."""
    values: list[object] = []
    for job in jobs:
        commit = job.commit
        values += (commit.table, commit.version, commit.key, commit.events)
        job.result = commit
    cursor.execute(insertion(len(jobs)), values)
    return cursor.rowcount == len(jobs)


def append_checked(cursor: RawCursor[Row], jobs: list[PendingAppend]) -> None:
    """Append commits whose versions are not in the log; an earlier attempt, perhaps running, may have written them."""
    for job, row in zip(jobs, written(cursor, jobs), strict=True):
        if row is not None or not insert(cursor, [job]):
            job.compare_with_log(row or written(cursor, [job])[0])


def written(cursor: RawCursor[Row], jobs: list[PendingAppend]) -> list[tuple[str, bytes] | None]:
    """Return key and events in the log at each version, at once: on a slow link, trips delay all tables."""
    cursor.execute(WRITTEN, ([job.commit.table for job in jobs], [job.commit.version for job in jobs]))
    rows = {(table, version): (key, events) for table, version, key, events in cursor.fetchall()}
    return [rows.get((job.commit.table, job.commit.version)) for job in jobs]


T = TypeVar("T")
MAX_CONNECTIONS = 8
OUTAGE_SECONDS = 20.0  # how long to retry while the database is away
# the pool reconnects with growing pauses; a new request makes it try at once
POOL_TIMEOUT_SECONDS = 1.0
HEALTH_TIMEOUT_SECONDS = 1.5
WATCH_SECONDS = 1.0
# notice a dead network within half a minute, and within seconds while something was sent
KEEPALIVE = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
CONNECTION: dict[str, Any] = {"autocommit": True, **KEEPALIVE, "tcp_user_timeout": 5000}  # the last in milliseconds


# appends do not update `touched`: copy the time of the newest commit for tables that seem old
UPDATE_TOUCHED = """
UPDATE notahat.tables SET touched = newest.at FROM notahat.tables AS old,
LATERAL (SELECT at FROM notahat.log WHERE table_id = old.id ORDER BY version DESC LIMIT 1) AS newest
WHERE tables.id = old.id AND old.id = ANY(%s) AND newest.at > old.touched AND old.touched <> '-infinity'
"""
OLD_TABLES = "SELECT id FROM notahat.tables WHERE id > %s AND touched < to_timestamp(%s) ORDER BY id LIMIT %s"
# delete the codes, and the newest commits so that no append can follow them; keep what guests are connected to, except
# where everything shall go: nodes renew their leases at any moment
MARK_DELETED = """
WITH marked AS (
    UPDATE notahat.tables SET touched = '-infinity' WHERE id = ANY(%(ids)s) AND touched < to_timestamp(%(before)s)
    AND (%(before)s = 'infinity'::float8 OR NOT EXISTS (SELECT FROM notahat.holds WHERE table_id = id))
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


@contextmanager
def _unavailable() -> Iterator[None]:
    """Raise `Unavailable` for any error of the database."""
    try:
        yield
    except psycopg.Error as error:
        raise Unavailable(str(error)) from error


class PostgresStore(SqlStore):
    """A store in a database that several nodes share."""

    def __init__(self, url: str, outage_seconds: float) -> None:
        self._outage_seconds = outage_seconds
        self._clock = SafeClock(None)
        self._running: set[asyncio.Task[list[Row]]] = set()
        self._watch = StatementWatch()
        self._watching: asyncio.Task[None] | None = None
        self._closing = False
        self._pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            open=False,
            configure=sync_commits,
            kwargs=CONNECTION,
            reconnect_timeout=POOL_TIMEOUT_SECONDS,
        )
        self._leases = PresenceLeases(self._execute_once, lambda table: self._notifier.send(table, PRESENCE))
        self._notifier = Notifier(url, CONNECTION, leases=self._leases, execute=self._execute_once)
        self._log = PostgresLog(url, CONNECTION, outage_seconds, self._watch)
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
        store._watching = asyncio.get_running_loop().create_task(store._break_silent())
        return store

    async def _break_silent(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            self._watch.break_silent()

    def submit(self, table: UUID, expected: int, events: bytes, key: str, done: Done) -> None:
        def written(result: Commit | Exception) -> None:
            if isinstance(result, Commit):
                self._notifier.written(table, result.version)
            done(result)

        self._writer.append(Commit(table, expected + 1, key, events), written)

    async def tables(self) -> list[UUID]:
        return [row[0] for row in await self._execute("SELECT id FROM notahat.tables WHERE touched <> '-infinity'")]

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:
        return self._notifier.subscribe(table, on_version, on_presence)

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
        with _unavailable():
            async with self._pool.connection() as connection:  # reads every log, and may take long
                return [row[0] for row in await (await connection.execute(sql, (text,))).fetchall()]

    async def delete_table(self, table: UUID) -> None:
        await self._delete_tables([table], float("inf"))
        await self._execute("DELETE FROM notahat.holds WHERE table_id = %s", table)

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
        """Lock the log against appends while marking, so that no table loses only a part of its log."""
        await self._execute(UPDATE_TOUCHED, ids)
        with _unavailable():
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("LOCK TABLE notahat.log IN SHARE ROW EXCLUSIVE MODE")
                cursor = await connection.execute(MARK_DELETED, {"ids": ids, "before": before})
                marked = [row[0] for row in await cursor.fetchall()]
        for start in range(0, len(marked), LOGS_PER_DELETE):
            await self._execute(DELETE_LOGS, marked[start : start + LOGS_PER_DELETE])
        await self._execute(DELETE_TABLES, marked)
        return len(marked)

    async def check_health(self) -> None:
        """Raise `Unavailable` without waiting for the end of an outage. Writes have a connection of their own."""
        if self._writer.busy_seconds > HEALTH_TIMEOUT_SECONDS:
            raise Unavailable(f"PostgreSQL has not written for {self._writer.busy_seconds:.1f} s")
        try:
            with _unavailable():
                async with asyncio.timeout(HEALTH_TIMEOUT_SECONDS):
                    try:
                        await self._execute_once(TEST_WRITE)
                    except OperationalError:  # pooled connections may be broken although the database is up again
                        await self._pool.check()
                        await self._execute_once(TEST_WRITE)
        except TimeoutError:
            raise Unavailable(f"PostgreSQL does not answer within {HEALTH_TIMEOUT_SECONDS:g} s") from None

    async def close(self) -> None:
        """Write what is waiting, unless the database does not answer: what is not acknowledged may be lost."""
        self._closing = True
        self._log.begin_closing()
        if self._watching is not None:
            self._watching.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_TIMEOUT_SECONDS):
                await self._notifier.stop()
                await self._writer.close()
                await self._leases.close()
                if self._running:
                    await asyncio.wait(self._running)
        self._watch.break_silent(0.0)
        await self._pool.close(timeout=1.0)

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
                if self._closing or time.monotonic() > deadline:
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
            with self._watch.asking(connection):
                cursor = await connection.execute(sql, values)
                return await cursor.fetchall() if cursor.description else []

    def _forget_task(self, task: asyncio.Task[list[Row]]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved, even if the caller was cancelled


async def ping(url: str) -> None:
    """Open one plain connection, because a pool would wait longer. Raise `Unavailable` if that fails."""
    try:
        connection = await AsyncConnection.connect(url, **CONNECTION)
    except psycopg.Error as problem:
        raise Unavailable(f"PostgreSQL does not answer: {' '.join(str(problem).split())}") from problem
    await connection.close()


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
