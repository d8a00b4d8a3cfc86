"""Servers, guests and the connections between them."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from notahat.gifts import catalogue
from notahat.live.requests import Connect, Disconnect, Submit
from notahat.live.room import Room
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.store import Commit, Unavailable, open_store
from notahat.wire.messages import decode_frame
from simulation.laws import Laws
from simulation.loop import Process, VirtualLoop
from support.tables import guest

Message = dict[str, Any]

GIFTS = sorted(catalogue())
NETWORK_SECONDS = 0.05
CRASH_NOTICED_SECONDS = 1.0
MAY_CHANGE_NOTHING = ("ready", "again")  # acknowledged without an entry if the same happened before


class ConnectionLost(Exception):  # noqa: N818
    """The other side is gone."""


class Server:
    """One server process with the real node and the real store. After a crash it is started as another process."""

    def __init__(self, world: "World", name: str, url: Callable[[], str]) -> None:
        self.world = world
        self.name = name
        self._url = url
        self._starts = 0
        self._calls: dict[asyncio.Future[Any], Process] = {}
        self.links: list[Link] = []
        self.start()

    def start(self) -> None:
        self._starts += 1
        self.node: Node | None = None
        self.process = self.world.loop.process(f"{self.name}.{self._starts}")
        self.world.laws.servers[self.process] = self
        self.process.spawn(self._run())

    async def _run(self) -> None:
        while True:
            try:
                store = await open_store(self._url())
                break
            except Unavailable:
                await asyncio.sleep(0.5)
        self.node = Node(Settings(store=self._url()), store)
        await self.node.maintain()

    @property
    def rooms(self) -> dict[UUID, Room]:
        return {} if self.node is None or not self.process.alive else self.node.host.rooms

    def kill(self) -> None:
        self.world.loop.trace(f"kill {self.process.name}")
        self.process.kill()
        links, self.links = self.links, []
        self.world.laws.killed(links)
        for link in links:
            link.client.call_later(self.world.random.uniform(0, CRASH_NOTICED_SECONDS), link.arrive, None)
        calls, self._calls = self._calls, {}
        for answer, client in calls.items():
            client.call_later(CRASH_NOTICED_SECONDS, _lose, answer)

    async def call(self, client: Process, work: Callable[[Node], Awaitable[Any]]) -> Any:
        """Send a request from a client; raise `ConnectionLost` if there is no answer because of a crash."""
        answer: asyncio.Future[Any] = self.world.loop.create_future()
        self._calls[answer] = client

        async def respond() -> None:
            result: Any = ConnectionLost()
            if self.node is not None:
                try:
                    result = await work(self.node)
                except Unavailable as error:
                    result = error
            client.call_later(self.world.delay(), self._answer, answer, result)

        if self.process.alive:
            self.process.call_later(self.world.delay(), lambda: self.process.spawn(respond()))
        else:
            client.call_later(CRASH_NOTICED_SECONDS, _lose, answer)
        return await answer

    def _answer(self, answer: "asyncio.Future[Any]", result: Any) -> None:
        if self._calls.pop(answer, None) is None or answer.done():
            return
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)


def _lose(answer: "asyncio.Future[Any]") -> None:
    if not answer.done():
        answer.set_exception(ConnectionLost())


class Link:
    """A guest's connection: messages arrive late and in order, and those under way are lost when it breaks."""

    def __init__(self, world: "World", client: "Client", server: Server, changes: bool, seen: int) -> None:
        self.table = client.table or world.table
        self.guest = guest(client.name)
        self.name = client.name
        self.client = client.process
        self.server = server
        self.process = server.process
        self.inbox: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: closed
        self.opened = False
        self.since = 0.0
        self.version = seen  # of the last state that was sent, or that the guest has seen before
        self._world = world
        self._changes = changes
        self._cut = False
        self._up_at = self._down_at = 0.0

    async def open(self) -> bool:
        async def connect(node: Node) -> bool:
            if await node.room(self.table, self.version) is None or self._cut:
                return False
            self.opened, self.since = True, self._world.loop.now
            self.server.links.append(self)
            self._world.laws.joined(self)
            node.handle(Connect(self.table, self, self._changes), self.guest)
            return True

        return bool(await self.server.call(self.client, connect))

    def request(self, frame: bytes) -> None:
        self._up_at = max(self._up_at, self._world.loop.now + self._world.delay())
        self.process.call_later(self._up_at - self._world.loop.now, self._receive, frame)

    def cut(self) -> None:
        """The guest's side breaks the connection; the server notices later."""
        self._cut = True
        self.process.call_later(self._world.delay(), self._leave)

    def arrive(self, message: bytes | None) -> None:
        if not self._cut:
            self._cut = message is None
            self.inbox.put_nowait(message)

    # the server's side

    def send(self, message: bytes) -> None:
        self._world.laws.sent(self, message)
        self._down(message)

    def close(self, code: int, reason: str = "") -> None:
        self._world.loop.trace(f"close {self.name} {code} {reason}")
        self._down(None)
        self.process.call_later(0.0, self._leave)

    def _down(self, message: bytes | None) -> None:
        self._down_at = max(self._down_at, self._world.loop.now + self._world.delay())
        self.client.call_later(self._down_at - self._world.loop.now, self.arrive, message)

    def _receive(self, frame: bytes) -> None:
        node = self.server.node
        if self.opened and node is not None:
            node.handle(Submit(self.table, self, *decode_frame(frame)), self.guest)  # type: ignore[arg-type]

    def _leave(self) -> None:
        opened, self.opened = self.opened, False
        if opened and self.server.node is not None:
            self.server.links.remove(self)
            self._world.laws.left(self)
            self.server.node.handle(Disconnect(self.table, self), self.guest)


