"""A log of a newer release or a damaged one: who asks for its table is sent away, and operators read why."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import AsyncMock
from uuid import UUID, uuid4

import pytest

from notahat.clients.python import Client
from notahat.live.requests import Connect
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.table_sync import JobCache
from notahat.store import Commit, Unavailable, open_store
from notahat.table import Context, Unknown, decide, fold
from notahat.table.commands import Sit
from notahat.table.events import encode
from support.connections import RecordingConnection
from support.raw_http import RawSocket
from support.server_process import in_process_server
from support.tables import guest
from support.timeouts import TIMEOUT, until

pytestmark = pytest.mark.anyio

UNKNOWN_EVENT = b'{"at": 9e9, "schema": 2, "events": [{"event": "teleported", "seat": 0}]}'
IMPOSSIBLE_EVENT = b'{"at": 0.0, "events": [{"event": "renamed", "seat": 9, "name": "Ada"}]}'


async def test_version_announced_during_a_read_is_read_too(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    _, id_ = await node.open_table(guest("Ada"), {})
    room, read = await node.room(id_), node.store.read
    assert room is not None
    table = room.table

    async def sit(name: str) -> None:
        """Let a guest sit down on another node."""
        nonlocal table
        (entry,) = decide(Context(table, guest(name), at=table.at + 1), Sit(name))[:1]
        await node.store.append(id_, table.version, encode(entry))
        table = fold(table, (entry,))
        node.sync._on_version(id_, table.version)

    async def read_slowly(id_: UUID, after: int) -> list[Commit]:
        commits = await read(id_, after)
        if table.version == 2:
            await sit("Cem")
        return commits

    monkeypatch.setattr(node.store, "read", read_slowly)
    await sit("Ben")
    await until(lambda: room.table.version == 3)


@pytest.mark.parametrize("fails", [True, False])
async def test_failed_or_empty_read_closes_connections(
    node: Node, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """It is empty if another node announced a version and then deleted the table."""
    ada = RecordingConnection("Ada")
    _, table = await node.open_table(ada.guest, {})
    await node.room(table)
    node.handle(Connect(table, ada), ada.guest)
    with monkeypatch.context() as patched:
        if fails:
            patched.setattr(node.store, "read", AsyncMock(side_effect=Unavailable))
        node.sync._on_version(table, 2)
        await until(lambda: ada.closed == 1012)
    assert await node.room(table) is not None


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
