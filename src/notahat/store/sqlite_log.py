"""How a batch of writes gets into a SQLite file: appends as one statement, which is a transaction of its own.

All tables share one log, in the order of writing, so what is committed together lies together on few pages. Whoever
holds the pen knows the newest row of each table it wrote to and needs no index to see that a commit is the next one;
every append checks that the pen is still ours. If it is not, another process has written: then all is forgotten, the
pen is taken back, and the log is asked. What tables know about their newest rows is noted now and then; what was not
noted when a process died is found at the end of the log by the next.
"""

import secrets
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from notahat.store.store import Commit, Conflict, Unavailable
from notahat.store.version_cache import RECENT, Head, mark
from notahat.store.writer import Append, Change, Job

NOTE_AFTER = 2048  # rows that somebody who takes the pen has to look through, at the most
MOST_KNOWN = 20_000

# from a row back to the ones before it at the same table
NEWEST_ROWS = """
WITH RECURSIVE chain AS (
    SELECT before, version, command, events FROM log WHERE place = ?
    UNION ALL
    SELECT log.before, log.version, log.command, log.events FROM chain JOIN log ON place = chain.before LIMIT ?
)
SELECT version, command, events FROM chain
"""
# the same from a table's newest row: this process knows it while it has the pen, others look at what was not noted yet
READ = """
WITH RECURSIVE chain AS (
    SELECT before, version, command, events FROM log WHERE version > :after AND place = CASE
        WHEN (SELECT owner FROM pen) = :owner
            AND EXISTS (SELECT 1 FROM log WHERE place = :newest AND table_id = :table) THEN :newest
        ELSE max(
            COALESCE((SELECT newest FROM tables WHERE id = :table AND touched >= 0), 0),
            COALESCE((SELECT max(place) FROM log WHERE place > (SELECT noted FROM pen) AND table_id = :table), 0)
        )
    END
    UNION ALL
    SELECT log.before, log.version, log.command, log.events FROM chain JOIN log ON place = chain.before
    WHERE log.version > :after
)
SELECT version, command, events FROM chain ORDER BY version
"""


