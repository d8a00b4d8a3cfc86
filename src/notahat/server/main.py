"""`notahat serve`, also plain `notahat`: one command, and people can play."""

import argparse
import asyncio
import gc
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import segno
import uvicorn
from msgspec import structs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from notahat.ascii_fallback import knows_all_letters
from notahat.server.clock import Clock
from notahat.server.http.app import Api, http_no
from notahat.server.http.guests import Guests
from notahat.server.limits.connection_quota import Crowd, room_for_connections
from notahat.server.limits.http_guard import Callers, reception
from notahat.server.limits.table_lookup import Doorman
from notahat.server.node import Node
from notahat.server.ops.health import Health
from notahat.server.ops.logs import set_up_logs
from notahat.server.ops.metrics_endpoint import Figures, told_at
from notahat.server.ops.preflight import listen, listen_for_metrics, try_store
from notahat.server.settings import Settings, add_store_options, settled
from notahat.server.sockets.socket_auth import Upgrade
from notahat.server.sockets.upgrade import Connection, TurnedAway, Visit, door
from notahat.store import open_store

GRACE_SECONDS = 5
LUCK_IS_KNOWN = "NOTAHAT_LUCK is set: whoever knows it knows every card, so this is for tests and demonstrations\n"
CANNOT_REACH = """Phones in the same network scan this. If one does not get here:
- let port {port} through the firewall of this machine;
- put the phone into the same Wi-Fi, and not into one for guests: that keeps devices apart;
- docs/household.md says more, also about certificates.
"""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "serve",
        help="serve the game to browsers (this is what plain `notahat` does)",
        description="Serve the game to browsers. In brackets: the usual value, and the name in the environment.",
        epilog="In the environment only: NOTAHAT_BEHIND_PROXY, NOTAHAT_GUESTS_PER_ADDRESS, NOTAHAT_KEEP_DAYS, "
        "NOTAHAT_METRICS_TOKEN, and NOTAHAT_LUCK for tests; docs/operate.md says what they mean. The command line wins "
        "over the environment.",
    )
    parser.add_argument("--host", help="address to listen on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port to listen on, 0 for any that is free (8000; NOTAHAT_PORT)")
    parser.add_argument(
        "--lan", action="store_true", default=None, help="for phones on the same network: listen for all (NOTAHAT_LAN)"
    )
    add_store_options(parser)
    parser.add_argument(
        "--public-url", metavar="URL", help="what people type to get here, for links and QR codes (NOTAHAT_PUBLIC_URL)"
    )
    parser.add_argument(
        "--metrics", metavar="ADDRESS:PORT", help="tell Prometheus how it goes, at a port of its own (NOTAHAT_METRICS)"
    )
    parser.add_argument(
        "--pace", type=float, help="how many times faster clocks and computer players are (1; NOTAHAT_PACE)"
    )
    parser.add_argument(
        "--study",
        action="store_true",
        default=None,
        help="ask people whether what they remembered may be studied, and keep it if all agree (NOTAHAT_STUDY)",
    )
    parser.add_argument(
        "--no-browser", dest="browser", action="store_false", default=None, help="open no browser (NOTAHAT_BROWSER=no)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        settings = settled(arguments)
        asyncio.run(try_store(settings))
        listening, beside = listen(settings), listen_for_metrics(settings)
    except ValueError as problem:
        sys.stderr.write(f"notahat: {problem}\n")
        return 2
    settings = reachable(settings, listening.getsockname()[1])
    set_up_logs()
    server = make_server(settings, beside=beside)
    server.after_start = partial(announce, settings)
    spare_the_collector()
    # uvicorn stops gracefully and then raises the signal once more, which would make a good end look like a bad one
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        server.run([listening])
    except KeyboardInterrupt:
        return 0
    if server.unheard is not None:
        raise server.unheard
    return 0 if server.started else 1


def reachable(settings: Settings, port: int) -> Settings:
    """The settings once the port is known; in a network of phones, with the address that they are told."""
    lan = f"http://{own_address()}:{port}" if settings.lan else ""
    return structs.replace(settings, port=port, public_url=settings.public_url or lan)


class Server(uvicorn.Server):
    """Uvicorn, which says when people can come."""

    after_start: Callable[[int], None] = staticmethod(lambda _: None)
    unheard: OSError | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        try:
            self.after_start(self.port)
        except OSError as problem:  # the standard output is full or gone: close in good order, then say so
            self.unheard, self.should_exit = problem, True

    @property
    def port(self) -> int:
        """Where we really listen: port 0 takes any that is free."""
        return int(self.servers[0].sockets[0].getsockname()[1])


def spare_the_collector() -> None:
    """What is loaded by now stays, and values that never change make no cycles: look for rubbish less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def make_server(settings: Settings, clock: Clock | None = None, beside: socket.socket | None = None) -> Server:
    crowd = Crowd(room_for_connections())
    app = make_app(settings, clock, crowd, beside)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=reception(Callers(crowd.callers)),
        ws=door(partial(greet_at, app)),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return Server(config)


def make_app(settings: Settings, clock: Clock | None, crowd: Crowd, beside: socket.socket | None) -> Starlette:
    """Everything is opened when the server starts, inside its loop, and closed when it stops."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await open_store(settings.store_url)
        node, guests = Node(settings, store, clock), Guests(store)
        doorman = Doorman(node, settings.pace)
        health = Health(store)
        figures = Figures(node, health, settings.metrics_token)
        api = Api(settings, node, guests, doorman, health, figures)
        app.router.routes.extend(api.routes())
        app.state.upgrade = Upgrade(settings, node, guests, doorman, crowd)
        keeper = asyncio.get_running_loop().create_task(node.keep())
        try:
            async with told_at(beside, figures):
                yield
        finally:
            keeper.cancel()
            await api.press.close()
            await node.close()
            await store.close()

    return Starlette(lifespan=lifespan, exception_handlers={HTTPException: http_no})


async def greet_at(app: Starlette, visit: Visit) -> Connection | TurnedAway:
    upgrade: Upgrade = app.state.upgrade
    return await upgrade.greet(visit)


def announce(settings: Settings, port: int) -> None:
    everywhere = settings.host in ("::", "0.0.0.0")  # noqa: S104
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    here = f"http://{'127.0.0.1' if everywhere else host}:{port}"
    sys.stdout.write(f"Not a Hat is at {here}\n")
    if settings.public_url:
        sys.stdout.write(f"and for everyone else at {settings.public_url}\n")
    if settings.luck is not None:
        sys.stdout.write(LUCK_IS_KNOWN)
    if settings.lan:
        # the compact one is made of half blocks, the other of spaces and colours
        compact = knows_all_letters(sys.stdout.encoding)
        segno.make(settings.public_url, error="m").terminal(sys.stdout, compact=compact)
        sys.stdout.write(CANNOT_REACH.format(port=port))
    sys.stdout.flush()
    if settings.browser:
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()


def own_address() -> str:
    """The address of this machine in its network. Nothing is sent: the socket only picks the way it would take."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
