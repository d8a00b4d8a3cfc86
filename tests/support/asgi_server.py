"""A small ASGI app on uvicorn in the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from support.timeouts import TIMEOUT, until


@asynccontextmanager
async def serving(app: ASGIApp, **config: Any) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """Serve an app for the time of the block; yield the server and its port."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", **config))
    running = asyncio.create_task(server._serve([listening]))
    await until(lambda: server.started)
    try:
        yield server, listening.getsockname()[1]
    finally:
        server.should_exit = True
        await asyncio.wait_for(running, TIMEOUT)