class SqliteLog:
    """The only user of this connection. `together` is what the writer's thread calls."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._name = secrets.token_bytes(8)
        self._newest: dict[bytes, tuple[int, int]] = {}  # place and version of the newest row, by table
        self._unnoted: set[bytes] = set()
        self._noted = 0
        self._next = 0

    def together(self, jobs: list[Job]) -> None:
        """One transaction for all; if it breaks, one for each, so that only the guilty job fails."""
        try:
            self._write(jobs)
        except Exception as error:
            self._forget()
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                for job in jobs:  # nobody is guilty, and each alone would wait as long
                    job.result = unavailable(error)
                return
            for job in jobs:
                self._alone(job)

    def reading(self, table: UUID, after: int) -> tuple[str, dict[str, object]]:
        """The question that gives a table's rows after a version. It may be asked on any connection."""
        place, _ = self._newest.get(table.bytes, (0, 0))
        return READ, {"newest": place, "owner": self._name, "table": table.bytes, "after": after}

    def condemn(self, ids: Iterable[bytes], before: float, kept: frozenset[UUID]) -> tuple[int, list[bytes]]:
        """How many of these tables were looked at, and those that nobody touched since `before`, as their newest commit
        says: from now on they are gone for everybody, and their rows only wait to be erased.
        """
        self._note()
        looked, condemned = 0, []
        for id_ in ids:
            looked += 1
            if UUID(bytes=id_) not in kept and self._is_old(id_, before):
                condemned.append(id_)
                self._newest.pop(id_, None)
                for sql in CONDEMNING:
                    self._db.execute(sql, (id_,))
        return looked, condemned

    def _is_old(self, id_: bytes, before: float) -> bool:
        self._db.execute(TOUCHED, (id_,))
        return self._db.execute(STILL_OLD, (id_, before)).fetchone() is not None

    def close(self) -> None:
        if self._unnoted:
            with suppress(sqlite3.Error), Transaction(self._db):  # else whoever comes next looks through the log's end
                if self._has_pen():
                    self._note()
        self._db.close()

    def _alone(self, job: Job) -> None:
        try:
            self._write([job])
        except Exception as error:
            self._forget()
            job.result = unavailable(error)

    def _forget(self) -> None:
        """What we think we know may be wrong: under another name the pen is not ours."""
        self._name = secrets.token_bytes(8)

    def _write(self, jobs: list[Job]) -> None:
        if self._next - self._noted < NOTE_AFTER and (quick := self._quick(jobs)) and len(quick) == len(jobs):
            if self._insert(quick):
                return
            self._forget()
        with Transaction(self._db):
            if not self._has_pen():
                self._take_pen()
            quick = self._quick(jobs)
            if quick and not self._insert(quick):
                raise AssertionError("nobody can have taken the pen within our transaction")
            written = set(quick)
            for job in jobs:
                if isinstance(job, Change):
                    job.result = job.write(self._db)
                elif job not in written:
                    self._append_carefully(job)
            if self._next - self._noted >= NOTE_AFTER:
                self._note()

    def _quick(self, jobs: list[Job]) -> list[Append]:
        """The appends of which we know that they are next, and new; one for each table."""
        seen: set[bytes] = set()
        quick = []
        for job in jobs:
            if isinstance(job, Append) and job.sure:
                table = job.wanted.table.bytes
                _, version = self._newest.get(table, (0, -1))
                if version == job.wanted.version - 1 and table not in seen:
                    seen.add(table)
                    quick.append(job)
        return quick

    def _insert(self, jobs: list[Append]) -> bool:
        """Write rows, if the pen is ours."""
        now, newest = time.time(), {}
        values: list[object] = []
        for place, job in enumerate(jobs, self._next):
            wanted, table = job.wanted, job.wanted.table.bytes
            values += (place, self._newest[table][0], table, wanted.version, now, wanted.command, wanted.events)
            newest[table] = (place, wanted.version)
            job.result, job.head = wanted, None
        values.append(self._name)
        if self._db.execute(insertion(len(jobs)), values).rowcount != len(jobs):
            return False
        self._newest |= newest
        self._unnoted |= newest.keys()
        self._next += len(jobs)
        return True

    def _append_carefully(self, job: Append) -> None:
        """Look first: was this command carried out before, and is this really the next version?"""
        wanted, table = job.wanted, job.wanted.table.bytes
        place, version = self._find(table)
        rows = self._db.execute(NEWEST_ROWS, (place, RECENT)).fetchall()
        job.head = Head(version, bytearray().join(mark(row[1]) for row in reversed(rows)))
        seen = next((row for row in rows if row[1] == wanted.command), None)
        if seen is not None:
            job.result = Commit(wanted.table, *seen)
        elif version != wanted.version - 1:
            job.result = Conflict(f"expected version {wanted.version - 1}, found {version}")
        else:
            self._db.execute("INSERT OR IGNORE INTO tables (id, touched) VALUES (?, ?)", (table, time.time()))
            self._newest[table] = (place, version)
            head = job.head
            self._insert([job])
            head.follow(wanted)
            job.head = head

    def _find(self, table: bytes) -> tuple[int, int]:
        """The place and the version of a table's newest row, 0 and 0 if it has none."""
        if table not in self._newest:
            sql = "SELECT place, version FROM tables JOIN log ON place = newest WHERE id = ? AND touched >= 0"
            return self._db.execute(sql, (table,)).fetchone() or (0, 0)
        return self._newest[table]

    def _has_pen(self) -> bool:
        return bool(self._db.execute("SELECT owner = ? FROM pen", (self._name,)).fetchone()[0])

    def _take_pen(self) -> None:
        """Forget what we knew, and note what others left at the end of the log."""
        self._newest.clear()
        (self._noted,) = self._db.execute("SELECT noted FROM pen").fetchone()
        sql = "SELECT table_id, max(place), version FROM log WHERE place > ? GROUP BY table_id"
        for table, place, version in self._db.execute(sql, (self._noted,)):
            self._newest[table] = (place, version)
        self._unnoted = set(self._newest)
        (last,) = self._db.execute("SELECT COALESCE(max(place), 0) FROM log").fetchone()
        self._next = max(last, self._noted) + 1
        self._db.execute("UPDATE pen SET owner = ?", (self._name,))
        self._note()

    def _note(self) -> None:
        """Let the tables know their newest rows."""
        places = [(self._newest[table][0], table) for table in self._unnoted]
        self._db.executemany("UPDATE tables SET newest = ? WHERE id = ?", places)
        self._noted = self._next - 1
        self._db.execute("UPDATE pen SET noted = ?", (self._noted,))
        self._unnoted.clear()
        if len(self._newest) > MOST_KNOWN:
            self._newest.clear()


TOUCHED = "UPDATE tables SET touched = at FROM log WHERE id = ? AND place = newest AND at > touched AND touched >= 0"
STILL_OLD = "SELECT id FROM tables WHERE id = ? AND touched < ?"
CONDEMNING = (
    "DELETE FROM snapshots WHERE table_id = ?",
    "DELETE FROM aliases WHERE table_id = ?",
    "UPDATE tables SET touched = -1 WHERE id = ?",  # older than anything: whoever cleans next goes on with it
)


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
    places = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO log SELECT * FROM (VALUES {places}) WHERE (SELECT owner FROM pen) = ?"  # noqa: S608


def unavailable(error: Exception) -> Exception:
    if not isinstance(error, sqlite3.Error):
        return error
    told = Unavailable(str(error))
    told.__cause__ = error
    return told
