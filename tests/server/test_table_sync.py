"""Rooms follow the log: that of another node, of a newer release, and a damaged one; failed reads are repeated."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from notahat.clients.python import Client
from notahat.live.requests import Connect
from notahat.live.room import Room
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.table_sync import JobCache
from notahat.store import Commit, Store, Unavailable, open_store
from notahat.store.postgres import PostgresStore
from notahat.table import Context, Unknown, decide, fold
from notahat.table.commands import Sit
from notahat.table.events import decode, encode
from support.connections import RecordingConnection
from support.postgres import Postgres
from support.raw_http import RawSocket
from support.server_process import in_process_server
from support.tables import guest
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio

UNKNOWN_EVENT = b'{"at": 9e9, "schema": 2, "events": [{"event": "teleported", "seat": 0}]}'
IMPOSSIBLE_EVENT = b'{"at": 0.0, "events": [{"event": "renamed", "seat": 9, "name": "Ada"}]}'


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

    async def open(self, *names: str) -> tuple[Room, list[RecordingConnection]]:
        _, self.id = await self.node.open_table(guest("Ada"), {})
        return await self.connect_all(*names)

    async def connect_all(self, *names: str) -> tuple[Room, list[RecordingConnection]]:
        room, connections = await self.node.room(self.id), [RecordingConnection(name) for name in names]
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


def test_newer_log_closes_connections_with_1012(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}", pace=100.0)

    async def scenario() -> None:
        async with in_process_server(settings) as url, Client(url) as client:
            code = await client.open_table()
            path, token = f"/api/tables/{code}/socket", f"Bearer {client.token}"
            connection = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with connection:
                await asyncio.to_thread(connection.message)
                newer_store = await open_store(settings.store_url)
                table = await newer_store.table_of(code)
                assert table is not None
                await newer_store.append(table, 1, UNKNOWN_EVENT)
                await newer_store.close()
                connection.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
                assert await asyncio.to_thread(connection.closed_with) == (1012, "come back")
            second = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with second:
                assert second.status == 503
                assert await asyncio.to_thread(lambda: second.reason) == "busy"

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
    assert {record.levelname for record in caplog.records if record.levelno >= logging.WARNING} == {"WARNING"}


def test_table_that_cannot_be_opened_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Operators see which table and why; a client that keeps asking does not fill the log."""

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{tmp_path / 'tables.db'}")
        unknown, foreign, damaged = uuid4(), uuid4(), uuid4()
        await store.append(unknown, 0, UNKNOWN_EVENT)
        await store.append(foreign, 0, IMPOSSIBLE_EVENT)
        for version in range(3):
            await store.append(damaged, version, UNKNOWN_EVENT)
        await store.close()
        with closing(sqlite3.connect(tmp_path / "tables.db")) as db, db:
            db.execute("DELETE FROM log WHERE version = 2")
        store = await open_store(f"sqlite:///{tmp_path / 'tables.db'}")
        node = Node(Settings(store=f"sqlite:///{tmp_path / 'tables.db'}"), store)
        for _ in range(20):
            with pytest.raises(Unknown):
                await node.room(unknown)
            for table, why in ((foreign, "replayed"), (damaged, "damaged")):
                with pytest.raises(Unavailable, match=why):
                    await node.room(table)
        lines = [(record.message, record.__dict__["table"]) for record in caplog.records]
        opening = [("table cannot be opened", str(one)) for one in (unknown, foreign, damaged)]
        assert lines == [opening[0], ("the log of a table cannot be replayed", str(foreign)), *opening[1:]]
        assert "teleported" in caplog.records[0].__dict__["error"]
        await node.close()
        await store.close()

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


async def fail() -> str:
    raise OSError("no luck")


async def succeed() -> str:
    return "made"


async def test_late_waiter_does_not_evict_the_next_job() -> None:
    """Two requests wait for a failing job; the first asks again before the second learns of the failure."""
    jobs: JobCache[str, str] = JobCache(4)
    made: list[str] = []

    async def ask_again_after_failure() -> None:
        with pytest.raises(OSError, match="no luck"):
            await jobs.get("key", fail)
        made.append(await jobs.get("key", succeed))

    async def ask_once() -> None:
        with pytest.raises(OSError, match="no luck"):
            await jobs.get("key", fail)

    await asyncio.gather(ask_again_after_failure(), ask_once())
    assert made == ["made"]
    assert await jobs.get("key", fail) == "made", "the second job is still cached"
