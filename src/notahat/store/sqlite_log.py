"""Batched writes to a SQLite file: all that waits is one transaction.

The primary key (table, version) detects conflicts, between processes too. A row is inserted only if the row of the
version before it is there, so a log has no gaps, and a conflict at one table does not affect others.
"""

import sqlite3
import time
from collections.abc import Callable
from functools import lru_cache

from notahat.store.store import Unavailable
from notahat.store.writer import Job, PendingAppend, PendingWrite, write_together


class SqliteLog:
    """The owner of the writing connection. The writer's thread calls `write_batch`."""

    def __init__(self, connection: sqlite3.Connection, check_file: Callable[[], None] = lambda: None) -> None:
        self._db = connection
        self._check_file = check_file

    def close(self) -> None:
        self._db.close()

    def write_batch(self, jobs: list[Job]) -> None:
        write_together(jobs, self._commit, concerns_all, sqlite3.Error)

    def _commit(self, jobs: list[Job]) -> None:
        """Write in one transaction; nothing if the file is not the one that was opened."""
        self._check_file()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._write(jobs)

    def _write(self, jobs: list[Job]) -> None:
        appends = [job for job in jobs if isinstance(job, PendingAppend)]
        if appends and not self._insert(appends):
            for append in appends:
                self._append_checked(append)
        for job in jobs:
            if isinstance(job, PendingWrite):
                job.result = job.write(self._db)

    def _insert(self, jobs: list[PendingAppend]) -> bool:
        """Insert the commits that follow an existing version and are not there yet; return whether all were."""
        now, values = time.time(), list[object]()
        for job in jobs:
            commit = job.commit
            values += (commit.table.bytes, commit.version, now, commit.command, commit.events)
            if commit.version == 1:
                self._db.execute("INSERT OR IGNORE INTO tables VALUES (?, ?)", (commit.table.bytes, now))
            job.result = commit
        return self._db.execute(insertion(len(jobs)), values).rowcount == len(jobs)

    def _append_checked(self, job: PendingAppend) -> None:
        """Append one commit; if it is not the next one, read whether an earlier attempt has written it."""
        if not self._insert([job]):
            values = (job.commit.table.bytes, job.commit.version)
            found = self._db.execute("SELECT command, events FROM log WHERE table_id = ? AND version = ?", values)
            job.compare_with_log(found.fetchone())


def concerns_all(error: Exception) -> bool:
    """Return whether each job alone would fail as well: the file is gone, or another process writes for too long."""
    return isinstance(error, Unavailable) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY


@lru_cache(maxsize=1024)
def insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?)"] * rows)
    return (
        f"WITH new (id, number, at, command, events) AS (VALUES {values}) INSERT INTO log SELECT * FROM new "  # noqa: S608
        "WHERE number = 1 OR EXISTS (SELECT 1 FROM log WHERE table_id = id AND version = number - 1) "
        "ON CONFLICT DO NOTHING"
    )
