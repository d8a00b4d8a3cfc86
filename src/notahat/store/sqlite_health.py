"""Whether a SQLite file is still what it was: there, readable, and with room to write."""

import os
import shutil
import sqlite3
from pathlib import Path

from notahat.store.store import Unavailable

LEAST_FREE = 16 * 1024 * 1024  # the write-ahead log and the file must be able to grow

LOOK = ("SELECT owner FROM pen", "SELECT place FROM log ORDER BY place DESC LIMIT 1", "SELECT id FROM tables LIMIT 1")

# a ticket of nobody's: a write that means nothing, and reaches the disk as any other does
TOUCH = "INSERT OR REPLACE INTO tickets VALUES (x'', x'', ?)"


class Files:
    """The files of a store as they were when it was opened. They are never opened but by SQLite: its locks would go."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._files = {file: _which(file) for file in (self._path, self._path.with_name(self._path.name + "-wal"))}

    def look(self) -> None:
        """Raises `Unavailable` with what is wrong; call it where waiting is no harm."""
        for file, which in self._files.items():
            if _which(file) != which:
                raise Unavailable(f"the file {file.name} was deleted or replaced")
        free = shutil.disk_usage(self._path.parent).free
        if free < LEAST_FREE:
            raise Unavailable(f"the disk is full: {free // 1024} kB are left")
        self._read()

    def _read(self) -> None:
        """As somebody who comes anew reads it: what a connection still remembers proves nothing."""
        try:
            fresh = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=1.0)
            try:
                for question in LOOK:
                    fresh.execute(question).fetchall()
            finally:
                fresh.close()
        except sqlite3.Error as error:
            raise Unavailable(str(error)) from error


def _which(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
