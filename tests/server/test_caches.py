"""Bounded caches: a failed job never evicts the job that replaced it."""

import asyncio

import pytest

from notahat.server.table_sync import JobCache

pytestmark = pytest.mark.anyio


async def fail() -> str:
    raise OSError("no luck")


async def succeed() -> str:
    return "made"


async def test_late_waiter_does_not_evict_the_next_job() -> None:
    """Two requests wait for a failing job; the first asks again before the second learns of the failure."""
    jobs: JobCache[str, str] = JobCache(4)
    made: list[str] = []

    async def ask_again_after_failure() -> None:
        with pytest.raises(OSError, match="no luck"):
            await jobs.get("key", fail)
        made.append(await jobs.get("key", succeed))

    async def ask_once() -> None:
        with pytest.raises(OSError, match="no luck"):
            await jobs.get("key", fail)

    await asyncio.gather(ask_again_after_failure(), ask_once())
    assert made == ["made"]
    assert await jobs.get("key", fail) == "made", "the second job is still cached"
