"""Sockets and requests are answered while the disk syncs, however long it takes."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from notahat.clients.python import Client, Declined
from notahat.server.settings import Settings
from notahat.store import sqlite_file
from support.server_process import in_process_server
from support.timeouts import TIMEOUT


class SlowDisk:
    """Holds up every commit to a SQLite file until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.released = threading.Event()
        self.released.set()
        self.syncing = threading.Event()
        self._connect = sqlite_file.connect
        monkeypatch.setattr(sqlite_file, "connect", self._connect_slowly)

    def _connect_slowly(self, path: str) -> sqlite3.Connection:
        connection = self._connect(path)
        connection.set_trace_callback(self._trace)
        return connection

    def _trace(self, statement: str) -> None:
        if statement == "COMMIT" and not self.released.is_set():
            self.syncing.set()
            self.released.wait(TIMEOUT)


def test_others_are_answered_while_a_command_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(monkeypatch)

    async def scenario() -> None:
        settings = Settings(port=0, store=f"sqlite:///{tmp_path}/notahat.db")
        async with in_process_server(settings) as url, Client(url) as ada, Client(url) as ben:
            hers, his = await ada.open_table(), await ben.open_table()
            async with ada.table(hers) as one, ben.table(his) as other:
                disk.released.clear()
                sitting = asyncio.create_task(one.do("sit", name="Ada"))
                await asyncio.to_thread(disk.syncing.wait, TIMEOUT)
                for _ in range(3):
                    with pytest.raises(Declined):
                        await other.do("draw", turn=0)
                    assert (await ben.summary(his)).code == his
                assert not sitting.done()
                disk.released.set()
                assert (await sitting).you == (0,)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
