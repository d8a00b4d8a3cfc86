"""`/metrics`, on a port of its own or for requests with the token; never public."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.server.http.guests import bearer_token
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.http_guard import HttpGuard, guarded_protocol
from notahat.server.node import Node
from notahat.server.ops.metrics import Health

CONNECTIONS = 256  # a quarter of them for HTTP


class MetricsEndpoint:
    """Authorises and answers requests for metrics."""

    def __init__(self, node: Node, health: Health, token: str) -> None:
        self._node = node
        self._health = health
        self._token = token.encode()

    def authorises(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request on the public port carries the operator's token."""
        sent = (bearer_token(headers) or "").encode()
        return bool(self._token) and secrets.compare_digest(sent, self._token)

    async def response(self) -> Response:
        metrics = self._node.metrics
        metrics.healthy = await self._health.is_healthy()
        metrics.tables, metrics.sockets = self._node.tables, self._node.sockets
        return Response(generate_latest(metrics), media_type=CONTENT_TYPE_PLAIN_0_0_4)


@asynccontextmanager
async def serve_metrics(listener: socket.socket | None, endpoint: MetricsEndpoint) -> AsyncIterator[None]:
    """Serve metrics on a port of their own while the server runs; do nothing without a listener."""
    if listener is None:
        yield
        return

    async def respond(_: Request) -> Response:
        return await endpoint.response()

    app = Starlette(routes=[Route("/metrics", respond)])
    guard = guarded_protocol(HttpGuard(Accounts(CONNECTIONS)))
    config = uvicorn.Config(
        app, http=guard, ws="none", lifespan="off", log_config=None, access_log=False, server_header=False
    )
    server = SecondServer(config)
    task = asyncio.get_running_loop().create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await task


class SecondServer(uvicorn.Server):
    """A second server in the same process, which leaves signals to the first."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
