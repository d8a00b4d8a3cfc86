"""How a batch of writes gets into a SQLite file: appends that are sure as one statement, which is its own transaction.

Every statement costs the writing thread a wait for its turn to run Python, so fifty appends are one statement. It
writes only what follows the version before it and is not there yet; if anything was left out, the log is asked why.
"""

import sqlite3
import time
from functools import lru_cache

from notahat.store.heads import RECENT, Head, mark
from notahat.store.store import Commit, Conflict, Unavailable
from notahat.store.writer import Append, Change, Job


class SqliteLog:
    """The only user of this connection. `together` is what the writer's thread calls."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def together(self, jobs: list[Job]) -> None:
        """One transaction for all; if it breaks, one for each, so that only the guilty job fails."""
        try:
            self._write(jobs)
        except Exception:
            for job in jobs:
                self._alone(job)

    def close(self) -> None:
        self._db.close()

    def _alone(self, job: Job) -> None:
        try:
            self._write([job])
        except Exception as error:
            job.result = unavailable(error)

    def _write(self, jobs: list[Job]) -> None:
        sure = [job for job in jobs if isinstance(job, Append) and job.sure]
        if len(sure) == len(jobs) and all(job.wanted.version > 1 for job in sure) and self._insert(sure):
            return
        with Transaction(self._db):
            begin_tables(self._db, sure)
            written = self._insert(sure) if sure else True
            for job in jobs:
                if isinstance(job, Change):
                    job.result = job.write(self._db)
                elif not (job.sure and written):
                    append_carefully(self._db, job)

    def _insert(self, jobs: list[Append]) -> bool:
        """Whether all were written."""
        values: list[object] = [time.time()]
        for job in jobs:
            wanted = job.wanted
            values += (wanted.table.bytes, wanted.version, wanted.command, wanted.events)
            job.result, job.head = wanted, None
        return self._db.execute(insertion(len(jobs)), values).rowcount == len(jobs)


class Transaction:
    """All or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            if error is None:
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


@lru_cache(maxsize=1024)
def insertion(rows: int) -> str:
    places = ", ".join(["(?, ?, ?, ?)"] * rows)
    return (
        "INSERT INTO log (at, table_id, version, command, events) "  # noqa: S608
        f"SELECT ?, column1, column2, column3, column4 FROM (VALUES {places}) "
        "WHERE column2 = 1 OR EXISTS (SELECT 1 FROM log WHERE table_id = column1 AND version = column2 - 1) "
        "ON CONFLICT DO NOTHING"
    )


def begin_tables(db: sqlite3.Connection, jobs: list[Append]) -> None:
    """A table is noted down with its first commit."""
    now = time.time()
    new = [(job.wanted.table.bytes, now) for job in jobs if job.wanted.version == 1]
    if new:
        db.executemany("INSERT INTO tables VALUES (?, ?) ON CONFLICT DO NOTHING", new)


def append_carefully(db: sqlite3.Connection, job: Append) -> None:
    """Look first: was this command carried out before, and is this really the next version?"""
    wanted = job.wanted
    table = wanted.table.bytes
    sql = "SELECT version, command, events FROM log WHERE table_id = ? ORDER BY version DESC LIMIT ?"
    newest = db.execute(sql, (table, RECENT)).fetchall()
    job.head = Head(newest[0][0] if newest else 0, bytearray().join(mark(row[1]) for row in reversed(newest)))
    seen = next((row for row in newest if row[1] == wanted.command), None)
    if seen is not None:
        job.result = Commit(wanted.table, *seen)
    elif job.head.version != wanted.version - 1:
        job.result = Conflict(f"expected version {wanted.version - 1}, found {job.head.version}")
    else:
        begin_tables(db, [job])
        db.execute(
            "INSERT INTO log VALUES (?, ?, ?, ?, ?)",
            (table, wanted.version, time.time(), wanted.command, wanted.events),
        )
        job.head.follow(wanted)
        job.result = wanted


def unavailable(error: Exception) -> Exception:
    if not isinstance(error, sqlite3.Error):
        return error
    told = Unavailable(str(error))
    told.__cause__ = error
    return told
