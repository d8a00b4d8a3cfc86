"""Appends that share a transaction, written as one statement.

Every statement costs the writing thread a wait for its turn to run Python, so fifty appends are not two hundred
statements but two. What is not known for certain is looked up first; what turns out wrong is undone and tried alone.
"""

import sqlite3
import time

from notahat.store.store import Commit, Conflict

MOST_REMEMBERED = 20_000


class Appending:
    """The newest version of each table, as far as this process knows, and the commits that wait to be written."""

    def __init__(self) -> None:
        self._versions: dict[bytes, int] = {}
        self._waiting: list[Commit] = []
        self._seen = -1

    def begin(self, db: sqlite3.Connection) -> None:
        """At the start of a transaction: if somebody else has written to this file, nothing is known any more."""
        (written_by_others,) = db.execute("PRAGMA data_version").fetchone()
        if written_by_others != self._seen or len(self._versions) > MOST_REMEMBERED:
            self._seen = written_by_others
            self._versions.clear()

    def append(self, db: sqlite3.Connection, wanted: Commit) -> Commit:
        """Take a commit that will be written by the next `flush`, or say which one was first."""
        table = wanted.table.bytes
        if self._versions.get(table) != wanted.version - 1:
            self.flush(db)
            if seen := repeated(db, wanted):
                return seen
            version = self._versions[table] = version_of(db, table)
            if version != wanted.version - 1:
                raise Conflict(f"expected version {wanted.version - 1}, found {version}")
        self._versions[table] = wanted.version
        self._waiting.append(wanted)
        return wanted

    def flush(self, db: sqlite3.Connection) -> None:
        """Write what waits. It fails if a command came again unnoticed: then it is tried alone, and looked up."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        rows = [value for one in waiting for value in (one.table.bytes, one.version, one.command, one.events)]
        db.execute(f"INSERT INTO commits VALUES {places(4, len(waiting))}", rows)  # noqa: S608
        newest = {one.table.bytes: one.version for one in waiting}
        now = time.time()
        touched = [value for table, version in newest.items() for value in (table, version, now)]
        db.execute(
            f"INSERT INTO tables VALUES {places(3, len(newest))} ON CONFLICT (id) DO UPDATE "  # noqa: S608
            "SET version = excluded.version, touched = excluded.touched",
            touched,
        )

    def forget(self) -> None:
        """What was thought to be written was not, or tables are gone."""
        self._waiting = []
        self._versions.clear()


def repeated(db: sqlite3.Connection, wanted: Commit) -> Commit | None:
    sql = "SELECT version, command, events FROM commits WHERE table_id = ? AND command = ?"
    seen = db.execute(sql, (wanted.table.bytes, wanted.command)).fetchone()
    return None if seen is None else Commit(wanted.table, *seen)


def version_of(db: sqlite3.Connection, table: bytes) -> int:
    found = db.execute("SELECT version FROM tables WHERE id = ?", (table,)).fetchone()
    return 0 if found is None else int(found[0])


def places(columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return ", ".join([row] * rows)
