"""`notahat serve`, also plain `notahat`: run the server; and `notahat rendezvous`: run that alone."""

import argparse
import asyncio
import errno
import gc
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import segno
import uvicorn
from msgspec import structs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from notahat.ascii_fallback import is_unicode
from notahat.server.http.app import Api, handle_http_exception
from notahat.server.http.exchange import StripBasePath, json_response, request_address
from notahat.server.http.guests import Guests
from notahat.server.http.rendezvous import RENDEZVOUS_PATH, Rendezvous, RendezvousEndpoint
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.http_guard import HttpGuard, guarded_protocol
from notahat.server.limits.table_lookup import TableLookup
from notahat.server.node import Node
from notahat.server.ops.deploy_command import proxy_snippets
from notahat.server.ops.logs import set_up_logs
from notahat.server.ops.metrics import Health
from notahat.server.ops.metrics_endpoint import MetricsEndpoint, serve_metrics
from notahat.server.ops.resources import connection_limit, watch_resources
from notahat.server.ops.store_check import check_opening
from notahat.server.settings import MAX_PORT, Settings, add_store_options, exit_on, load_settings
from notahat.server.sockets.socket_auth import SocketAuth, watch_revocations
from notahat.server.sockets.upgrade import upgrade_protocol
from notahat.server.timers import Clock
from notahat.store import open_store

GRACE_SECONDS, RENDEZVOUS_GRACE_SECONDS = 5, 1
PREDICTABLE = "NOTAHAT_LUCK is set: every card is predictable, so use this for tests and demonstrations only\n"
CANNOT_REACH = """Phones in the same network scan this. If one does not get here:
- let port {port} through the firewall of this machine;
- put the phone into the same Wi-Fi, and not into one for guests: that keeps devices apart;
- docs/household.md says more, also about certificates.
"""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "serve",
        help="serve the game to browsers (this is what plain `notahat` does)",
        description="Serve the game to browsers. In brackets: the default, and the environment variable.",
        epilog="Only in the environment: NOTAHAT_BEHIND_PROXY, NOTAHAT_FRAME_ANCESTORS, NOTAHAT_GUESTS_PER_ADDRESS, "
        "NOTAHAT_HOUSE, NOTAHAT_KEEP_DAYS, NOTAHAT_LOG_LEVEL, NOTAHAT_METRICS_TOKEN, NOTAHAT_WEBHOOK, "
        "NOTAHAT_WEBHOOK_SECRET, and NOTAHAT_LUCK for "
        "tests; see docs/operate.md. The command line wins over the environment.",
    )
    add, flag = parser.add_argument, partial(parser.add_argument, default=None)
    add("--host", help="address to listen on (127.0.0.1; NOTAHAT_HOST)")
    add("--port", type=int, help="port to listen on, 0 for any free one (8000; NOTAHAT_PORT)")
    flag("--lan", action="store_true", help="listen on the whole local network, for phones (NOTAHAT_LAN)")
    add_store_options(parser)
    add("--public-url", metavar="URL", help="URL that people use, for links and QR codes (NOTAHAT_PUBLIC_URL)")
    add("--metrics", metavar="ADDRESS:PORT", help="serve Prometheus metrics on a port of their own (NOTAHAT_METRICS)")
    add("--pace", type=float, help="speed of clocks and computer players (1; NOTAHAT_PACE)")
    study = "ask players whether their rounds may be studied, and keep them if all agree (NOTAHAT_STUDY)"
    flag("--study", action="store_true", help=study)
    probe = "with --study, ask after this share of decisions what players believe (0; NOTAHAT_STUDY_PROBE)"
    add("--study-probe", type=float, metavar="SHARE", help=probe)
    flag("--no-browser", dest="browser", action="store_false", help="do not open a browser (NOTAHAT_BROWSER=no)")
    parser.set_defaults(run=run)
    _add_rendezvous(commands)


def run(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError):
        settings = load_settings(arguments)
        asyncio.run(check_opening(settings))
        listener, metrics_listener = listen(settings), listen_for_metrics(settings)
    settings = with_actual_port(settings, listener.getsockname()[1])
    set_up_logs(settings.log_level)
    server = make_server(settings, metrics_listener=metrics_listener)
    server.after_start = partial(announce, settings)
    gc.collect()
    gc.freeze()  # the objects of the start
    gc.set_threshold(20_000, 20, 50)  # immutable values make no cycles
    return serve(server, listener)


