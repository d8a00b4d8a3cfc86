"""A node that reads an unknown event closes the table's connections and does not interpret it."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from notahat.clients.python import Client
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.store import Unavailable, open_store
from notahat.table import Unknown
from support.raw_http import RawSocket
from support.server_process import in_process_server
from support.timeouts import TIMEOUT

UNKNOWN_EVENT = b'{"at": 9e9, "schema": 2, "events": [{"event": "teleported", "seat": 0}]}'
IMPOSSIBLE_EVENT = b'{"at": 0.0, "events": [{"event": "renamed", "seat": 9, "name": "Ada"}]}'


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
