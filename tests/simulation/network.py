"""Hostile, slow and silent clients beside honest ones, on the real connections, guard, accounts and rendezvous.

The network is simulated: what a client does not read waits in the server, and every frame takes processor time.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, count, islice, repeat
from socket import AF_INET
from types import SimpleNamespace
from typing import Any

import msgspec
from picows import WSMsgType
from starlette.responses import Response
from uvicorn import Config
from uvicorn.server import ServerState

from notahat.live.limits import RateLimit
from notahat.rules import Illegal
from notahat.server.http.guests import Guests
from notahat.server.http.rendezvous import PUTS, Rendezvous
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import UNSENT_BYTES
from notahat.server.limits.http_guard import HttpGuard, guarded_protocol
from notahat.server.limits.table_lookup import TableLookup
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.sockets.connection import GuestConnection
from notahat.server.sockets.socket_auth import SocketAuth
from notahat.server.sockets.upgrade import UpgradeRequest
from notahat.store import open_store
from simulation.world import World
from support.tables import guest

SECONDS = 6.0
ANSWER_SECONDS = 0.6  # for honest clients, whatever others do
FRAME_SECONDS = 1e-5  # processor time of a small frame on a slow machine
FRAMES_PER_READ = 680  # in 4 KiB
KERNEL_BYTES = 1 << 17
CONNECTIONS = 80  # a quarter of them for HTTP
HELD_BYTES = 4 << 20
MAILBOX_BYTES = 1 << 16
SOCKETS_PER_GUEST = 12
FILE = b"x" * 300_000
REQUEST = b"GET /file HTTP/1.1\r\nhost: x\r\n\r\n"
HOSTILE = "203.0.113.7"
PONG = SimpleNamespace(msg_type=WSMsgType.PONG, fin=True, rsv1=0, rsv2=0, rsv3=0, get_payload_as_bytes=lambda: b"")
FRAGMENT = SimpleNamespace(**(vars(PONG) | {"msg_type": WSMsgType.CONTINUATION, "fin": False}))


def text_frame(payload: bytes) -> SimpleNamespace:
    return SimpleNamespace(**(vars(PONG) | {"msg_type": WSMsgType.TEXT, "get_payload_as_bytes": lambda: payload}))


class Wire:
    """The transport of one connection. A client that `reads` gets everything later, the bytes of others wait here."""

    def __init__(self, network: "Network", address: str, receive: Callable[[bytes], None] | None) -> None:
        self._network = network
        self._address = address
        self._receive = receive
        self.waiting = 0
        self.closed = False
        self.protocol: Any = None
        network.wires[self] = None

    def get_extra_info(self, name: str, default: object = None) -> object:
        peer, own = (self._address, 1), ("192.0.2.1", 8000)
        socket = SimpleNamespace(
            setsockopt=lambda *_: None, getpeername=lambda: peer, getsockname=lambda: own, family=AF_INET
        )
        return {"socket": socket, "peername": peer, "sockname": own}.get(name, default)

    def write(self, data: bytes) -> None:
        if self._receive is not None:
            self._network.world.loop.main.call_later(self._network.world.delay(), self._receive, data)
            return
        self.waiting += len(data)
        if self.waiting > KERNEL_BYTES:
            self.protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return max(0, self.waiting - KERNEL_BYTES)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            del self._network.wires[self]
            self._network.process.call_later(0.0, self.protocol.connection_lost, None)

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_protocol(self) -> object:
        return self.protocol

    def set_write_buffer_limits(self, high: int) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


class Socket:
    """A WebSocket on a wire: picows' transport, as the server's connection uses it."""

    def __init__(self, network: "Network", connection: GuestConnection, wire: Wire) -> None:
        self.underlying_transport = wire
        self.request = self.response = SimpleNamespace(headers={})
        self.connection = connection
        self._network = network
        wire.protocol = self
        connection.on_ws_connected(self)  # type: ignore[arg-type]

    def send_reuse_external_bytearray(self, _: object, frame: bytearray, offset: int) -> None:
        self.underlying_transport.write(bytes(frame[offset:]))

    def send_close(self, *_: object) -> None:
        self.disconnect()

    def send_pong(self, message: bytes) -> None:
        self.underlying_transport.write(message)

    def disconnect(self, graceful: bool = False) -> None:  # noqa: ARG002
        self.underlying_transport.close()

    def connection_lost(self, _: object) -> None:
        self.connection.on_ws_disconnected(self)  # type: ignore[arg-type]

    def pause_writing(self) -> None:
        self.connection.pause_writing()

    def read(self, frames: Iterator[Any]) -> None:
        """Handle as many frames as one read of a socket gives; read again if there are more."""
        for frame in islice(frames, FRAMES_PER_READ):
            if self.underlying_transport.closed:
                return
            self._network.spend(FRAME_SECONDS)
            self.connection.on_ws_frame(self, frame)  # type: ignore[arg-type]
        if (more := next(frames, None)) is not None:
            self._network.process.call_later(0.0, self.read, chain((more,), frames))


class Network:
    """One server with everything between a byte on the wire and a room."""

    def __init__(self, world: World, url: str) -> None:
        self.world = world
        self.process = world.loop.process("server")
        self.wires: dict[Wire, None] = {}  # a set would have the order of their addresses in memory
        self._url = url

    async def start(self) -> None:
        clock, settings = self.world.loop.monotonic, Settings(store=self._url)
        store = await open_store(self._url)
        self.accounts = Accounts(CONNECTIONS, clock=clock)
        self.accounts.bytes.limit, self.accounts.mailboxes.limit = HELD_BYTES, MAILBOX_BYTES
        self.node, self.guests = Node(settings, store), Guests(store, clock)
        lookup = TableLookup(self.node, clock=clock)
        self.auth = SocketAuth(settings, self.node, self.guests, lookup, self.accounts)
        self.rendezvous = Rendezvous(self.accounts.mailboxes)
        self.rendezvous._put_limit = RateLimit(*PUTS, clock)
        self.code, _ = await self.node.open_table(guest("Ada"), {})
        self._http = guarded_protocol(HttpGuard(self.accounts))
        self._config = Config(Response(FILE), log_config=None, lifespan="off", ws="none")
        self._config.load()

    def spend(self, seconds: float) -> None:
        """Let the server's processor be busy."""
        now = self.world.loop.now
        self.process.suspended_until = max(now, self.process.suspended_until) + seconds

    async def socket(self, address: str, token: str, receive: Callable[[bytes], None] | None) -> Socket | None:
        """Open a socket; return None if it is refused."""
        headers = {"authorization": f"Bearer {token}"}
        answer = await self.auth.authorise(UpgradeRequest(f"/api/tables/{self.code}/socket", "", headers, address))
        if not isinstance(answer, GuestConnection):
            return None
        return Socket(self, answer, Wire(self, address, receive))

    def request(self, address: str, receive: Callable[[bytes], None] | None, sent: bytes = REQUEST) -> Wire:
        protocol: Any = self._http(self._config, ServerState(), {}, self.world.loop)  # type: ignore[call-arg]
        wire = Wire(self, address, receive)
        wire.protocol = protocol
        protocol.connection_made(wire)
        protocol.data_received(sent)
        return wire

    def check(self) -> None:
        """Fail if the server keeps more than it promises."""
        held = sum(wire.get_write_buffer_size() for wire in self.wires)
        if held > HELD_BYTES + UNSENT_BYTES.value:
            self.world.loop.fail("network", f"{held} bytes wait for clients that do not read")
        letters = sum(message.size for message in self.rendezvous._messages.values())
        if letters > MAILBOX_BYTES:
            self.world.loop.fail("network", f"the rendezvous keeps {letters} bytes")


