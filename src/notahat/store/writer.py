"""One thread that writes, and commits all that waits at once.

A disk sync costs the same for one move as for a hundred. What is put within one turn of the loop is written together,
and so is all that comes while the thread is busy; and while each turn brings more, the next one is waited for, up to a
millisecond. Where many tables are busy, a moment longer: until there are a few, or for half a frame of a screen. Who
is alone never waits. Nobody is told before the commit that holds their write has returned, and then all are told in
one turn of the loop.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct

from notahat.store.store import Commit, Done, Unavailable
from notahat.store.version_cache import Head, Heads

MOST_TOGETHER = 1000  # a statement takes only so many values
TURNS_SECONDS = 0.001
A_FEW = 6
PATIENCE_SECONDS = 0.008  # for a few, where the last writes came from as many tables ...
LATELY_SECONDS = 0.04  # ... within this time

T = TypeVar("T")


class Append(Struct, eq=False):
    """A commit to be written. `sure`: it is the next one of its table and new, as far as this process knows."""

    wanted: Commit
    done: Done
    sure: bool
    result: Commit | Exception | None = None
    head: Head | None = None  # how the log was found, where somebody looked


class Change(Struct, eq=False):
    """Anything else to be written: `write` is called with the connection."""

    write: Callable[[Any], Any]
    done: Callable[[Any], None]
    result: Any = None


Job = Append | Change
Together = Callable[[list[Job]], None]


class Writer:
    """The thread that calls `together` with jobs, to give each its result. It belongs to the loop that made it."""

    def __init__(self, together: Together, end: Callable[[], None] = lambda: None) -> None:
        self._together = together
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._heads = Heads()
        self._waiting: list[Job] = []
        self._batches: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._writing = False
        self._patient = False
        self._due: asyncio.Handle | None = None
        self._lately: deque[tuple[UUID, float]] = deque(maxlen=A_FEW + 2)
        self._closed = False
        self._idle = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def append(self, wanted: Commit, done: Done) -> None:
        """Write a commit; `done` is called in the loop when it is safe, or with the exception that says why not."""
        if self._closed:
            self._loop.call_soon(done, Unavailable("the store is closed"))
            return
        self._lately.append((wanted.table, self._loop.time()))
        self._put(Append(wanted, done, self._heads.expect(wanted)))

    async def write(self, write: Callable[[Any], T]) -> T:
        """Run `write` inside a transaction; returns when it is on disk."""
        if self._closed:
            raise Unavailable("the store is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._put(Change(write, answer(future)))
        return await future

    async def close(self) -> None:
        """Finish what waits, then stop."""
        self._closed = True
        while self._waiting or self._writing:
            self._idle.clear()
            if self._waiting and not self._writing:
                self._hand_over()
            await self._idle.wait()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _put(self, job: Job) -> None:
        self._waiting.append(job)
        if self._patient and len(self._waiting) >= A_FEW:
            self._hand_over()
        elif self._due is None and not self._writing:
            self._schedule()

    def _schedule(self) -> None:
        """Write when this turn of the loop is over."""
        self._due = self._loop.call_soon(self._gather, 1, self._loop.time() + TURNS_SECONDS)

    def _gather(self, before: int, deadline: float) -> None:
        """While each turn of the loop brings more, wait for the next one, but not for long."""
        waiting = len(self._waiting)
        if waiting > before and self._loop.time() < deadline:
            self._due = self._loop.call_soon(self._gather, waiting, deadline)
        elif waiting < A_FEW and self._many_are_busy():
            self._due = self._loop.call_later(PATIENCE_SECONDS, self._hand_over)
            self._patient = True
        else:
            self._hand_over()

    def _many_are_busy(self) -> bool:
        """Whether the last writes came quickly, and from many tables."""
        lately = self._lately
        quick = len(lately) == lately.maxlen and self._loop.time() - lately[0][1] < LATELY_SECONDS
        return quick and len({table.int for table, _ in lately}) >= A_FEW

    def _hand_over(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._patient = False
        batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
        self._writing = True
        self._batches.put(batch)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            self._together(batch)
            if self._loop.is_closed():
                break
            self._loop.call_soon_threadsafe(self._written, batch)
        self._end()

    def _written(self, batch: list[Job]) -> None:
        self._writing = False
        self._idle.set()
        for job in batch:
            if isinstance(job, Append):
                self._learn(job)
            try:
                job.done(job.result)  # type: ignore[arg-type]
            except Exception as error:
                self._loop.call_exception_handler({"message": "whoever was told of a write failed", "exception": error})
        if self._waiting and self._due is None and not self._writing:
            self._schedule()

    def _learn(self, job: Append) -> None:
        if job.head is not None:
            self._heads.learn(job.wanted, job.head)
        elif job.result is job.wanted:
            self._heads.follow(job.wanted)
        else:
            self._heads.forget(job.wanted)


def answer(future: "asyncio.Future[Any]") -> Callable[[Any], None]:
    """Settle a future with a result or an exception, unless whoever asked has given up."""

    def done(result: Any) -> None:
        if future.done():
            return
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)

    return done


async def awaited(submit: Callable[[Done], None]) -> Commit:
    """Submit something and wait for it."""
    future: asyncio.Future[Commit] = asyncio.get_running_loop().create_future()
    submit(answer(future))
    return await future