class Client:
    """A guest who reconnects to any server, and sends a command again with the same id until it is answered.

    `refuses` is the probability to refuse a gift; None for a spectator, 0 for guests who open no gift at all.
    """

    def __init__(self, world: "World", name: str, refuses: float | None) -> None:
        self.world = world
        self.name = name
        self.process = world.loop.process(name)
        self.random = Random(f"{name} {world.seed}")
        self.link: Link | None = None
        self.home: Server | None = None  # the only server that this guest reaches, unless any
        self.table: UUID | None = None  # if it is not the world's
        self.away_until = 0.0
        self.slowest = 2.0  # seconds until the next command
        self._refuses = refuses
        self._commands = 0
        self._seen = 0  # the newest version
        self._pending: tuple[str, bytes] | None = None
        self.process.spawn(self._run())

    def waits_for(self, what: str) -> str:
        """Return the key of the command of this kind that has no answer yet, or nothing."""
        id_, frame = self._pending or ("", b"")
        return f"{guest(self.name).hex}:{id_}" if f'"{what}"'.encode() in frame else ""

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(max(self.random.uniform(0.1, 1.0), self.away_until - self.world.loop.now))
            server = self.home or self.random.choice(self.world.servers)
            link = Link(self.world, self, server, self._refuses is None, self._seen)
            try:
                with self.world.laws.waiting(link.process, f"{self.name} connects"):
                    opened = await link.open()
                if opened:
                    self.link = link
                    await self._play(link)
            except (ConnectionLost, Unavailable):
                link.cut()
            self.link = None

    async def _play(self, link: Link) -> None:
        state = await self._next_state(link, {})
        while True:
            if self._pending is None:
                if self._choose(state) is None:
                    state = await self._next_state(link, state)
                    continue
                await asyncio.sleep(self.random.uniform(0.2, self.slowest))
                while not link.inbox.empty():
                    state = await self._next_state(link, state)
                if (fields := self._choose(state)) is None:
                    continue
                self._commands += 1
                id_ = f"v{self._seen}.k{self._commands}"
                self._pending = id_, msgspec.json.encode({"id": id_, **fields})
                if fields["do"] in MAY_CHANGE_NOTHING:
                    self.world.laws.may_change_nothing.add(f"{link.guest.hex}:{id_}")
            state = await self._send(link, state, *self._pending)
            self._pending = None

    async def _send(self, link: Link, state: Message, id_: str, frame: bytes) -> Message:
        """Send a command, sometimes twice, and wait for its answer; return the newest state."""
        for _ in range(self.random.choice((1, 1, 1, 2))):
            link.request(frame)
        with self.world.laws.waiting(link.process, f"{self.name} sent {frame.decode()}"):
            while True:
                message = await self._next(link)
                state = message if "view" in message else state
                if id_ in (message.get("ack"), message.get("no")):
                    return state

    async def _next_state(self, link: Link, state: Message) -> Message:
        """Return the next state, or the last one if the next message is another answer to a repeated command."""
        message = await self._next(link)
        return message if "view" in message else state

    async def _next(self, link: Link) -> Message:
        message = await link.inbox.get()
        if message is None:
            raise ConnectionLost
        self.world.received.append((self.world.loop.now, self.name, message))
        self.world.loop.trace(f"receives {message.decode()}")
        decoded: Message = msgspec.json.decode(message)
        self._seen = max(self._seen, decoded.get("v", 0))
        return decoded

    def _choose(self, state: Message) -> dict[str, object] | None:
        """Return a command that is permitted now, or None."""
        if self._refuses is None:
            return None
        offers = {one["do"]: one for one in state["may"]}
        if not state["you"]:
            return {"do": "sit", "name": self.name} if "sit" in offers else None
        return self._move(state, offers) or self._prepare(state["view"], offers)

    def _move(self, state: Message, offers: dict[str, Message]) -> dict[str, object] | None:
        """Return a move. A guest may hold two seats: one whose answer was lost may choose to sit down again."""
        due = next((do for do in ("give", "accept", "draw") if do in offers), None)
        if due is None:
            return None
        move: dict[str, object] = {"do": due, "turn": state["view"]["round"]["turn"], "seat": offers[due]["seat"]}
        if due == "give":
            return move | {"claim": self.random.choice(GIFTS), "to": self.random.choice(offers["give"]["to"])}
        if due == "accept" and self.random.random() < (self._refuses or 0.0):
            return move | {"do": "refuse"}
        return move

    def _prepare(self, view: Message, offers: dict[str, Message]) -> dict[str, object] | None:
        people = len(self.world.players)
        if "add_bot" in offers and len(view["seats"]) == people:
            return {"do": "add_bot", "level": "casual"}
        if "start" in offers and view["stage"] == "lobby" and len(view["seats"]) > people:
            return {"do": "start"}
        if "sit_in" in offers and self._refuses and self.random.random() < 0.1:
            return {"do": "sit_in", "seat": offers["sit_in"]["seats"][0]}
        for simple in ("ready", "again"):
            if simple in offers:
                return {"do": simple}
        if "rename" in offers and self.random.random() < 0.2:
            return {"do": "rename", "name": f"{self.name} {self._commands}", "seat": offers["rename"]["seat"]}
        return None


