"""The store of many machines: PostgreSQL. The table's version is the compare-and-set, its primary key the proof."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool

from notahat.store.migration import missing
from notahat.store.notifications import PRESENCE, Bell
from notahat.store.postgres_log import FAREWELL_SECONDS, RETRY_SECONDS, WAIT_FOR_THE_DISK, PostgresLog
from notahat.store.presence_leases import Holding
from notahat.store.safe_clock import Age
from notahat.store.store import Commit, Done, Elsewhere, Snapshot, Unavailable, Wrote
from notahat.store.subscriptions import Followers
from notahat.store.writer import Writer, awaited

T = TypeVar("T")
Row = tuple[Any, ...]
CONNECTIONS = 8
PATIENCE_SECONDS = 20.0
# the pool tries to reconnect ever more slowly; asking anew makes it try at once
ASK_AGAIN_SECONDS = 1.0
WELL_SECONDS = 1.5
# a dead network is noticed within half a minute, not when the operating system gives up
LIVELINESS = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}


# the newest version of each table
NEWEST = """
SELECT id, version FROM unnest(%s::uuid[]) AS wanted (id),
LATERAL (SELECT version FROM notahat.log WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest
"""
# when a table was touched last says its newest commit; what seems old is brought up to date
TOUCH = """
UPDATE notahat.tables SET touched = newest.at FROM notahat.tables AS old,
LATERAL (SELECT at FROM notahat.log WHERE table_id = old.id ORDER BY version DESC LIMIT 1) AS newest
WHERE tables.id = old.id AND old.id = ANY(%s) AND newest.at > old.touched AND old.touched <> '-infinity'
"""
OLD = "SELECT id FROM notahat.tables WHERE id > %s AND touched < to_timestamp(%s) ORDER BY id LIMIT %s"
# from now on no code leads to them, and their newest commits are gone, so that nothing can follow
CONDEMN = """
WITH condemned AS (
    UPDATE notahat.tables SET touched = '-infinity' WHERE id = ANY(%(ids)s) AND touched < to_timestamp(%(before)s)
    AND NOT EXISTS (SELECT FROM notahat.holds WHERE table_id = id)
    AND (touched = '-infinity' OR NOT EXISTS (
        SELECT FROM (SELECT at FROM notahat.log WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest
        WHERE at >= to_timestamp(%(before)s)
    ))
    RETURNING id
), unnamed AS (DELETE FROM notahat.aliases USING condemned WHERE table_id = condemned.id),
beheaded AS (
    DELETE FROM notahat.log USING condemned
    WHERE table_id = condemned.id AND version = (SELECT max(version) FROM notahat.log WHERE table_id = condemned.id)
)
SELECT id FROM condemned
"""
ERASE = "DELETE FROM notahat.log WHERE table_id = ANY(%s)"
FORGET = "DELETE FROM notahat.tables WHERE id = ANY(%s) AND touched = '-infinity'"
# a write that changes nothing, and needs what every append needs: rights, room, and a database that is no mere copy
TRY = """
WITH tried AS (INSERT INTO notahat.log (table_id, version, command, events) SELECT id, 1, '', '' FROM notahat.tables
WHERE false) UPDATE notahat.schema SET reached = reached WHERE reached = (SELECT max(reached) FROM notahat.schema)
"""
NEWEST_TOUCH = "SELECT EXTRACT(epoch FROM max(touched))::float8 FROM notahat.tables WHERE touched <> '-infinity'"
TABLES_LOOKED_AT = 500
TABLES_TOGETHER = 20
TABLES_ERASED_TOGETHER = 5


class PostgresStore:
    """Events kept in a database that many processes share."""

    def __init__(self, url: str, patience_seconds: float) -> None:
        self._patience = patience_seconds
        self._age = Age(None)
        self._under_way: set[asyncio.Task[list[Row]]] = set()
        self._pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=CONNECTIONS,
            open=False,
            configure=wait_for_the_disk,
            kwargs=settings(),
            reconnect_timeout=ASK_AGAIN_SECONDS,
        )
        self._followers = Followers()
        self._holding = Holding(self._once, self._ring_for)
        self._bell = Bell(
            url,
            settings(),
            self._followers,
            versions=self._versions,
            guests=self._holding.elsewhere,
            say=self._ring,
            keep=self._holding.renew,
        )
        self._log = PostgresLog(url, settings(), patience_seconds)
        self._writer = Writer(self._log.together, self._log.close)

    @classmethod
    async def open(cls, url: str, patience_seconds: float = PATIENCE_SECONDS) -> "PostgresStore":
        store = cls(url, patience_seconds)
        try:
            await store._pool.open(wait=True, timeout=patience_seconds)
            async with store._pool.connection() as connection:
                await migrate(connection)
                ((newest,),) = await (await connection.execute(NEWEST_TOUCH)).fetchall()
                store._age = Age(newest)
        except (OperationalError, psycopg.errors.InsufficientPrivilege) as error:
            await store._pool.close()
            raise Unavailable(str(error)) from error
        except BaseException:
            await store._pool.close()
            raise
        store._bell.start()
        return store

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None:
        def written(result: Commit | Exception) -> None:
            if isinstance(result, Commit):
                self._followers.wrote_here(table, result.version)
                self._bell.ring(table, result.version)
            done(result)

        self._writer.append(Commit(table, expected + 1, command, events), written)

    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit:
        return await awaited(lambda done: self.submit(table, expected, events, command or uuid4().hex, done))

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        found = await self._run(
            "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version > %s ORDER BY version",
            table,
            after,
        )
        return [Commit(table, *row) for row in found]

    async def tables(self) -> list[UUID]:
        return [row[0] for row in await self._run("SELECT id FROM notahat.tables WHERE touched <> '-infinity'")]

    def follow(self, table: UUID, wrote: Wrote, elsewhere: Elsewhere) -> Callable[[], None]:
        return self._followers.add(table, wrote, elsewhere)

    async def look_around(self, table: UUID) -> None:
        await self._patiently(lambda: self._bell.look_at(table))

    def hold(self, node: str, held: Mapping[UUID, frozenset[UUID]], seconds: float) -> None:
        self._holding.hold(node, held, seconds)

    async def save_snapshot(self, table: UUID, version: int, schema: int, state: bytes) -> None:
        await self._run(
            "INSERT INTO notahat.snapshots SELECT id, %s, %s, %s FROM notahat.tables WHERE id = %s "
            "ON CONFLICT (table_id) DO UPDATE "
            "SET version = excluded.version, schema = excluded.schema, state = excluded.state "
            "WHERE (excluded.schema, excluded.version) >= (snapshots.schema, snapshots.version)",
            version,
            schema,
            state,
            table,
        )

    async def snapshot(self, table: UUID) -> Snapshot | None:
        found = await self._run("SELECT version, schema, state FROM notahat.snapshots WHERE table_id = %s", table)
        return Snapshot(*found[0]) if found else None

    async def create_alias(self, code: str, table: UUID) -> bool:
        await self._run("INSERT INTO notahat.tables VALUES (%s) ON CONFLICT DO NOTHING", table)
        await self._run("INSERT INTO notahat.aliases VALUES (%s, %s) ON CONFLICT DO NOTHING", code, table)
        return await self.table_of(code) == table

    async def table_of(self, code: str) -> UUID | None:
        return id_in(await self._run("SELECT table_id FROM notahat.aliases WHERE code = %s", code))

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID:
        await self._run("INSERT INTO notahat.guests VALUES (%s, %s) ON CONFLICT DO NOTHING", hash_, guest or uuid4())
        (row,) = await self._run("SELECT id FROM notahat.guests WHERE hash = %s", hash_)
        return UUID(str(row[0]))

    async def guest(self, hash_: bytes) -> UUID | None:
        found = await self._run("SELECT id, seen < now() - interval '1 day' FROM notahat.guests WHERE hash = %s", hash_)
        if found and found[0][1]:
            await self._run("UPDATE notahat.guests SET seen = now() WHERE hash = %s", hash_)
        return id_in(found)

    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None:
        await self._run(
            "INSERT INTO notahat.tickets VALUES (%s, %s, now() + make_interval(secs => %s)) ON CONFLICT DO NOTHING",
            hash_,
            guest,
            seconds,
        )

    async def take_ticket(self, hash_: bytes) -> UUID | None:
        taken = await self._run("DELETE FROM notahat.tickets WHERE hash = %s RETURNING guest, expires > now()", hash_)
        return id_in([row for row in taken if row[1]])

    async def clean(self, older_than_seconds: float) -> int:
        await self._holding.settle()
        await self._run("DELETE FROM notahat.holds WHERE expires < now()")
        await self._run("DELETE FROM notahat.tickets WHERE expires < now()")
        await self._run(
            "DELETE FROM notahat.guests "
            "WHERE seen < least(now(), to_timestamp(%s)) - greatest(make_interval(secs => %s), interval '2 days')",
            self._age.latest,
            older_than_seconds,
        )
        ((before,),) = await self._run(
            "SELECT EXTRACT(epoch FROM least(now(), to_timestamp(%s)))::float8 - %s::float8",
            self._age.latest,
            older_than_seconds,
        )
        return await self._clean_tables(before)

    async def _clean_tables(self, before: float) -> int:
        """Some after the others, so that nobody who moves has to wait for long."""
        forgotten, after = 0, UUID(int=0)
        while old := [row[0] for row in await self._run(OLD, after, before, TABLES_LOOKED_AT)]:
            for start in range(0, len(old), TABLES_TOGETHER):
                forgotten += await self._forget(old[start : start + TABLES_TOGETHER], before)
            after = old[-1]
        return forgotten

    async def _forget(self, ids: list[UUID], before: float) -> int:
        await self._run(TOUCH, ids)
        condemned = await self._condemn(ids, before)
        for start in range(0, len(condemned), TABLES_ERASED_TOGETHER):
            await self._run(ERASE, condemned[start : start + TABLES_ERASED_TOGETHER])
        await self._run(FORGET, condemned)
        return len(condemned)

    async def _condemn(self, ids: list[UUID], before: float) -> list[UUID]:
        """For this moment nobody can append, so no table loses only half of its log."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("LOCK TABLE notahat.log IN SHARE ROW EXCLUSIVE MODE")
                cursor = await connection.execute(CONDEMN, {"ids": ids, "before": before})
                return [row[0] for row in await cursor.fetchall()]
        except psycopg.Error as error:
            raise Unavailable(str(error)) from error

    async def well(self) -> None:
        """At once: nobody waits for a database that may come back."""
        try:
            async with asyncio.timeout(WELL_SECONDS):
                await self._try()
        except TimeoutError:
            raise Unavailable(f"PostgreSQL does not answer within {WELL_SECONDS:g} s") from None
        except psycopg.Error as error:
            raise Unavailable(str(error)) from error

    async def _try(self) -> None:
        """Connections that a restart broke say nothing of how the database is now."""
        try:
            await self._once(TRY)
        except OperationalError:
            await self._pool.check()
            await self._once(TRY)

    async def close(self) -> None:
        await self._bell.stop()
        self._log.leave()
        await self._writer.close()
        await self._holding.settle()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=FAREWELL_SECONDS)
        await self._pool.close()

    async def _versions(self, tables: list[UUID]) -> list[tuple[UUID, int]]:
        rows = await self._once(NEWEST, tables)
        return [(row[0], row[1]) for row in rows]

    def _ring_for(self, tables: Iterable[UUID]) -> None:
        for table in tables:
            self._bell.ring(table, PRESENCE)

    async def _ring(self, channels: list[str], words: list[str]) -> None:
        await self._once("SELECT pg_notify(c, w) FROM unnest(%s::text[], %s::text[]) AS said(c, w)", channels, words)

    async def _run(self, sql: LiteralString, *values: object) -> list[Row]:
        """Run one statement, which is a transaction of its own."""
        return await self._patiently(lambda: self._once(sql, *values))

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Sit out a database that is away for a moment."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return await ask()
            except OperationalError as error:
                if time.monotonic() > deadline:
                    raise Unavailable(str(error)) from error
                await asyncio.sleep(RETRY_SECONDS)
            except psycopg.Error as error:
                raise Unavailable(str(error)) from error

    async def _once(self, sql: LiteralString, *values: object) -> list[Row]:
        """Run one statement and see it through: whoever gives up waiting must not stop it halfway."""
        task = asyncio.get_running_loop().create_task(self._execute(sql, values))
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def _execute(self, sql: LiteralString, values: tuple[object, ...]) -> list[Row]:
        async with self._pool.connection(timeout=ASK_AGAIN_SECONDS) as connection:
            cursor = await connection.execute(sql, values)
            return await cursor.fetchall() if cursor.description else []

    def _ended(self, task: asyncio.Task[list[Row]]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # somebody has looked, even if nobody waits any more


def settings() -> dict[str, Any]:
    return {"autocommit": True, **LIVELINESS}


async def wait_for_the_disk(connection: AsyncConnection[Row]) -> None:
    """A commit that does not wait for the disk would be acknowledged too early."""
    await connection.execute(WAIT_FOR_THE_DISK)


async def migrate(connection: AsyncConnection[Row]) -> None:
    """Take the schema steps that this database still lacks, all or none; nodes that start together take turns."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(hashtext('notahat.schema'))")
        await connection.execute("CREATE SCHEMA IF NOT EXISTS notahat")
        await connection.execute("CREATE TABLE IF NOT EXISTS notahat.schema (reached integer PRIMARY KEY)")
        cursor = await connection.execute("SELECT COALESCE(max(reached), 0) FROM notahat.schema")
        ((reached,),) = await cursor.fetchall()
        for step in missing("postgres", reached):
            await connection.execute(step.sql.encode())
            await connection.execute("INSERT INTO notahat.schema VALUES (%s)", (step.number,))


def id_in(rows: list[Row]) -> UUID | None:
    """The id in the first column of the first row, if there is one."""
    return UUID(str(rows[0][0])) if rows else None
