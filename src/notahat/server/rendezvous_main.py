"""`notahat rendezvous`: pass sealed messages between browsers, and nothing else."""

import argparse
import sys

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from notahat.server.http.app import handle_http_exception
from notahat.server.http.refusal import json_response
from notahat.server.http.rendezvous import RENDEZVOUS_PATH, Rendezvous, RendezvousEndpoint
from notahat.server.http.request_parts import request_address
from notahat.server.main import Server, make_accounts, serve, server_config
from notahat.server.ops.listen import listen
from notahat.server.ops.logs import set_up_logs
from notahat.server.settings import Settings, load_settings

GRACE_SECONDS = 1


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
    return serve(server, listener)


def announce(settings: Settings, port: int) -> None:
    sys.stdout.write(f"The rendezvous is at http://{settings.host}:{port}\n")
    sys.stdout.flush()


def make_server(settings: Settings) -> Server:
    accounts = make_accounts(settings)
    rendezvous = Rendezvous(accounts.mailboxes)
    app = make_app(settings, rendezvous)
    options = {"ws": "none", "lifespan": "off", "timeout_graceful_shutdown": GRACE_SECONDS}
    return Server(server_config(settings, app, accounts, **options), rendezvous)


def make_app(settings: Settings, rendezvous: Rendezvous) -> Starlette:
    endpoint = RendezvousEndpoint(rendezvous, lambda request: request_address(request, settings.behind_proxy))
    routes = [
        Route(RENDEZVOUS_PATH, endpoint.get, methods=["GET"]),
        Route(RENDEZVOUS_PATH, endpoint.post, methods=["POST"]),
        Route("/healthz", get_health, methods=["GET"]),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: handle_http_exception})


async def get_health(_: Request) -> Response:
    return json_response(b'{"ok":true}')