def serve(server: "Server", listener: socket.socket) -> int:
    """Run a server until it is stopped, and return the exit code."""
    # uvicorn stops gracefully and then raises the signal again, which would turn exit code 0 into an error
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        server.run([listener])
    except KeyboardInterrupt:
        return 0
    if server.announce_error is not None:
        raise server.announce_error
    return 0 if server.started else 1


def with_actual_port(settings: Settings, port: int) -> Settings:
    """Return the settings with the port that is in use, and with a public URL for `--lan`."""
    lan = f"http://{lan_address()}:{port}" if settings.lan else ""
    return structs.replace(settings, port=port, public_url=settings.public_url or lan)


class Server(uvicorn.Server):
    """A uvicorn server that calls `after_start` with its port, and closes the rendezvous before it stops."""

    after_start: Callable[[int], None] = staticmethod(lambda _: None)
    announce_error: OSError | None = None

    def __init__(self, config: uvicorn.Config, rendezvous: Rendezvous) -> None:
        super().__init__(config)
        self._rendezvous = rendezvous

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._rendezvous.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        try:
            self.after_start(self.port)
        except OSError as error:  # the standard output is full or closed: stop gracefully, then raise it
            self.announce_error, self.should_exit = error, True

    @property
    def port(self) -> int:
        """The port in use, also where the settings say 0 for any."""
        return int(self.servers[0].sockets[0].getsockname()[1])


def make_server(
    settings: Settings, clock: Clock | None = None, metrics_listener: socket.socket | None = None
) -> Server:
    accounts = make_accounts(settings)
    rendezvous = Rendezvous(accounts.mailboxes)
    app = make_app(settings, clock, accounts, rendezvous, metrics_listener)
    outer = app if settings.base_path == "/" else StripBasePath(app, settings.base_path)
    ws = upgrade_protocol(lambda request: app.state.socket_auth.authorise(request))
    options = {"ws": ws, "lifespan": "on", "timeout_graceful_shutdown": GRACE_SECONDS}
    return Server(server_config(settings, outer, accounts, **options), rendezvous)


def make_accounts(settings: Settings) -> Accounts:
    speed = max(1.0, settings.pace)  # where clocks are faster, so are the players
    return Accounts(connection_limit(), speed, settings.guests_per_address)


def server_config(settings: Settings, app: ASGIApp, accounts: Accounts, **options: Any) -> uvicorn.Config:
    """Return what all our servers have in common: guarded HTTP, and neither logs nor headers of uvicorn."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=guarded_protocol(HttpGuard(accounts, settings.behind_proxy)),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        **options,
    )


def make_app(
    settings: Settings,
    clock: Clock | None,
    accounts: Accounts,
    rendezvous: Rendezvous,
    metrics_listener: socket.socket | None,
) -> Starlette:
    """Return an app that opens everything at start, inside the server's loop, and closes it at stop."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings.store_url)
        node, guests = Node(settings, store, clock), Guests(store)
        node.metrics.accounts = accounts
        node.metrics.folder = None if settings.sqlite_file is None else settings.sqlite_file.parent
        lookup = TableLookup(node, settings.pace)
        health = Health(store)
        metrics_endpoint = MetricsEndpoint(node, health, settings.metrics_token)
        api = Api(settings, node, guests, lookup, health, metrics_endpoint, rendezvous, accounts)
        app.router.routes.extend(api.routes())
        app.state.socket_auth = SocketAuth(settings, node, guests, lookup, accounts)
        jobs = [node.maintain(), watch_resources(settings), watch_revocations(node, guests, settings.pace)]
        if node.webhook is not None:
            jobs.append(node.webhook.run())
        background = [asyncio.get_running_loop().create_task(job) for job in jobs]
        try:
            async with serve_metrics(metrics_listener, metrics_endpoint):
                yield
        finally:
            for task in background:
                task.cancel()
            await node.close()
            await store.close()

    return Starlette(lifespan=lifespan, exception_handlers={HTTPException: handle_http_exception})


