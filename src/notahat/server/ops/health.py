"""Whether people can play here now: the store is asked, by reading and writing, for no longer than anybody waits."""

import asyncio
import logging
from time import monotonic

from notahat.store import Store, Unavailable

LONGEST_SECONDS = 1.8  # a load balancer gives up after two
FRESH_SECONDS = 1.0

log = logging.getLogger("notahat")


class Health:
    """Anybody may ask as often as they like: the store is asked once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[bool] | None = None
        self._asked = float("-inf")
        self._well = True

    async def well(self) -> bool:
        if self._asking is None or (self._asking.done() and monotonic() - self._asked > FRESH_SECONDS):
            self._asking = asyncio.get_running_loop().create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> bool:
        problem = await self._problem()
        self._asked = monotonic()
        if (problem is None) != self._well:
            self._well = problem is None
            if problem is None:
                log.info("the store is well again")
            else:
                log.warning("the store is not well", extra={"error": problem})
        return self._well

    async def _problem(self) -> str | None:
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await self._store.well()
        except TimeoutError:
            return f"no answer within {LONGEST_SECONDS} s"
        except Unavailable as problem:
            return str(problem)
        return None