async def play(network: Network, number: int) -> None:
    """Be an honest player with an address of their own: every command is answered soon, and nobody is cut off."""
    world, inbox = network.world, asyncio.Queue[bytes]()
    token = await network.guests.create_token()
    with world.laws.waiting(network.process, f"honest {number} connects", ANSWER_SECONDS):
        socket = await network.socket(f"198.51.100.{number}", token, inbox.put_nowait)
    if socket is None:
        world.loop.fail("network", "an honest player is refused")
        return
    for id_ in count():
        await asyncio.sleep(world.random.uniform(0.1, 0.5))
        fields = {"do": "rename", "name": f"Ann {id_}", "seat": 0} if id_ else {"do": "sit", "name": "Ann"}
        frames = iter((text_frame(msgspec.json.encode({"id": f"k{id_}", **fields})),))
        network.process.call_later(world.delay(), socket.read, frames)
        with world.laws.waiting(network.process, f"honest {number} sent a command", ANSWER_SECONDS):
            while f'"k{id_}"'.encode() not in await inbox.get():
                pass


async def fetch(network: Network, number: int) -> None:
    """Be an honest browser that loads files: every response is complete soon."""
    world = network.world
    while True:
        await asyncio.sleep(world.random.uniform(0.1, 0.5))
        received = asyncio.Queue[bytes]()
        wire, size = network.request(f"198.51.100.{number}", received.put_nowait), 0
        with world.laws.waiting(network.process, f"honest {number} loads a file", ANSWER_SECONDS):
            while size < len(FILE):
                size += len(await received.get())
        wire.close()


