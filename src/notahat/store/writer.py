"""One thread that writes to a SQLite file, and commits all that waits at once.

A disk sync costs the same for one move as for a hundred, so whatever arrives during a sync shares the next one.
Nobody is answered before the commit that holds their write has returned.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from msgspec import Struct

from notahat.store.appending import Appending
from notahat.store.store import Conflict, Unavailable

MOST_TOGETHER = 1000  # a statement takes only so many values

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], T]


class Job(Struct, eq=False):
    """Something to write, and who waits for it."""

    write: Write[Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    result: Any = None
    error: Exception | None = None

    def answer(self) -> None:
        if self.future.done():  # whoever asked has given up
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class Writer:
    """The only thread that uses this connection. `appending` collects what can be written at once."""

    def __init__(self, connection: sqlite3.Connection, appending: Appending | None = None) -> None:
        self._connection = connection
        self._appending = appending or Appending()
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, write: Write[T]) -> T:
        """Run `write` inside a transaction; returns when it is on disk."""
        if self._closed:
            raise Unavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(Job(write, future, loop))
        return await future

    async def close(self) -> None:
        """Finish what waits, then stop."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (jobs := self._next()) is not None:
            write_together(self._connection, self._appending, jobs)
            tell(jobs)
        self._connection.close()

    def _next(self) -> list[Job] | None:
        """Wait for a job, and take all others that are there. None is the end."""
        job = self._jobs.get()
        jobs: list[Job] = []
        try:
            while job is not None:
                jobs.append(job)
                if len(jobs) == MOST_TOGETHER:
                    return jobs
                job = self._jobs.get_nowait()
        except Empty:
            return jobs
        if jobs:
            self._jobs.put(None)  # first these, then the end
        return jobs or None


def write_together(connection: sqlite3.Connection, appending: Appending, jobs: list[Job]) -> None:
    """One transaction for all; if it breaks, one for each, so that only the guilty job fails."""
    try:
        transact(connection, appending, jobs)
    except Exception:
        for job in jobs:
            write_alone(connection, appending, job)


def write_alone(connection: sqlite3.Connection, appending: Appending, job: Job) -> None:
    try:
        transact(connection, appending, [job])
    except Exception as error:
        job.error = unavailable(error)


def transact(connection: sqlite3.Connection, appending: Appending, jobs: list[Job]) -> None:
    """Every write looks before it writes, so a conflict has nothing to undo and leaves its neighbours alone."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        appending.begin(connection)
        for job in jobs:
            job.result = job.error = None
            try:
                job.result = job.write(connection)
            except Conflict as conflict:
                job.error = conflict
        appending.flush(connection)
        connection.execute("COMMIT")
    except BaseException:
        appending.forget()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def unavailable(error: Exception) -> Exception:
    if not isinstance(error, sqlite3.Error):
        return error
    told = Unavailable(str(error))
    told.__cause__ = error
    return told


def tell(jobs: list[Job]) -> None:
    """Wake each loop once, however many of its jobs were written."""
    for loop in {job.loop for job in jobs}:
        theirs = [job for job in jobs if job.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(answer_all, theirs)


def answer_all(jobs: list[Job]) -> None:
    for job in jobs:
        job.answer()
