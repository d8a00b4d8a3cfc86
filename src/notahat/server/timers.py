"""One timer for all rooms of a node."""

import asyncio
import logging
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Key = TypeVar("Key")

MIN_WAIT = 0.001  # timers closer together fire together

log = logging.getLogger("notahat")


class Timers(Generic[Key]):
    """Calls `fire(key, now)` once when a key is due. Setting a key again replaces its time."""

    def __init__(self, clock: Callable[[], float], fire: Callable[[Key, float], None]) -> None:
        self._clock = clock
        self._fire = fire
        self._due: dict[Key, float] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._count = count()
        self._handle: asyncio.TimerHandle | None = None
        self._next_at = float("inf")

    def set(self, key: Key, at: float | None) -> None:
        if at is None:
            self._due.pop(key, None)
            return
        self._due[key] = at
        heappush(self._heap, (at, next(self._count), key))
        if at < self._next_at:
            self._schedule(at)

    def stop(self) -> None:
        self._due.clear()
        self._heap.clear()
        if self._handle is not None:
            self._handle.cancel()

    def _schedule(self, at: float) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._next_at = at
        self._handle = asyncio.get_running_loop().call_later(max(MIN_WAIT, at - self._clock()), self._fire_due, at)

    def _fire_due(self, at: float) -> None:
        """Fire all keys that are due at `at` or now; a test's clock may stand still."""
        self._handle, self._next_at = None, float("inf")
        now = max(at, self._clock())
        while self._heap and (self._heap[0][0] <= now or self._is_stale(self._heap[0])):
            due, _, key = heappop(self._heap)
            if self._due.get(key) == due:
                del self._due[key]
                try:
                    self._fire(key, now)
                except Exception:  # the others are due as well
                    log.exception("a timer failed")
        if self._heap:
            self._schedule(self._heap[0][0])

    def _is_stale(self, entry: tuple[float, int, Key]) -> bool:
        return self._due.get(entry[2]) != entry[0]
