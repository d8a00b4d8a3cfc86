"""Bounded caches: one for values, one for the results of jobs that run one at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(OrderedDict[Key, Value]):
    """A dictionary of at most `size` items that drops the least recently used."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def touch(self, key: Key) -> Value | None:
        """Return the value of a key and mark it as used; None if it is not cached."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._size:
            self.popitem(last=False)


class JobCache(Generic[Key, Value]):
    """Run each job once, one at a time; requests for the same key share its result."""

    def __init__(self, size: int) -> None:
        self.tasks: LruCache[Key, asyncio.Task[Value]] = LruCache(size)
        self._running = asyncio.Lock()

    async def get(self, key: Key, job: Callable[[], Awaitable[Value]]) -> Value:
        """Return the job's result. Raise what the job raises; the next request then runs it again."""
        task = self.tasks.touch(key)
        if task is None:
            task = self.tasks[key] = asyncio.get_running_loop().create_task(self._run(job))
        try:
            return await asyncio.shield(task)
        except Exception:
            if self.tasks.get(key) is task:  # another request may have started the next one
                del self.tasks[key]
            raise

    async def _run(self, job: Callable[[], Awaitable[Value]]) -> Value:
        async with self._running:
            return await job()
