"""The server's clocks, the timers of a node's rooms, checks of many connections, and tasks in the background."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any, Generic, TypeVar

from notahat.server.ops.logs import StoreWarning
from notahat.store import Unavailable

Key = TypeVar("Key")

MIN_WAIT = 0.001  # seconds, so that no room is woken without a pause


class Timers(Generic[Key]):
    """Calls `fire(key, now)` once when a key is due. Setting a key again replaces its time."""

    def __init__(self, clock: Callable[[], float], fire: Callable[[Key, float], None]) -> None:
        self._clock = clock
        self._fire = fire
        self._handles: dict[Key, asyncio.TimerHandle] = {}

    def set(self, key: Key, at: float | None) -> None:
        if (handle := self._handles.pop(key, None)) is not None:
            handle.cancel()
        if at is not None:
            wait = max(MIN_WAIT, at - self._clock())
            self._handles[key] = asyncio.get_running_loop().call_later(wait, self._fire_due, key, at)

    def stop(self) -> None:
        for key in tuple(self._handles):
            self.set(key, None)

    def _fire_due(self, key: Key, at: float) -> None:
        del self._handles[key]
        self._fire(key, max(at, self._clock()))  # a test's clock may stand still


class Clock:
    """Wall-clock time for new tables, monotonic time for everything else."""

    def time(self) -> float:
        return round(time.time(), 3)

    def monotonic(self) -> float:
        return time.monotonic()


Item = TypeVar("Item")
SLICES = 20  # of a periodic check, so that thousands of items make no pause


class PeriodicCheck(Generic[Item]):
    """Calls `check(item, now)` for each item at least every `seconds`, for a slice of them at a time."""

    def __init__(self, seconds: float, check: Callable[[Item, float], None]) -> None:
        self.items: dict[Item, None] = {}
        self._due: list[Item] = []
        self._slice = 0
        self._seconds = seconds
        self._check = check
        self._timer: asyncio.TimerHandle | None = None

    def add(self, item: Item) -> None:
        self.items[item] = None
        if self._timer is None:
            self._schedule()

    def remove(self, item: Item) -> None:
        self.items.pop(item, None)

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._seconds / SLICES, self._run)

    def _run(self) -> None:
        self._timer = None
        now = monotonic()
        if not self._due:
            self._due = list(self.items)
            self._slice = len(self._due) // SLICES + 1
        checked, self._due = self._due[: self._slice], self._due[self._slice :]
        for item in checked:
            if item in self.items:
                self._check(item, now)
        if self.items:
            self._schedule()
        else:
            self._due = []  # what was removed is kept no longer


log = logging.getLogger("notahat")


class BackgroundTasks:
    """Tasks that nobody waits for until the node stops."""

    def __init__(self, store_warning: StoreWarning) -> None:
        self._store_warning = store_warning
        self._tasks: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self.log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def log_failure(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except Unavailable as error:
            self._store_warning.log(error)
        except Exception:
            log.exception("background task failed")

    async def wait(self) -> None:
        """Wait until no task runs."""
        while tasks := tuple(self._tasks):
            await asyncio.gather(*tasks, return_exceptions=True)
            self._tasks.difference_update(tasks)  # since Python 3.12 `gather` does not yield if all are done
