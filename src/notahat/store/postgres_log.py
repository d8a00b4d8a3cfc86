"""Batched appends to PostgreSQL: one statement, which is its own transaction, for all tables of a node.

It inserts only rows that follow an existing version and are not there yet, so a conflict at one table does not affect
others. If a row was left out, or if a connection was lost and the result is unknown, the log is read.
"""

import time
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import Connection, OperationalError, RawCursor

from notahat.store.writer import Job, PendingAppend, write_together

Row = tuple[Any, ...]
RETRY_SECONDS = 0.1
CLOSING_TIMEOUT_SECONDS = 5.0
SYNC_COMMITS = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)


class PostgresLog:
    """The owner of the writing connection. The writer's thread calls `write_batch`."""

    def __init__(self, url: str, settings: dict[str, Any], outage_seconds: float) -> None:
        self._url = url
        self._settings = settings
        self._outage_seconds = outage_seconds
        self._closing_at: float | None = None
        self._open: Connection[Row] | None = None

    def begin_closing(self) -> None:
        """Shorten the retries: the store is being closed."""
        self._closing_at = time.monotonic()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def write_batch(self, jobs: list[Job]) -> None:
        write_together(jobs, self._write_with_retries, lambda error: isinstance(error, OperationalError), psycopg.Error)

    def _write_with_retries(self, jobs: list[Job]) -> None:
        """Retry while the connection is lost. Raise `OperationalError` when the outage lasts too long."""
        appends = [job for job in jobs if isinstance(job, PendingAppend)]
        began, unknown = time.monotonic(), False
        while True:
            try:
                return self._write(appends, unknown)
            except OperationalError:
                self.close()
                unknown = True
                if time.monotonic() > self._deadline(began):
                    raise
                time.sleep(RETRY_SECONDS)

    def _deadline(self, began: float) -> float:
        deadline = began + self._outage_seconds
        return deadline if self._closing_at is None else min(deadline, self._closing_at + CLOSING_TIMEOUT_SECONDS)

    def _write(self, jobs: list[PendingAppend], unknown: bool) -> None:
        """Write jobs; `unknown` says that an earlier attempt may have written some of them."""
        with RawCursor(self._connection()) as cursor:
            insert_tables(cursor, jobs)
            if unknown or not insert(cursor, jobs):
                for job in jobs:
                    append_checked(cursor, job)

    def _connection(self) -> Connection[Row]:
        if self._open is None:
            self._open = psycopg.connect(self._url, **self._settings)
            self._open.execute(SYNC_COMMITS)
        return self._open


@lru_cache(maxsize=1024)
def insertion(rows: int) -> bytes:
    """Return the statement. It orders rows by table, so that nodes that write the same tables cannot deadlock."""
    values = ", ".join(f"(${n}::uuid, ${n + 1}::bigint, ${n + 2}, ${n + 3}::bytea)" for n in range(1, rows * 4, 4))
    return (
        "INSERT INTO notahat.log (table_id, version, command, events) "  # noqa: S608
        f"SELECT id, version, command, events FROM (VALUES {values}) AS new (id, version, command, events) "
        "WHERE version = 1 OR EXISTS "
        "(SELECT FROM notahat.log WHERE table_id = new.id AND log.version = new.version - 1) "
        "ORDER BY id ON CONFLICT DO NOTHING"
    ).encode()


def insert(cursor: RawCursor[Row], jobs: list[PendingAppend]) -> bool:
    """Insert the commits; return whether all were written."""
    values: list[object] = []
    for job in jobs:
        commit = job.commit
        values += (commit.table, commit.version, commit.command, commit.events)
        job.result = commit
    cursor.execute(insertion(len(jobs)), values)
    return cursor.rowcount == len(jobs)


def insert_tables(cursor: RawCursor[Row], jobs: list[PendingAppend]) -> None:
    new = [job.commit.table for job in jobs if job.commit.version == 1]
    if new:
        cursor.execute("INSERT INTO notahat.tables SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING", (new,))


def append_checked(cursor: RawCursor[Row], job: PendingAppend) -> None:
    """Append one commit; if it is not the next one, read whether an earlier attempt has written it.

    An earlier attempt may still be running. Then the insertion waits for it and writes nothing.
    """
    if not insert(cursor, [job]):
        values = (job.commit.table, job.commit.version)
        cursor.execute("SELECT command, events FROM notahat.log WHERE table_id = $1 AND version = $2", values)
        job.compare_with_log(next(iter(cursor.fetchall()), None))
