"""One alarm clock for all rooms of a node."""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Sleeper = TypeVar("Sleeper")

LEAST_WAIT = 0.001  # alarms closer together ring together


class Timers(Generic[Sleeper]):
    """Rings for whoever wished to be woken, each at most once. A new wish takes the place of the old one."""

    def __init__(self, clock: Callable[[], float], ring: Callable[[Sleeper, float], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._wishes: dict[Sleeper, float] = {}
        self._heap: list[tuple[float, int, Sleeper]] = []
        self._count = count()
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = float("inf")

    def set(self, sleeper: Sleeper, at: float | None) -> None:
        if at is None:
            self._wishes.pop(sleeper, None)
            return
        self._wishes[sleeper] = at
        heappush(self._heap, (at, next(self._count), sleeper))
        if at < self._alarm_at:
            self._arm(at)

    def stop(self) -> None:
        self._wishes.clear()
        self._heap.clear()
        if self._alarm is not None:
            self._alarm.cancel()

    def _arm(self, at: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = at
        self._alarm = asyncio.get_running_loop().call_later(max(LEAST_WAIT, at - self._clock()), self._rang, at)

    def _rang(self, at: float) -> None:
        """Wake all whose time has come: the time that was waited for, even if the clock stands still."""
        self._alarm, self._alarm_at = None, float("inf")
        now = max(at, self._clock())
        while self._heap and (self._heap[0][0] <= now or self._stale(self._heap[0])):
            wished, _, sleeper = heappop(self._heap)
            if self._wishes.get(sleeper) == wished:
                del self._wishes[sleeper]
                self._ring(sleeper, now)
        if self._heap:
            self._arm(self._heap[0][0])

    def _stale(self, entry: tuple[float, int, Sleeper]) -> bool:
        return self._wishes.get(entry[2]) != entry[0]
