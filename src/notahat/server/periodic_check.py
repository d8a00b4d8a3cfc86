"""One timer that checks many connections."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

Item = TypeVar("Item")


class PeriodicCheck(Generic[Item]):
    """Calls `check(item, now)` for all items every `seconds`, as long as there are items."""

    def __init__(self, seconds: float, check: Callable[[Item, float], None]) -> None:
        self.items: dict[Item, None] = {}
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
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._run)

    def _run(self) -> None:
        self._timer = None
        now = monotonic()
        for item in tuple(self.items):
            self._check(item, now)
        if self.items:
            self._schedule()
