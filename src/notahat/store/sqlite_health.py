"""Health check of a SQLite file: still there, readable, and with room to write."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from notahat.store.store import Unavailable

MIN_FREE_BYTES = 16 * 1024 * 1024  # the write-ahead log and the file must be able to grow

PROBES = ("SELECT owner FROM pen", "SELECT place FROM log ORDER BY place DESC LIMIT 1", "SELECT id FROM tables LIMIT 1")

# a ticket of no guest: a write without meaning that reaches the disk like any other
TEST_WRITE = "INSERT OR REPLACE INTO tickets VALUES (x'', x'', ?)"


class FileCheck:
    """The identity of a store's files when it was opened. Only SQLite opens them: closing one would drop its locks."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._files = {file: _inode(file) for file in (self._path, self._path.with_name(self._path.name + "-wal"))}

    def run(self) -> None:
        """Raise `Unavailable` with the problem. This blocks: call it in a thread."""
        for file, inode in self._files.items():
            if _inode(file) != inode:
                raise Unavailable(f"the file {file.name} was deleted or replaced")
        free = shutil.disk_usage(self._path.parent).free
        if free < MIN_FREE_BYTES:
            raise Unavailable(f"the disk is full: {free // 1024} kB are left")
        self._read()

    def _read(self) -> None:
        """Read with a new connection, because the page cache of an open one hides damage."""
        try:
            with closing(sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=1.0)) as fresh:
                for query in PROBES:
                    fresh.execute(query).fetchall()
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error


def _inode(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
