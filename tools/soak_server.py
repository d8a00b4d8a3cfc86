"""The server of `make soak`: it cleans more often, and notes how long moves waited, and for whom.

The system tells for how long each of our threads was ready to run and got no processor (the second figure of
/proc/…/schedstat). That is the machine's fault and is taken off a wait, but never so much that less is left than the
processor time that the server used meanwhile. The rest is the server's own: its work, its locks, and the disk. Where
nothing else runs, nobody is starved, and the server's own wait is what the clock says.
"""

import asyncio
import os
import sys
import threading
import time
from bisect import bisect_right
from collections import deque
from pathlib import Path
from typing import Any

from msgspec import Struct

NOTES = "SOAK_NOTES"
CLEAN_EVERY = "SOAK_CLEAN_SECONDS"
NOTED_WAIT = 0.005
TICK_SECONDS = 0.002
REMEMBERED = 4000  # arrivals: more than there are in the longest wait
THREADS = ("MainThread", "store-writer", "store-reader")


class Moment(Struct):
    """What the clock, the processor and the system said."""

    at: float
    used: float
    starved: float

    def since(self, then: "Moment", seconds: float) -> float:
        """The server's own part of a wait of so many seconds."""
        return min(seconds, max(self.used - then.used, seconds - (self.starved - then.starved)))


class Watch:
    """What is known of the last moments, and where it is noted."""

    def __init__(self, notes: Path) -> None:
        self._notes = notes.open("a", buffering=1)
        self._arrivals: deque[Moment] = deque(maxlen=REMEMBERED)
        self._threads: dict[str, int] = {}
        self.cleaning = False

    def note(self, kind: str, *values: float) -> None:
        self._notes.write(f"{kind} {' '.join(map(str, values))}\n")

    def now(self) -> Moment:
        starved = sum(map(starved_seconds, tuple(self._threads.values())))
        return Moment(time.monotonic(), time.process_time(), starved)

    def meet(self) -> None:
        """The threads that moves go through."""
        for thread in threading.enumerate():
            name = f"{thread.native_id}"
            if thread.name.startswith(THREADS) and name not in self._threads:
                self._threads[name] = os.open(f"/proc/self/task/{name}/schedstat", os.O_RDONLY)

    def arrived(self) -> None:
        self._arrivals.append(self.now())

    def answered(self, seconds: float) -> None:
        if seconds > NOTED_WAIT:
            now = self.now()
            came = bisect_right(self._arrivals, now.at - seconds, key=lambda moment: moment.at) - 1
            self.note("waited", time.time(), seconds, now.since(self._arrivals[max(0, came)], seconds))

    def write(self, together: Any, jobs: list[Any]) -> None:
        """Called in the writer's thread."""
        began, used = self.now(), time.thread_time()
        together(jobs)
        if self.cleaning:
            now = self.now()
            self.note("slice", time.time(), now.since(began, now.at - began.at), time.thread_time() - used)

    def tick(self, last: Moment) -> None:
        """How late the loop comes to whatever waits for it: as long a frame lies unread."""
        now = self.now()
        late = now.at - last.at - TICK_SECONDS
        if late > NOTED_WAIT:
            self.note("late", time.time(), late, now.since(last, late))
            self.meet()
        asyncio.get_running_loop().call_later(TICK_SECONDS, self.tick, now)


def starved_seconds(file: int) -> float:
    try:
        return int(os.pread(file, 100, 0).split()[1]) / 1e9
    except ProcessLookupError:  # the thread has ended; a store is opened and closed once before the server starts
        return 0.0


def serve() -> int:
    from notahat import cli
    from notahat.server import node
    from notahat.server.ops.metrics import Metrics
    from notahat.store.sqlite import SqliteStore
    from notahat.store.sqlite_log import SqliteLog

    node.CLEAN_SECONDS = float(os.environ[CLEAN_EVERY])
    watch = Watch(Path(os.environ[NOTES]))
    clean, took, together, ordered, open_ = (
        SqliteStore.clean,
        Metrics.took,
        SqliteLog.together,
        node.Node.ordered,
        SqliteStore.open.__func__,  # type: ignore[attr-defined]
    )

    async def watched_clean(self: SqliteStore, older_than_seconds: float) -> int:
        watch.meet()
        began, watch.cleaning = time.time(), True
        try:
            forgotten = await clean(self, older_than_seconds)
        finally:
            watch.cleaning = False
        watch.note("cleaned", began, time.time(), forgotten)
        return forgotten

    def watched_took(self: Metrics, seconds: float) -> None:
        took(self, seconds)
        watch.answered(seconds)

    def watched_together(self: SqliteLog, jobs: list[Any]) -> None:
        watch.write(lambda all_: together(self, all_), jobs)

    def watched_ordered(self: node.Node, *order: Any) -> None:
        watch.arrived()
        ordered(self, *order)

    async def watched_open(cls: type[SqliteStore], url: str) -> SqliteStore:
        store: SqliteStore = await open_(cls, url)
        watch.meet()
        watch.tick(watch.now())
        return store

    SqliteStore.clean = watched_clean  # type: ignore[method-assign]
    SqliteStore.open = classmethod(watched_open)  # type: ignore[assignment]
    SqliteLog.together = watched_together  # type: ignore[method-assign]
    Metrics.took = watched_took  # type: ignore[method-assign]
    node.Node.ordered = watched_ordered  # type: ignore[method-assign,assignment]
    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(serve())
