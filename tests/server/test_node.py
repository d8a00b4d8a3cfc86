"""Two nodes on one PostgreSQL share one history. `test_kill.py` kills one of them; the simulation does worse."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest

from notahat.live.requests import Connect
from notahat.live.room import Room
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.store import Commit, Store, open_store
from notahat.store.postgres import PostgresStore
from notahat.table import Context, decide, fold
from notahat.table.commands import Sit
from notahat.table.events import decode, encode
from support.postgres import Postgres
from support.tables import guest
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio


class FakeConnection:
    """A connection that records messages and its close code."""

    def __init__(self, name: str) -> None:
        self.guest = guest(name)
        self.messages: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        self.messages.append(msgspec.json.decode(message))

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        self.closed = code


class DelayedStore(PostgresStore):
    """A store whose reads can be delayed."""

    def __init__(self, url: str, patience_seconds: float) -> None:
        super().__init__(url, patience_seconds)
        self.reads = 0
        self.answers_arrive = asyncio.Event()
        self.answers_arrive.set()

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        found = await super().read(table, after)
        self.reads += 1
        await self.answers_arrive.wait()
        return found


class TwoNodeSetup:
    """A table on a node of this process, and the store of another node that writes to it."""

    def __init__(self, url: str, store: DelayedStore, other: Store) -> None:
        self.store, self.other = store, other
        self.node = Node(Settings(store=url), store)
        self.id = UUID(int=0)

    async def open(self, *names: str) -> tuple[Room, list[FakeConnection]]:
        _, self.id = await self.node.open_table(guest("Ada"), {})
        return await self.connect_all(*names)

    async def connect_all(self, *names: str) -> tuple[Room, list[FakeConnection]]:
        room, connections = await self.node.room(self.id), [FakeConnection(name) for name in names]
        assert room is not None
        for connection in connections:
            self.node.handle(Connect(self.id, connection), connection.guest)
        return room, connections

    async def sit_on_other_node(self, name: str) -> None:
        """Let a guest sit down on the other node, and notify this one."""
        table = fold(None, (decode(commit.events) for commit in await self.other.read(self.id)))
        written = encode(decide(Context(table, guest(name), at=table.at + 1), Sit(name))[0])
        version = (await self.other.append(self.id, table.version, written)).version
        self.store._notifier._report_version(self.id, version)

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT):
            while not seen():
                await asyncio.sleep(0.005)

    async def settled(self) -> None:
        await self.until(lambda: not self.node.background)

    async def leased_guests(self) -> set[UUID]:
        """Return who is connected here, as other nodes read it."""
        await self.store._leases.flush()
        rows = await self.store._execute("SELECT guests FROM notahat.holds WHERE table_id = %s", self.id)
        return {guest for (guests,) in rows for guest in guests}

    @property
    def alarms(self) -> set[UUID]:
        return set(self.node._timers._handles)


@pytest.fixture
async def setup(postgres: Postgres, anyio_backend: str) -> AsyncIterator[TwoNodeSetup]:
    url = postgres.empty_database()
    store, other = await DelayedStore.open(url), await open_store(url)
    assert isinstance(store, DelayedStore)
    setup = TwoNodeSetup(url, store, other)
    yield setup
    await setup.node.close()
    await other.close()
    await store.close()


async def test_version_announced_during_a_read_is_read_too(setup: TwoNodeSetup) -> None:
    room, (ada,) = await setup.open("Ada")
    setup.store.answers_arrive.clear()
    await setup.sit_on_other_node("Ben")
    await setup.until(lambda: setup.store.reads == 2)  # the first opened the room
    await setup.sit_on_other_node("Cem")
    setup.store.answers_arrive.set()
    await setup.settled()
    assert (room.table.version, ada.messages[-1]["v"], ada.closed) == (3, 3, None)


async def test_failed_read_closes_connections_and_reloads_room(setup: TwoNodeSetup, postgres: Postgres) -> None:
    room, (ada,) = await setup.open("Ada")
    with psycopg.connect(postgres.address, autocommit=True) as operator:
        operator.execute("ALTER TABLE notahat.log RENAME TO mislaid")
        setup.store._notifier._report_version(setup.id, 2)
        await setup.settled()
        operator.execute("ALTER TABLE notahat.mislaid RENAME TO log")
    assert (ada.closed, setup.alarms) == (1012, set())
    await setup.sit_on_other_node("Ben")
    again, (ada,) = await setup.connect_all("Ada")
    assert again is not room
    assert (again.table.version, ada.messages[-1]["v"]) == (2, 2)


async def test_table_deleted_from_database_closes_connections(setup: TwoNodeSetup, postgres: Postgres) -> None:
    _, (ada,) = await setup.open("Ada")
    with psycopg.connect(postgres.address, autocommit=True) as operator:
        operator.execute("DELETE FROM notahat.log")
    setup.store._notifier._report_version(setup.id, 2)
    await setup.settled()
    assert ada.closed == 1012
    assert await setup.node.room(setup.id) is None
