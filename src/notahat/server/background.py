"""Background tasks of a node. A failure is logged and ends only its own task."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from notahat.server.ops.logs import StoreWarning
from notahat.store import Unavailable

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
