"""Batched writes to a SQLite file: appends as one statement, which is its own transaction.

All tables share one log in the order of writing, so a batch touches few pages. The process that has the writer lock
(the table `pen`) knows the newest row of each table it wrote to and needs no index to see that a commit is the next
one. Every append checks the lock. If another process took it, this one drops what it knows, takes the lock back and
reads the log. The newest rows are recorded in `tables` now and then; the next process finds later ones at the end of
the log.
"""

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from notahat.store.writer import Job, PendingAppend, PendingWrite, wrap_error

RECORD_AFTER_ROWS = 2048  # so many rows a process reads at most when it takes the writer lock
MAX_TABLES = 20_000

# a table's newest row: with the writer lock it is known, otherwise unrecorded rows are searched
NEWEST = """CASE
    WHEN (SELECT owner FROM pen) = :owner
        AND EXISTS (SELECT 1 FROM log WHERE place = :newest AND table_id = :table) THEN :newest
    ELSE max(
        COALESCE((SELECT newest FROM tables WHERE id = :table AND touched >= 0), 0),
        COALESCE((SELECT max(place) FROM log WHERE place > (SELECT noted FROM pen) AND table_id = :table), 0)
    )
END"""
# from there back to the row after :after
READ = f"""
WITH RECURSIVE chain AS (
    SELECT before, version, command, events FROM log WHERE version > :after AND place = {NEWEST}
    UNION ALL
    SELECT log.before, log.version, log.command, log.events FROM chain JOIN log ON place = chain.before
    WHERE log.version > :after AND log.version = chain.version - 1 AND log.table_id = :table
)
SELECT version, command, events FROM chain ORDER BY version
"""  # noqa: S608
# only the numbers at the start of each row on the way are read, not its events
READ_COMMIT = f"""
WITH RECURSIVE chain AS (
    SELECT place, before, version FROM log WHERE version >= :version AND place = {NEWEST}
    UNION ALL
    SELECT log.place, log.before, log.version FROM chain JOIN log ON log.place = chain.before
    WHERE chain.version > :version AND log.version = chain.version - 1 AND log.table_id = :table
)
SELECT version, command, events FROM log WHERE place = (SELECT place FROM chain WHERE version = :version)
"""  # noqa: S608
UPDATE_TOUCHED = (
    "UPDATE tables SET touched = at FROM log WHERE id = ? AND place = newest AND at > touched AND touched >= 0"
)
MARK_DELETED = (
    "DELETE FROM snapshots WHERE table_id = ?",
    "DELETE FROM aliases WHERE table_id = ?",
    "UPDATE tables SET touched = -1 WHERE id = ?",  # older than anything: the next cleanup continues with it
)


