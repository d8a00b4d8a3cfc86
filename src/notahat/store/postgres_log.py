"""How a batch of appends gets into PostgreSQL: one statement, which is its own transaction, for all tables of a node.

It writes only what follows the version before it and is not there yet, so one table's conflict leaves its neighbours
alone. If anything was left out, or if the connection was lost and nobody knows what happened, the log is asked.
"""

import time
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import Connection, OperationalError, RawCursor

from notahat.store.store import Commit, Conflict, Unavailable
from notahat.store.version_cache import RECENT, Head, mark
from notahat.store.writer import Append, Job

Row = tuple[Any, ...]
RETRY_SECONDS = 0.1
FAREWELL_SECONDS = 5.0
WAIT_FOR_THE_DISK = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)


class PostgresLog:
    """The only user of a connection of its own. `together` is what the writer's thread calls."""

    def __init__(self, url: str, settings: dict[str, Any], patience_seconds: float) -> None:
        self._url = url
        self._settings = settings
        self._patience = patience_seconds
        self._leaving_at: float | None = None
        self._open: Connection[Row] | None = None

    def leave(self) -> None:
        """The store is being closed: do not wait long for a database that is away."""
        self._leaving_at = time.monotonic()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def together(self, jobs: list[Job]) -> None:
        """All at once; if something other than the connection breaks, each alone, so that only the guilty fails."""
        appends = [job for job in jobs if isinstance(job, Append)]
        try:
            self._persist(appends)
        except OperationalError as error:
            give_up(appends, error)
        except Exception:
            self._one_by_one(appends)

    def _one_by_one(self, jobs: list[Append]) -> None:
        for place, job in enumerate(jobs):
            try:
                self._persist([job])
            except OperationalError as error:
                give_up(jobs[place:], error)
                break
            except Exception as error:
                give_up([job], error)

    def _persist(self, jobs: list[Append]) -> None:
        """Sit out a database that is away for a moment. What happened before it went away is looked up; if it stays
        away, nobody is guilty, and each alone would wait as long.
        """
        began, unknown = time.monotonic(), False
        while True:
            try:
                return self._write(jobs, unknown)
            except OperationalError:
                self.close()
                unknown = True
                if time.monotonic() > self._deadline(began):
                    raise
                time.sleep(RETRY_SECONDS)

    def _deadline(self, began: float) -> float:
        late = began + self._patience
        return late if self._leaving_at is None else min(late, self._leaving_at + FAREWELL_SECONDS)

    def _write(self, jobs: list[Append], unknown: bool) -> None:
        with RawCursor(self._connection()) as cursor:
            begin_tables(cursor, jobs)
            sure = [] if unknown else [job for job in jobs if job.sure]
            written = insert(cursor, sure) if sure else True
            for job in jobs:
                if unknown or not (job.sure and written):
                    append_carefully(cursor, job)

    def _connection(self) -> Connection[Row]:
        if self._open is None:
            self._open = psycopg.connect(self._url, **self._settings)
            self._open.execute(WAIT_FOR_THE_DISK)
        return self._open


@lru_cache(maxsize=1024)
def insertion(rows: int) -> bytes:
    """Rows in the order of their tables: nodes that write the same tables then wait for each other, never in a ring."""
    places = ", ".join(f"(${n}::uuid, ${n + 1}::bigint, ${n + 2}, ${n + 3}::bytea)" for n in range(1, rows * 4, 4))
    return (
        "INSERT INTO notahat.log (table_id, version, command, events) "  # noqa: S608
        f"SELECT id, version, command, events FROM (VALUES {places}) AS new (id, version, command, events) "
        "WHERE version = 1 OR EXISTS "
        "(SELECT FROM notahat.log WHERE table_id = new.id AND log.version = new.version - 1) "
        "ORDER BY id ON CONFLICT DO NOTHING"
    ).encode()


def insert(cursor: RawCursor[Row], jobs: list[Append]) -> bool:
    """Whether all were written."""
    values: list[object] = []
    for job in jobs:
        wanted = job.wanted
        values += (wanted.table, wanted.version, wanted.command, wanted.events)
        job.result, job.head = wanted, None
    cursor.execute(insertion(len(jobs)), values)
    return cursor.rowcount == len(jobs)


def begin_tables(cursor: RawCursor[Row], jobs: list[Append]) -> None:
    """A table is noted down with its first commit."""
    new = [job.wanted.table for job in jobs if job.wanted.version == 1]
    if new:
        cursor.execute("INSERT INTO notahat.tables SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING", (new,))


def append_carefully(cursor: RawCursor[Row], job: Append) -> None:
    """Look first: was this command carried out before, and is this really the next version?

    A first try whose answer was lost may still be under way. Then the insertion waits for it, and writes nothing.
    """
    head = look_up(cursor, job)
    if job.result is None:
        if insert(cursor, [job]):
            head.follow(job.wanted)
            job.head = head
            return
        look_up(cursor, job)
    if job.result is None:
        job.result = Conflict(f"version {job.wanted.version} is not the next one")


def look_up(cursor: RawCursor[Row], job: Append) -> Head:
    """The result that the log already holds for this commit: its first one, a conflict, or None."""
    wanted = job.wanted
    cursor.execute(
        "SELECT version, command, events FROM notahat.log WHERE table_id = $1 ORDER BY version DESC LIMIT $2",
        (wanted.table, RECENT),
    )
    newest = cursor.fetchall()
    job.head = Head(newest[0][0] if newest else 0, bytearray().join(mark(row[1]) for row in reversed(newest)))
    seen = next((row for row in newest if row[1] == wanted.command), None)
    if seen is not None:
        job.result = Commit(wanted.table, *seen)
    elif job.head.version != wanted.version - 1:
        job.result = Conflict(f"expected version {wanted.version - 1}, found {job.head.version}")
    else:
        job.result = None
    return job.head


def give_up(jobs: list[Append], error: Exception) -> None:
    """Whether these were written is not known: no result that was expected stands, and the log is asked next time."""
    for job in jobs:
        job.head, job.result = None, unavailable(error)


def unavailable(error: Exception) -> Exception:
    if not isinstance(error, psycopg.Error):
        return error
    told = Unavailable(str(error))
    told.__cause__ = error
    return told
