"""Real SQLite files under the real store: their work takes virtual time and can fail, and the file can be deleted."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

from notahat.store.store import Commit
from simulation.loop import VirtualLoop

INSTRUCTIONS = 100  # of SQLite's virtual machine for one tick
SECONDS_PER_TICK = 0.002  # a slow disk: short logs then cost as much as long ones on a good disk
LATENCY = 0.005
SUFFIXES = ("", "-wal")

_connect: Callable[..., sqlite3.Connection] = sqlite3.connect


class Disk:
    """The files of one server, which opens its store at `path`. A crash or a deletion leaves a copy to start from."""

    def __init__(self, loop: VirtualLoop, folder: Path) -> None:
        self.loop = loop
        self.failing = 0.0  # probability for each statement
        self.path = folder / "0" / "tables.db"
        self.path.parent.mkdir()
        self._folder = folder
        self._copies = 0
        self._durable = self.path  # what a restart will find
        self._connections: list[sqlite3.Connection] = []

    def crash(self) -> None:
        """Keep the files as they are on disk now; the store is opened there next time."""
        if self._durable == self.path:
            self._copy()
        self.path = self._durable

    def delete(self) -> None:
        """Delete the database while it is open, as a careless operator would. A backup remains."""
        if self._durable == self.path:
            self._copy()
            for suffix in (*SUFFIXES, "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def _copy(self) -> None:
        self._copies += 1
        self._durable = self._folder / str(self._copies) / "tables.db"
        self._durable.parent.mkdir()
        for suffix in SUFFIXES:
            if Path(f"{self.path}{suffix}").exists():
                shutil.copyfile(f"{self.path}{suffix}", f"{self._durable}{suffix}")

    def log(self, table: UUID, after: int) -> list[Commit]:
        """Return what a restart would find."""
        with closing(_connect(self._durable)) as fresh:
            sql = "SELECT version, command, events FROM log WHERE table_id = ? AND version > ? ORDER BY version"
            return [Commit(table, *row) for row in fresh.execute(sql, (table.bytes, after))]

    @contextmanager
    def patched(self) -> Iterator[None]:
        disk = self

        class SlowConnection(sqlite3.Connection):
            def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
                if sql.startswith("PRAGMA synchronous"):
                    sql = "PRAGMA synchronous = OFF"  # a killed process loses nothing that it wrote
                if disk.loop.thread_seconds is not None:
                    disk.loop.sleep(disk.loop.random.uniform(0, LATENCY))
                    if disk.loop.random.random() < disk.failing:
                        raise sqlite3.OperationalError("disk I/O error")
                return super().execute(sql, *args)

        def connect(*args: Any, **named: Any) -> sqlite3.Connection:
            connection = _connect(*args, **named, factory=SlowConnection)
            connection.set_progress_handler(self._tick, INSTRUCTIONS)
            self._connections.append(connection)
            return connection

        try:
            with patch.object(sqlite3, "connect", connect):
                yield
        finally:
            for connection in self._connections:
                connection.close()

    def _tick(self) -> int:
        if self.loop.thread_seconds is not None:
            self.loop.sleep(SECONDS_PER_TICK)
        return 0
