"""`/metrics`: on a port of its own, or for whoever knows the token. Never for everybody."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.server.http.guests import bearer
from notahat.server.node import Node
from notahat.server.ops.health import Health

KIND = "text/plain; version=0.0.4; charset=utf-8"


class Figures:
    """What an operator may read."""

    def __init__(self, node: Node, health: Health, token: str) -> None:
        self._node = node
        self._health = health
        self._token = token.encode()

    def may_read(self, headers: Mapping[str, str]) -> bool:
        """Whether somebody who asks where everybody asks is an operator."""
        said = (bearer(headers) or "").encode()
        return bool(self._token) and secrets.compare_digest(said, self._token)

    async def answer(self) -> Response:
        text = self._node.metrics.text(self._node.tables, self._node.sockets, await self._health.well())
        return Response(text, media_type=KIND)


@asynccontextmanager
async def told_at(place: socket.socket | None, figures: Figures) -> AsyncIterator[None]:
    """Tell figures, and nothing else, at a port of their own while the server runs."""
    if place is None:
        yield
        return

    async def answer(_: Request) -> Response:
        return await figures.answer()

    app = Starlette(routes=[Route("/metrics", answer)])
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, server_header=False, ws="none")
    server = Beside(config)
    telling = asyncio.get_running_loop().create_task(server.serve([place]))
    try:
        yield
    finally:
        server.should_exit = True
        await telling


class Beside(uvicorn.Server):
    """A second server in the same process: signals are the first one's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
