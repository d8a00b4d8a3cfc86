"""PostgreSQL in memory, under the real store: the statements that it sends, a network that fails, and notifications.

Each statement is atomic. It fails before it ran, or after it ran so that only the answer is lost, or it is slow.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import UUID

import psycopg
from psycopg import OperationalError

from notahat.store import notifications, postgres, sql_store
from notahat.store.store import Commit
from simulation.loop import Process, VirtualLoop, current

Row = tuple[Any, ...]
Values = Sequence[Any]
LATENCY = 0.002
SLOWEST = 3.0
TIMEOUT = 0.3  # until an unreachable database is noticed


class Network:
    """The faults on the way to the database: probabilities for each statement or notification."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.failing = 0.0
        self.storm_until = 0.0  # half of all statements fail
        self.slow = 0.0
        self.losing = 0.0  # notifications

    def delay(self, process: Process) -> float:
        chance = self.loop.random.random()
        return process.hop_seconds + self.loop.random.uniform(0, SLOWEST if chance < self.slow else LATENCY)

    def fails(self) -> bool:
        return self.loop.random.random() < (0.5 if self._now < self.storm_until else self.failing)

    def reaches(self, process: Process) -> bool:
        return process.unreachable_until <= self._now

    @property
    def _now(self) -> float:
        return self.loop.now + (self.loop.thread_seconds or 0.0)


class Database:
    """The tables of the schema `notahat`, and the statements on them by how they begin."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.network = Network(loop)
        self.log: defaultdict[UUID, list[Commit]] = defaultdict(list)
        self._loop = loop
        self._snapshots: dict[UUID, Row] = {}
        self._aliases: dict[str, UUID] = {}
        self._leases: dict[tuple[UUID, str], tuple[list[UUID], float]] = {}
        self._listeners: list[Listener] = []
        self._failing_next = ""
        self._statements: dict[str, Callable[..., list[Row]]] = {
            "INSERT INTO notahat.log": self._insert,
            "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version > %s": self._read,
            "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version = %s": self._commit,
            "SELECT table_id, version, command, events FROM notahat.log JOIN": self._written,
            "SELECT id, version FROM unnest": self._newest_versions,
            "INSERT INTO notahat.snapshots": self._save_snapshot,
            "SELECT version, schema, state FROM notahat.snapshots": self._snapshot,
            "INSERT INTO notahat.aliases": lambda code, table: [(self._aliases.setdefault(code, table),)],
            "SELECT table_id FROM notahat.aliases": lambda code: [(self._aliases[code],)] * (code in self._aliases),
            "INSERT INTO notahat.holds": self._upsert_leases,
            "DELETE FROM notahat.holds WHERE node": self._delete_leases,
            "SELECT table_id, guests FROM notahat.holds": self._other_leases,
            "SELECT pg_notify": self._notify,
            "SELECT COALESCE(max(reached), 0) FROM notahat.schema": lambda: [
                (sql_store.migrations("postgres")[-1].number,)
            ],
            "SELECT EXTRACT(epoch FROM max(touched))": lambda: [(None,)],
            "INSERT INTO notahat.tables": lambda *_: [],
            "WITH tried": list,  # the health check
            "SELECT pg_advisory_xact_lock": list,
            "SELECT set_config": list,
            "CREATE": list,
        }

    def run(self, sql: object, values: Values) -> list[Row]:
        text = " ".join((sql.decode() if isinstance(sql, bytes) else str(sql)).split())
        for beginning, statement in self._statements.items():
            if text.startswith(beginning):
                if self._failing_next and text.startswith(self._failing_next):
                    self._failing_next = ""
                    raise OperationalError("connection lost")
                if not beginning.startswith(("SELECT COALESCE", "CREATE")):
                    self._loop.trace(f"sql {beginning} {_plain(values)}")
                return statement(*values)
        raise AssertionError(f"simulation/postgres.py does not know this statement: {text}")

    def fail_next(self, beginning: str) -> None:
        """Let the next statement that begins so fail."""
        self._failing_next = beginning

    def listen(self, listener: "Listener") -> None:
        self._listeners.append(listener)

    def disconnect(self, process: Process) -> None:
        """Break the listening connections of a process."""
        for listener in [one for one in self._listeners if one.process is process]:
            self._listeners.remove(listener)
            process.call_later(TIMEOUT, listener.queue.put_nowait, OperationalError("connection lost"))

    def _insert(self, *values: Any) -> list[Row]:
        written: list[Row] = []
        for table, version, key, events in zip(*(values[n::4] for n in range(4)), strict=True):
            if len(self.log[table]) == version - 1:
                self.log[table].append(Commit(table, version, key, events))
                written.append((version,))
        return written

    def _read(self, table: UUID, after: int) -> list[Row]:
        return [(one.version, one.key, one.events) for one in self.log[table][after:]]

    def _commit(self, table: UUID, version: int) -> list[Row]:
        return self._read(table, version - 1)[:1]

    def _written(self, tables: list[UUID], versions: list[int]) -> list[Row]:
        return [(id_, *row) for id_, at in zip(tables, versions, strict=True) for row in self._commit(id_, at)]

    def _newest_versions(self, tables: list[UUID]) -> list[Row]:
        return [(table, len(self.log[table])) for table in tables if self.log[table]]

    def _save_snapshot(self, version: int, schema: int, state: bytes, table: UUID) -> list[Row]:
        old = self._snapshots.get(table, (0, 0, b""))
        if (schema, version) >= (old[1], old[0]):
            self._snapshots[table] = (version, schema, state)
        return []

    def _snapshot(self, table: UUID) -> list[Row]:
        return [self._snapshots[table]] if table in self._snapshots else []

    def _upsert_leases(self, node: str, seconds: float, tables: list[UUID], guests: list[str]) -> list[Row]:
        for table, present in zip(tables, guests, strict=True):
            self._leases[table, node] = [UUID(one) for one in present.split()], self._loop.now + seconds
        return []

    def _delete_leases(self, node: str, tables: list[UUID]) -> list[Row]:
        for table in tables:
            self._leases.pop((table, node), None)
        return []

    def _other_leases(self, tables: list[UUID], node: str) -> list[Row]:
        return [
            (table, guests)
            for (table, owner), (guests, expires) in self._leases.items()
            if table in tables and owner != node and expires > self._loop.now
        ]

    def _notify(self, _: str, payloads: list[str]) -> list[Row]:
        """Deliver notifications late, in any order, or never."""
        for payload in payloads:
            for listener in self._listeners:
                if self._loop.random.random() >= self.network.losing:
                    listener.process.call_later(
                        self.network.delay(listener.process), listener.queue.put_nowait, payload
                    )
        return []


def _plain(values: Values) -> str:
    """Return the values for the trace, without the contents of the log: they may hold hidden gifts."""
    return " ".join("bytes" if isinstance(one, bytes) else str(one) for one in values)


class Cursor:
    """A cursor of psycopg with the rows of one statement."""

    def __init__(self, connection: "ThreadConnection") -> None:
        self._connection = connection
        self._rows: list[Row] = []

    def __enter__(self) -> "Cursor":
        return self

    def __exit__(self, *_: object) -> None: ...

    def execute(self, sql: object, values: Values = ()) -> None:
        self._rows = self._connection.execute(sql, values)

    def fetchall(self) -> list[Row]:
        return self._rows

    @property
    def rowcount(self) -> int:
        return len(self._rows)


class ThreadConnection:
    """A blocking connection: its statements take time of the thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def execute(self, sql: object, values: Values = ()) -> list[Row]:
        network = self._database.network
        for answer in (False, True):
            network.loop.sleep(network.delay(current.get()))
            if not network.reaches(current.get()) or network.fails():
                network.loop.sleep(TIMEOUT)
                raise OperationalError("connection lost")
            if not answer:
                rows = self._database.run(sql, values)
        return rows

    def close(self) -> None: ...