async def flood(network: Network, frame: SimpleNamespace) -> None:
    """Send frames that no message needs, from many sockets at once; come back when they are cut."""
    tokens = [await network.guests.create_token() for _ in range(4)]
    while True:
        sockets = [await network.socket(HOSTILE, token, None) for token in tokens * SOCKETS_PER_GUEST]
        for socket in sockets:
            if socket is not None:
                socket.connection._partial = b""
                network.process.call_later(0.0, socket.read, repeat(frame))
        await asyncio.sleep(0.5)


async def never_read(network: Network) -> None:
    """Hold sockets that are not read while their table changes again and again."""
    for _ in range(4):
        token = await network.guests.create_token()
        for _ in range(SOCKETS_PER_GUEST):
            await network.socket(HOSTILE, token, None)
    while True:
        for wire in tuple(network.wires):
            if isinstance(wire.protocol, Socket) and wire._receive is None:
                wire.protocol.connection.send(b"s" * 4000)
        await asyncio.sleep(0.05)


async def slow_readers(network: Network) -> None:
    """Ask for large files on one connection after another, and read nothing."""
    while True:
        network.request(HOSTILE, None, REQUEST * 3)
        await asyncio.sleep(0.01)


async def half_open(network: Network) -> None:
    """Begin a request on one connection after another, and end none."""
    while True:
        network.request(HOSTILE, None, REQUEST[:10])
        await asyncio.sleep(0.01)


async def fill_boxes(network: Network) -> None:
    """Leave letters from many addresses."""
    for number in count():
        with suppress(Illegal):
            network.rendezvous.put(f"{number % 500:032x}", "a" * 4000, f"203.0.113.{number // 20 % 250}")
        await asyncio.sleep(0.01)


ATTACKS: tuple[Callable[[Network], Any], ...] = (
    lambda network: flood(network, PONG),
    lambda network: flood(network, FRAGMENT),
    never_read,
    slow_readers,
    half_open,
    fill_boxes,
)


async def hostile_network(world: World, url: str) -> None:
    """Honest players and browsers beside one attack, or several."""
    network = Network(world, url)
    await network.process.spawn(network.start())
    chosen = world.random.sample(ATTACKS, world.random.choice((1, 1, 2, len(ATTACKS))))
    for number in range(1, 4):
        network.process.spawn(play(network, number))
        network.process.spawn(fetch(network, number))
    await asyncio.sleep(1.0)
    for attack in chosen:
        network.process.spawn(attack(network))
        world.faults += 1
    for _ in range(int(SECONDS / 0.1)):
        await asyncio.sleep(0.1)
        network.check()
