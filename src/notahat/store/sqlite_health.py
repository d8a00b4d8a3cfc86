"""Checks of a SQLite file: a cheap one before every write, and the health check.

A process that has a file open can go on writing to it after it was deleted, replaced or cut. What is acknowledged then
is lost at the next start, so the writer asks `FileWatch` first.
"""

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


class FileWatch:
    """Identity and size of a store's files since it was opened. It never opens them: closing would drop their locks."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self._path = path
        self._wal = path + "-wal"
        self._db = db
        file, wal = os.stat(self._path), os.stat(self._wal)
        self._inode, self._wal_inode = (file.st_dev, file.st_ino), (wal.st_dev, wal.st_ino)
        self._size, self._wal_size = file.st_size, wal.st_size
        self.suspect = False  # a read of the file failed

    def check(self) -> None:
        """Raise `Unavailable` if written data would be lost. The writer's thread calls this before each batch."""
        file, wal = self._stat()
        if file.st_size < self._size:
            self._check_shrunk(file.st_size)
        if wal.st_size < self._wal_size and not (wal.st_size == 0 and self._is_wal_empty()):
            raise Unavailable(f"the file {_name(self._wal)} was cut")
        self._size, self._wal_size = file.st_size, wal.st_size
        if self.suspect:
            self.read()

    def check_identity(self) -> None:
        """Raise `Unavailable` if a file was deleted or replaced."""
        self._stat()

    def read(self) -> None:
        """Read with a new connection, because the page cache of an open one hides damage. Raise `Unavailable`."""
        uri = f"{Path(self._path).absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=1.0)) as fresh:
                for query in PROBES:
                    fresh.execute(query).fetchall()
        except sqlite3.Error as error:
            self.suspect = getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_BUSY
            raise Unavailable(str(error)) from error
        self.suspect = False

    def _stat(self) -> tuple[os.stat_result, os.stat_result]:
        try:
            file, wal = os.stat(self._path), os.stat(self._wal)
        except OSError as error:
            raise Unavailable(f"the file {_name(error.filename)} was deleted or replaced") from None
        if (file.st_dev, file.st_ino) != self._inode:
            raise Unavailable(f"the file {_name(self._path)} was deleted or replaced")
        if (wal.st_dev, wal.st_ino) != self._wal_inode:
            raise Unavailable(f"the file {_name(self._wal)} was deleted or replaced")
        return file, wal

    def _is_wal_empty(self) -> bool:
        """Return whether SQLite itself emptied the write-ahead log: only on command, otherwise it is never shortened.

        If it was emptied in another way, no frame can be read, so this changes nothing.
        """
        try:
            _, frames, _ = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error:
            return False
        return bool(frames == 0)

    def _check_shrunk(self, size: int) -> None:
        """Raise `Unavailable` if the file lacks pages. A cleanup returns free pages, and then it lacks none."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
        if size < pages * page_size:
            raise Unavailable(f"the file {_name(self._path)} was cut")


class FileCheck:
    """The part of the health check that concerns the file: still there, readable, and with room to write."""

    def __init__(self, path: str, watch: FileWatch) -> None:
        self._folder = Path(path).parent
        self._watch = watch

    def run(self) -> None:
        """Raise `Unavailable` with the problem. This blocks: call it in a thread."""
        self._watch.check_identity()
        free = shutil.disk_usage(self._folder).free
        if free < MIN_FREE_BYTES:
            raise Unavailable(f"the disk is full: {free // 1024} kB are left")
        self._watch.read()


def _name(path: str) -> str:
    return os.path.basename(path)