class SqliteLog:
    """The owner of the writing connection. The writer's thread calls `write_batch`."""

    def __init__(self, connection: sqlite3.Connection, check_file: Callable[[], None] = lambda: None) -> None:
        self._db = connection
        self._check_file = check_file
        self._owner = secrets.token_bytes(8)
        self._newest: dict[bytes, tuple[int, int]] = {}  # row number and version of the newest row, by table
        self._unrecorded: set[bytes] = set()  # tables whose newest row is not in `tables` yet
        self._recorded = 0  # the last row that is
        self._next = 0

    def write_batch(self, jobs: list[Job]) -> None:
        """Write all jobs in one transaction; after an error write each in its own, so that only one fails.

        Nothing is written if the file is not the one that was opened.
        """
        try:
            self._check_file()
        except Exception as error:
            for job in jobs:
                job.result = wrap_error(error, sqlite3.Error)
            return
        try:
            self._write(jobs)
        except Exception as error:
            self._release_lock()
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                for job in jobs:  # each alone would wait as long
                    job.result = wrap_error(error, sqlite3.Error)
                return
            for job in jobs:
                self._write_alone(job)

    def reading(self, table: UUID, after: int) -> tuple[str, dict[str, object]]:
        """Return the query for a table's rows after a version. It works on any connection."""
        return READ, self._values(table) | {"after": after}

    def reading_commit(self, table: UUID, version: int) -> tuple[str, dict[str, object]]:
        """Return the query for one row of a table."""
        return READ_COMMIT, self._values(table) | {"version": version}

    def _values(self, table: UUID) -> dict[str, object]:
        row, _ = self._newest.get(table.bytes, (0, 0))
        return {"newest": row, "owner": self._owner, "table": table.bytes}

    def mark_deleted(self, ids: Iterable[bytes], before: float, leased: frozenset[UUID]) -> tuple[int, list[bytes]]:
        """Mark the tables that were not used since `before`; return how many were examined, and the marked ones.

        Marked tables do not exist any more for readers; their rows remain to be deleted.
        """
        self._record_newest()
        examined, marked = 0, []
        for id_ in ids:
            examined += 1
            if UUID(bytes=id_) not in leased and self._is_old(id_, before):
                marked.append(id_)
                self._newest.pop(id_, None)
                for sql in MARK_DELETED:
                    self._db.execute(sql, (id_,))
        return examined, marked

    def _is_old(self, id_: bytes, before: float) -> bool:
        self._db.execute(UPDATE_TOUCHED, (id_,))
        return (
            self._db.execute("SELECT id FROM tables WHERE id = ? AND touched < ?", (id_, before)).fetchone() is not None
        )

    def close(self) -> None:
        if self._unrecorded:
            with suppress(sqlite3.Error), self._db:  # if it fails, the next process reads the log's end
                self._db.execute("BEGIN IMMEDIATE")
                if self._has_lock():
                    self._record_newest()
        self._db.close()

    def _write_alone(self, job: Job) -> None:
        try:
            self._write([job])
        except Exception as error:
            self._release_lock()
            job.result = wrap_error(error, sqlite3.Error)

    def _release_lock(self) -> None:
        """Change the owner name: what this process knows may be wrong, so it must take the lock again."""
        self._owner = secrets.token_bytes(8)

    def _write(self, jobs: list[Job]) -> None:
        if self._next - self._recorded < RECORD_AFTER_ROWS and (quick := self._quick(jobs)) and len(quick) == len(jobs):
            if self._insert(quick):
                return
            self._release_lock()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if not self._has_lock():
                self._take_lock()
            quick = self._quick(jobs)
            if quick and not self._insert(quick):
                raise AssertionError("the writer lock was lost within a transaction")
            written = set(quick)
            for job in jobs:
                if isinstance(job, PendingWrite):
                    job.result = job.write(self._db)
                elif job not in written:
                    self._append_checked(job)
            if self._next - self._recorded >= RECORD_AFTER_ROWS:
                self._record_newest()

    def _quick(self, jobs: list[Job]) -> list[PendingAppend]:
        """Return the appends that are known to be the next ones of their tables; one for each table."""
        seen: set[bytes] = set()
        quick = []
        for job in jobs:
            if isinstance(job, PendingAppend):
                table = job.commit.table.bytes
                newest = self._newest.get(table)
                if newest is not None and newest[1] == job.commit.version - 1 and table not in seen:
                    seen.add(table)
                    quick.append(job)
        return quick

    def _insert(self, jobs: list[PendingAppend]) -> bool:
        """Insert the commits if this process has the writer lock; return whether it had."""
        now, newest = time.time(), {}
        values: list[object] = []
        for row, job in enumerate(jobs, self._next):
            commit, table = job.commit, job.commit.table.bytes
            values += (row, self._newest[table][0], table, commit.version, now, commit.command, commit.events)
            newest[table] = (row, commit.version)
            job.result = commit
        values.append(self._owner)
        if self._db.execute(insertion(len(jobs)), values).rowcount != len(jobs):
            return False
        self._newest |= newest
        self._unrecorded |= newest.keys()
        self._next += len(jobs)
        return True

    def _append_checked(self, job: PendingAppend) -> None:
        """Append a commit if the log says that it is the next one of its table."""
        commit, table = job.commit, job.commit.table.bytes
        row, version = self._find_newest(table)
        if version == commit.version - 1:
            self._db.execute("INSERT OR IGNORE INTO tables (id, touched) VALUES (?, ?)", (table, time.time()))
            self._newest[table] = (row, version)
            self._insert([job])
        else:
            found = self._db.execute(*self.reading_commit(commit.table, commit.version)).fetchone()
            job.compare_with_log(found and found[1:])

    def _find_newest(self, table: bytes) -> tuple[int, int]:
        """Return row number and version of a table's newest row, or zeros."""
        if table not in self._newest:
            sql = "SELECT place, version FROM tables JOIN log ON place = newest WHERE id = ? AND touched >= 0"
            return self._db.execute(sql, (table,)).fetchone() or (0, 0)
        return self._newest[table]

    def _has_lock(self) -> bool:
        return bool(self._db.execute("SELECT owner = ? FROM pen", (self._owner,)).fetchone()[0])

    def _take_lock(self) -> None:
        """Take the writer lock, and record the newest rows that another process left unrecorded."""
        self._newest.clear()
        (self._recorded,) = self._db.execute("SELECT noted FROM pen").fetchone()
        sql = "SELECT table_id, max(place), version FROM log WHERE place > ? GROUP BY table_id"
        for table, row, version in self._db.execute(sql, (self._recorded,)):
            self._newest[table] = (row, version)
        self._unrecorded = set(self._newest)
        (last,) = self._db.execute("SELECT COALESCE(max(place), 0) FROM log").fetchone()
        self._next = max(last, self._recorded) + 1
        self._db.execute("UPDATE pen SET owner = ?", (self._owner,))
        self._record_newest()

    def _record_newest(self) -> None:
        rows = [(self._newest[table][0], table) for table in self._unrecorded]
        self._db.executemany("UPDATE tables SET newest = ? WHERE id = ?", rows)
        self._recorded = self._next - 1
        self._db.execute("UPDATE pen SET noted = ?", (self._recorded,))
        self._unrecorded.clear()
        if len(self._newest) > MAX_TABLES:
            self._newest.clear()


@lru_cache(maxsize=1024)
def insertion(rows: int) -> str:
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO log SELECT * FROM (VALUES {values}) WHERE (SELECT owner FROM pen) = ?"  # noqa: S608
