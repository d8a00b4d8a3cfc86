"""A writing thread with group commit: a batch has what came while the last one was written; a lone job never waits."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from msgspec import Struct

from notahat.store.store import Commit, Conflict, Done, Unavailable

MAX_BATCH = 1000  # a statement takes only so many values
COMPANY = 2
WAIT_SECONDS = 0.005  # less than anyone notices

T = TypeVar("T")


class PendingAppend(Struct, eq=False):
    """A commit to be written."""

    commit: Commit
    done: Done
    result: Commit | Exception | None = None

    def compare_with_log(self, row: tuple[str, bytes] | None) -> None:
        """Set the result from key and events in the log at this version: an earlier attempt may have written it."""
        commit = self.commit
        is_own = row is not None and tuple(row) == (commit.key, commit.events)
        self.result = commit if is_own else Conflict(f"version {commit.version} is not the next one")


class PendingWrite(Struct, eq=False):
    """Any other write: `write` is called with the connection."""

    write: Callable[[Any], Any]
    done: Callable[[Any], None]
    result: Any = None


Job = PendingAppend | PendingWrite
WriteBatch = Callable[[list[Job]], None]


class Writer:
    """The thread that calls `write_batch`, which sets the result of each job. It belongs to the loop that made it."""

    def __init__(self, write_batch: WriteBatch, close: Callable[[], None] = lambda: None) -> None:
        self._write_batch = write_batch
        self._close_connection = close
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Job] = []
        self._batches: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._closed = False
        self._began = float("-inf")
        self._busy_since = 0.0
        self._start: asyncio.Handle | None = None
        self._idle = asyncio.Event()  # no batch is being written, and none will be
        self._idle.set()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def append(self, commit: Commit, done: Done) -> None:
        """Write a commit; the loop calls `done` when it is on disk, or with the exception."""
        if self._closed:
            self._loop.call_soon(done, Unavailable("the store is closed"))
        else:
            self._put(PendingAppend(commit, done))

    async def write(self, write: Callable[[Any], T]) -> T:
        """Run `write` inside a transaction; return its result when it is on disk."""
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._put(PendingWrite(write, partial(settle, future)))
        return await future

    @property
    def busy_seconds(self) -> float:
        """How long the first of the waiting jobs has waited, or the batch that is being written."""
        return 0.0 if self._idle.is_set() else self._loop.time() - self._busy_since

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closed = True
        await self._idle.wait()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _put(self, job: Job) -> None:
        self._waiting.append(job)
        if self._idle.is_set():
            self._idle.clear()
            self._busy_since = self._loop.time()
            self._schedule()
        elif self._start is not None and len(self._waiting) == COMPANY:
            self._start.cancel()
            self._schedule()

    def _schedule(self) -> None:
        """Begin the next batch after this iteration of the loop, or when a single job has waited for company."""
        wait = self._began + WAIT_SECONDS - self._loop.time() if len(self._waiting) < COMPANY else 0.0
        self._start = self._loop.call_later(max(wait, 0.0), self._start_batch)

    def _start_batch(self) -> None:
        self._start = None
        self._began = self._busy_since = self._loop.time()
        batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        self._batches.put(batch)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            self._write_batch(batch)
            if self._loop.is_closed():
                break
            self._loop.call_soon_threadsafe(self._finish_batch, batch)
        self._close_connection()

    def _finish_batch(self, batch: list[Job]) -> None:
        for job in batch:
            try:
                job.done(job.result)  # type: ignore[arg-type]
            except Exception as error:
                self._loop.call_exception_handler({"message": "the callback of a write failed", "exception": error})
        if self._waiting:
            self._schedule()
        else:
            self._idle.set()


def settle(future: "asyncio.Future[Any]", result: Any) -> None:
    """Settle a future with a result or an exception, unless it was cancelled."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def write_together(
    jobs: list[Job], write: WriteBatch, concerns_all: Callable[[Exception], bool], database_error: type[Exception]
) -> None:
    """Write all jobs at once, or each alone after an error that does not concern all; failed ones get it as result."""
    batches = [jobs]
    while batches:
        batch = batches.pop(0)
        try:
            write(batch)
        except Exception as error:
            if concerns_all(error):
                batch, batches = [*batch, *(job for rest in batches for job in rest)], []
            elif len(batch) > 1:
                batches = [[job] for job in batch]
                continue
            result = error
            if isinstance(error, database_error):
                result = Unavailable(str(error))
                result.__cause__ = error
            for job in batch:
                job.result = result
