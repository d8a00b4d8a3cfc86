"""Health check: can the store be read and written within the time that a load balancer waits?"""

import asyncio
import logging
from time import monotonic

from msgspec import Struct

from notahat.store import Store, Unavailable

TIMEOUT_SECONDS = 1.8  # a load balancer gives up after two
FRESH_SECONDS = 1.0

log = logging.getLogger("notahat")


class ObservedRequest(Struct):
    """A request as the server sees it: the client's address and the `Host` header."""

    address: str = ""
    host: str = ""


class HealthResponse(Struct):
    """The body of /healthz."""

    ok: bool = False
    way: ObservedRequest | None = None


class Health:
    """Checks the store at most once per `FRESH_SECONDS`, however many requests come."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._check: asyncio.Task[bool] | None = None
        self._checked_at = float("-inf")
        self._healthy = True

    async def is_healthy(self) -> bool:
        if self._check is None or (self._check.done() and monotonic() - self._checked_at > FRESH_SECONDS):
            self._check = asyncio.get_running_loop().create_task(self._run_check())
        return await asyncio.shield(self._check)

    async def _run_check(self) -> bool:
        error = await self._store_error()
        self._checked_at = monotonic()
        if (error is None) != self._healthy:
            self._healthy = error is None
            if self._healthy:
                log.info("store is healthy again")
            else:
                log.warning("store is unhealthy", extra={"error": error})
        return self._healthy

    async def _store_error(self) -> str | None:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.check_health()
        except TimeoutError:
            return f"no answer within {TIMEOUT_SECONDS} s"
        except Unavailable as error:
            return str(error)
        return None