class Rival(Client):
    """A guest who renames their seat again and again, on one server, while others do the same on another."""

    def __init__(self, world: "World", name: str, home: Server, table: UUID) -> None:
        super().__init__(world, name, 0.0)
        self.home, self.table, self.slowest = home, table, 8.0

    def _choose(self, state: Message) -> dict[str, object] | None:
        return {"do": "rename", "name": f"{self.name} {self._commands}"} if state["you"] else super()._choose(state)


class World:
    """Everything of one run."""

    def __init__(self, loop: VirtualLoop, seed: str, read_log: Callable[[UUID, int], list[Commit]]) -> None:
        self.seed = seed
        self.loop = loop
        self.faults = 0
        self.random = Random(f"world {seed}")
        self.servers: list[Server] = []
        self.players: list[Client] = []
        self.table = UUID(int=0)
        self.received: list[tuple[float, str, bytes]] = []
        self.laws = Laws(loop, read_log)

    def delay(self) -> float:
        return self.random.uniform(0, NETWORK_SECONDS)

    async def until(self, condition: Callable[[], bool], seconds: float, otherwise: str) -> None:
        """Wait for a condition; break a law if it does not hold in time."""
        deadline = self.loop.now + seconds
        while not condition():
            if self.loop.now > deadline:
                return self.loop.fail("recovery", otherwise)
            await asyncio.sleep(0.25)
        return None
