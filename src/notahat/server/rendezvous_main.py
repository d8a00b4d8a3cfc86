"""`notahat rendezvous`: pass sealed messages between browsers, and nothing else."""

import argparse
import signal
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.rules import Illegal
from notahat.server.http.app import handle_http_exception
from notahat.server.http.refusal import STATUS, json_response, refuse
from notahat.server.http.rendezvous import RENDEZVOUS_PATH, Rendezvous, RendezvousEndpoint
from notahat.server.http.request_parts import request_address
from notahat.server.limits.connection_quota import ConnectionQuota, connection_limit
from notahat.server.limits.http_guard import HttpGuard, guarded_protocol
from notahat.server.main import Server
from notahat.server.ops.listen import listen
from notahat.server.ops.logs import set_up_logs
from notahat.server.settings import Settings, load_settings


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "rendezvous",
        help="pass sealed messages between browsers that play without a server",
        description="Pass sealed messages between the browsers of a static site (docs/site.md). Every `notahat serve` "
        "does this as well. In brackets: the default, and the environment variable.",
        epilog="Only in the environment: NOTAHAT_BEHIND_PROXY; see docs/operate.md.",
    )
    parser.add_argument("--host", help="address to listen on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port to listen on, 0 for any free one (8000; NOTAHAT_PORT)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        settings = load_settings(arguments)
        listener = listen(settings)
    except ValueError as error:
        sys.stderr.write(f"notahat: {error}\n")
        return 2
    set_up_logs()
    server = make_server(settings)
    server.after_start = lambda port: announce(settings, port)
    signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn raises it again after a graceful stop
    try:
        server.run([listener])
    except KeyboardInterrupt:
        return 0
    return 0 if server.started else 1


def announce(settings: Settings, port: int) -> None:
    sys.stdout.write(f"The rendezvous is at http://{settings.host}:{port}\n")
    sys.stdout.flush()


def make_server(settings: Settings) -> Server:
    rendezvous = Rendezvous()
    quota = ConnectionQuota(connection_limit())
    config = uvicorn.Config(
        make_app(settings, rendezvous),
        http=guarded_protocol(HttpGuard(quota.http_limit)),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    return Server(config, rendezvous)


def make_app(settings: Settings, rendezvous: Rendezvous) -> Starlette:
    endpoint = RendezvousEndpoint(rendezvous, lambda request: request_address(request, settings.behind_proxy))
    routes = [
        Route(RENDEZVOUS_PATH, endpoint.get, methods=["GET"]),
        Route(RENDEZVOUS_PATH, endpoint.post, methods=["POST"]),
        Route("/healthz", get_health, methods=["GET"]),
    ]
    handlers = {Illegal: handle_refusal, HTTPException: handle_http_exception}
    return Starlette(routes=routes, exception_handlers=handlers)


async def get_health(_: Request) -> Response:
    return json_response(b'{"ok":true}')


async def handle_refusal(_: Request, error: Exception) -> Response:
    if not isinstance(error, Illegal):
        raise error
    return refuse(STATUS[error.reason], error.reason, error.detail)