def announce(settings: Settings, port: int) -> None:
    """Print where the server runs, and open a browser there."""
    everywhere = settings.host in ("::", "0.0.0.0")  # noqa: S104
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{'127.0.0.1' if everywhere else host}:{port}"
    sys.stdout.write(f"Not a Hat is at {url}\n")
    if settings.public_url:
        sys.stdout.write(f"and for everyone else at {settings.public_url}\n")
    if settings.public_url.startswith("https://") and not settings.behind_proxy:
        sys.stdout.write(proxy_snippets(settings.public_url, port))
    if settings.luck is not None:
        sys.stdout.write(PREDICTABLE)
    if settings.lan:
        # the compact QR code consists of half blocks, the other of spaces and colours
        compact = is_unicode(sys.stdout.encoding)
        segno.make(settings.public_url, error="m").terminal(sys.stdout, compact=compact)
        sys.stdout.write(CANNOT_REACH.format(port=port))
    sys.stdout.flush()
    if settings.browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def lan_address() -> str:
    """Return this machine's address in its network. Nothing is sent: connecting a UDP socket only picks a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


FIRST_UNPRIVILEGED_PORT = 1024


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the port; raise `ValueError` with advice if that fails."""
    try:
        return _listen(settings.host, settings.port)
    except OSError as error:
        advice = port_advice(settings, error)
        raise ValueError(f"cannot listen on {settings.host}:{settings.port}: {advice}") from None


def listen_for_metrics(settings: Settings) -> socket.socket | None:
    """Return a socket for metrics, if they have a port of their own; raise `ValueError` if that fails."""
    address = settings.metrics_address
    if address is None:
        return None
    try:
        return _listen(*address)
    except OSError as error:
        message = f"cannot serve metrics at {settings.metrics}: {_cause(error)}"
        raise ValueError(f"{message}; choose another address with --metrics") from None


def _listen(host: str, port: int) -> socket.socket:
    if ":" not in host:
        return socket.create_server((host, port))
    return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=socket.has_dualstack_ipv6())


def _cause(error: OSError) -> str:
    return (error.strerror or "").partition(" (while")[0]  # `create_server` adds the address


def port_advice(settings: Settings, error: OSError) -> str:
    """Return what to do if the port cannot be used."""
    match error.errno:
        case errno.EADDRINUSE:
            near = settings.port + 1 if settings.port < MAX_PORT else settings.port - 1
            return f"the port is in use; choose another with --port {near} (or NOTAHAT_PORT), or any with --port 0"
        case errno.EACCES:
            return f"ports below {FIRST_UNPRIVILEGED_PORT} need administrator rights; choose another with --port"
        case _:
            return f"{_cause(error)}; choose another address with --host"


def _add_rendezvous(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "rendezvous",
        help="pass sealed messages between browsers that play without a server",
        description="Pass sealed messages between the browsers of a static site (docs/site.md). Every `notahat serve` "
        "does this as well. In brackets: the default, and the environment variable.",
        epilog="Only in the environment: NOTAHAT_BEHIND_PROXY; see docs/operate.md.",
    )
    parser.add_argument("--host", help="address to listen on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port to listen on, 0 for any free one (8000; NOTAHAT_PORT)")
    parser.set_defaults(run=run_rendezvous)


def run_rendezvous(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError):
        settings = load_settings(arguments)
        listener = listen(settings)
    set_up_logs(settings.log_level)
    server = rendezvous_server(settings)
    server.after_start = lambda port: print(f"The rendezvous is at http://{settings.host}:{port}", flush=True)
    return serve(server, listener)


def rendezvous_server(settings: Settings) -> Server:
    """Return a server that passes sealed messages between browsers, and nothing else."""

    async def get_health(_: Request) -> Response:
        return json_response(b'{"ok":true}')

    accounts = make_accounts(settings)
    rendezvous = Rendezvous(accounts.mailboxes)
    endpoint = RendezvousEndpoint(rendezvous, lambda request: request_address(request, settings.behind_proxy))
    routes = [
        Route(RENDEZVOUS_PATH, endpoint.get, methods=["GET"]),
        Route(RENDEZVOUS_PATH, endpoint.post, methods=["POST"]),
        Route("/healthz", get_health, methods=["GET"]),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: handle_http_exception})
    options = {"ws": "none", "lifespan": "off", "timeout_graceful_shutdown": RENDEZVOUS_GRACE_SECONDS}
    return Server(server_config(settings, app, accounts, **options), rendezvous)