class Connection:
    """A connection of the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def execute(self, sql: object, values: Values = ()) -> Any:
        await self.trip()
        rows = self._database.run(sql, values)
        await self.trip()

        async def fetchall() -> list[Row]:
            return rows

        return SimpleNamespace(fetchall=fetchall, description=True)

    async def trip(self) -> None:
        network = self._database.network
        await asyncio.sleep(network.delay(current.get()))
        if not network.reaches(current.get()) or network.fails():
            await asyncio.sleep(TIMEOUT)
            raise OperationalError("connection lost")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        yield


class Listener(Connection):
    """A connection that receives notifications."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.process = current.get()
        self.queue: asyncio.Queue[str | Exception] = asyncio.Queue()

    async def __aenter__(self) -> "Listener":
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def execute(self, sql: object, values: Values = ()) -> Any:  # noqa: ARG002
        await self.trip()

    async def notifies(self) -> AsyncIterator[Any]:
        while True:
            received = await self.queue.get()
            if isinstance(received, Exception):
                raise received
            yield SimpleNamespace(payload=received)


@contextmanager
def patched(database: Database) -> Iterator[None]:
    """Let the store connect to this database."""

    class Pool:
        def __init__(self, *_: object, **__: object) -> None: ...

        @asynccontextmanager
        async def connection(self, timeout: float = 0.0) -> AsyncIterator[Connection]:  # noqa: ARG002
            yield Connection(database)

        async def open(self, wait: bool, timeout: float) -> None: ...

        async def check(self) -> None: ...

        async def close(self, timeout: float = 0.0) -> None: ...

    class Listening:
        @staticmethod
        async def connect(*_: object, **__: object) -> Listener:
            listener = Listener(database)
            await listener.trip()
            database.listen(listener)
            return listener

    with ExitStack() as stack:
        for place, name, value in (
            (psycopg, "connect", lambda *_, **__: ThreadConnection(database)),
            (postgres, "RawCursor", Cursor),
            (postgres, "hang_up", lambda _: None),  # simulated statements fail by themselves
            (postgres, "AsyncConnectionPool", Pool),
            (notifications, "AsyncConnection", Listening),
        ):
            stack.enter_context(patch.object(place, name, value))
        yield
