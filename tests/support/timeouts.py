"""How long tests wait before they fail. It is long, because the machine may be busy."""

import asyncio
from collections.abc import Callable

TIMEOUT = 120.0


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is true that stays true."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0.001)
