"""One server process: drives a host with store, timers and tasks, and decides nothing itself."""

import asyncio
import logging
import secrets
import zlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol
from uuid import UUID, uuid4

from msgspec import Struct

from notahat.live.connections import SERVICE_RESTART
from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.determinism import Determinism
from notahat.live.effects import (
    Append,
    Close,
    CommandOutcome,
    Effect,
    Load,
    ReadLog,
    Reply,
    SaveSnapshot,
    Send,
    Unload,
    Wake,
)
from notahat.live.host import Host
from notahat.live.presence import NOBODY
from notahat.live.requests import Connect, Disconnect, Open, Request, Time
from notahat.live.room import Room
from notahat.live.settings import RoomSettings
from notahat.rules import Illegal
from notahat.server.clock import Clock
from notahat.server.confusables import name_keys
from notahat.server.log_reader import LogReader
from notahat.server.ops.logs import RareWarning, StoreWarning
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import A_DAY, Settings
from notahat.server.table_codes import LENGTH, MAX_LENGTH, new_code
from notahat.server.timers import Timers
from notahat.server.webhook import RETRY_SECONDS, Webhook
from notahat.store import Commit, Conflict, Store, Unavailable
from notahat.table import Unknown
from notahat.table.snapshot import SNAPSHOT_SCHEMA
from notahat.wire.reasons import ServerReason

LEASE_SECONDS = 20.0
MAINTENANCE_SECONDS = 5.0
LINGER_SECONDS = 10.0
CLEAN_SECONDS = 3600.0
MAX_HOUSE_DELAY = 0.4
MAX_CODE_ATTEMPTS = 40
REPLY_SECONDS = 30.0

log = logging.getLogger("notahat")


class Connection(Protocol):
    """What a node needs of a guest's connection."""

    def __hash__(self) -> int: ...
    def send(self, message: bytes) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...


class Subscription(Struct, eq=False):
    """What other nodes report about a table: the newest version that they announced, and the guests there."""

    used_at: float
    announced: int = 0
    guests: frozenset[UUID] = NOBODY
    refreshing: bool = False
    stop: Callable[[], None] = lambda: None


class Node:
    """The driver of one host."""

    def __init__(self, settings: Settings, store: Store, clock: Clock | None = None) -> None:
        self.store = store
        self.metrics = Metrics()
        self.closing = False
        self._clock = clock or Clock()
        self._now = self._clock.monotonic
        self._keep_days = settings.keep_days
        self._name = secrets.token_hex(6)
        # nodes that share a PostgreSQL wait for different times, so that they do not all send the same house command
        alone = settings.store_url.startswith("sqlite:")
        delay = 0.0 if alone else zlib.crc32(self._name.encode()) / 2**32 * MAX_HOUSE_DELAY / settings.pace
        determinism = Determinism.seeded(settings.luck)
        rooms = RoomSettings(speed=settings.pace, stagger=delay, determinism=determinism, name_keys=name_keys)
        self.host = Host[UUID](rooms, study=settings.study, probe=settings.study_probe)
        self._subscriptions: dict[UUID, Subscription] = {}
        self._loading: dict[UUID, asyncio.Task[None]] = {}
        self._replies: dict[object, asyncio.Future[Any]] = {}
        self.log_reader = LogReader(store)
        speed = max(1.0, settings.pace)
        self.webhook = (
            Webhook(settings.webhook, settings.webhook_secret, RETRY_SECONDS / speed) if settings.webhook else None
        )
        self.store_warning = StoreWarning()
        self._load_warning = RareWarning("table cannot be opened")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers = Timers[UUID](self._now, self._wake)

    @property
    def tables(self) -> int:
        """Tables with connections. A table that was only looked up does not count: it would reveal its code."""
        return sum(1 for room in self.host.rooms.values() if room.connections)

    @property
    def sockets(self) -> int:
        return sum(len(room.connections) for room in self.host.rooms.values())

    def handle(self, request: Request[UUID], guest: UUID | None = None) -> None:
        """Handle a request and carry out its effects."""
        if self.closing and type(request) is Connect:
            return self._close(Close(request.connection, SERVICE_RESTART, ServerReason.GOING_AWAY.value))
        self._execute(request.table, self.host.handle(request, guest, self._now()))
        if type(request) is Connect or type(request) is Disconnect:
            self._publish_presence(request.table)
        return None

    async def ask(self, request: Request[UUID], guest: UUID | None) -> Any:
        """Handle a request and return the reply. Raise `Illegal` for a refusal, `Unavailable` without an answer."""
        reply = self._replies[request] = asyncio.get_running_loop().create_future()
        try:
            self.handle(request, guest)
            return await asyncio.wait_for(reply, REPLY_SECONDS)
        except TimeoutError:
            raise Unavailable("try again in a moment") from None
        finally:
            del self._replies[request]

    async def open_table(
        self, host: UUID, options: dict[str, object], screen: bool = False, day: str | None = None
    ) -> tuple[str, UUID]:
        """Open a table and return its code and id; raise `Illegal` for bad options."""
        id_ = uuid4()
        for attempt in range(MAX_CODE_ATTEMPTS):
            code = new_code(LENGTH + attempt * (MAX_LENGTH - LENGTH + 1) // MAX_CODE_ATTEMPTS)
            opening = Open(id_, code, options, self._clock.time(), screen, day)
            match self.host.handle(opening, host, self._now()):
                case [Append() as append]:
                    if await self.store.create_alias(code, id_):
                        await self.store.append(id_, append.version, append.entry, append.key)
                        log.info("table opened", extra={"table": str(id_)})
                        return code, id_
                case [Reply(result=Illegal() as illegal)]:
                    raise illegal
        raise Unavailable("no free table code")

    async def room(self, id_: UUID, version: int = 0) -> Room | None:
        """Return the room of a table, loaded if need be; None if there is no such table.

        A guest who has seen a `version` on another node must not see an older one here.
        """
        if id_ not in self.host.rooms:
            await asyncio.shield(self._load(id_))
        room = self.host.rooms.get(id_)
        if room is not None:
            self._subscriptions[id_].used_at = self._now()
            if room.table.version < version:
                await self._read_new_commits(id_, room)
        return room

    def _load(self, id_: UUID) -> "asyncio.Task[None]":
        """Load a table, once even if many requests come at the same time."""
        task = self._loading.get(id_)
        if task is None:
            task = self._loading[id_] = asyncio.get_running_loop().create_task(self._read_table(id_))
            task.add_done_callback(partial(self._on_loaded, id_))
        return task

    def _on_loaded(self, id_: UUID, task: "asyncio.Task[None]") -> None:
        self._loading.pop(id_, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Unavailable | Unknown):
            self._load_warning.log(str(id_), table=str(id_), error=str(error))
        elif error is not None:
            log.error("table cannot be opened", exc_info=error)
        if id_ not in self.host.rooms:
            self._unsubscribe(id_)
            self._execute(id_, self.host.not_loaded(id_, ServerReason.BUSY))

    async def _read_table(self, id_: UUID) -> None:
        subscription = self._subscriptions[id_] = Subscription(self._now())
        on_version, on_presence = partial(self._on_version, id_), partial(self._on_presence, id_)
        subscription.stop = self.store.subscribe(id_, on_version, on_presence)
        snapshot = await self.store.snapshot(id_)
        if snapshot is not None and snapshot.schema != SNAPSHOT_SCHEMA:
            snapshot = None
        commits = await self.store.read(id_, max(0, snapshot.version - DEDUP_ENTRIES) if snapshot else 0)
        if commits:
            await self.store.refresh_presence(id_)  # a guest's first view must show who is connected to other nodes
        state = (snapshot.schema, snapshot.state) if snapshot else None
        now, at = self._now(), self._clock.time()
        self._execute(id_, self.host.loaded(id_, state, commits, now=now, at=at, elsewhere=subscription.guests))
        self._publish_presence(id_)
        self._on_version(id_, 0)

    def _publish_presence(self, id_: UUID) -> None:
        """Tell the other nodes who is connected here."""
        room = self.host.rooms.get(id_)
        if room is not None:
            self._subscriptions[id_].used_at = self._now()
            self.store.publish_presence(self._name, {id_: room.presence.connected}, LEASE_SECONDS)

    def _wake(self, id_: UUID, now: float) -> None:
        if not self.closing:
            self._execute(id_, self.host.handle(Time(id_), None, now))
            if self.webhook is not None and (room := self.host.rooms.get(id_)) is not None:
                self.webhook.waiting(id_, room.idle_seat(now))

    def _execute(self, id_: UUID, effects: list[Effect]) -> None:
        """Carry out a host's effects in their order. A connection that fails does not stop the others."""
        for effect in effects:
            if type(effect) is Send:
                self.metrics.messages += 1
                self._send(effect)
            elif type(effect) is CommandOutcome:
                self._count(effect)
            elif type(effect) is Wake:
                self._timers.set(id_, effect.at)
            elif type(effect) is Append:
                done = partial(self._on_append, id_, effect)
                self.store.submit(id_, effect.version, effect.entry, effect.key, done)
            else:
                self._execute_rare(id_, effect)

    def _execute_rare(self, id_: UUID, effect: Effect) -> None:
        match effect:
            case Close():
                self._close(effect)
            case SaveSnapshot():
                self.spawn(self.store.save_snapshot(id_, effect.version, effect.schema, effect.state))
            case Load():
                self._load(id_)
            case Unload():
                self._unsubscribe(id_)
            case ReadLog():
                self.spawn(self._read_log(id_, effect))
            case Reply():
                self._reply(effect)

    def _reply(self, reply: Reply) -> None:
        future = self._replies.get(reply.request)
        if future is None or future.done():
            return
        if isinstance(reply.result, Exception):
            future.set_exception(reply.result)
        else:
            future.set_result(reply.result)

    async def _read_log(self, id_: UUID, read: ReadLog) -> None:
        """Answer from the log; an error is the answer to this request."""
        try:
            result: object = await self.log_reader.answer(id_, read)
        except Exception as error:
            result = error
        self._reply(Reply(read.request, result))

    def _send(self, send: Send) -> None:
        """Send a message, or close a connection that fails."""
        try:
            send.connection.send(send.message)  # type: ignore[attr-defined]
        except Exception as error:
            log.warning("a connection failed", extra={"error": repr(error)})
            self._close(Close(send.connection, SERVICE_RESTART, "come back"))

    def _close(self, close: Close) -> None:
        try:
            close.connection.close(close.code, close.reason)  # type: ignore[attr-defined]
        except Exception as error:
            log.warning("a connection failed", extra={"error": repr(error)})

    def _count(self, outcome: CommandOutcome) -> None:
        if outcome.received_at is None:
            self.metrics.house[outcome.outcome] += 1
        else:
            self.metrics.commands[outcome.outcome] += 1
            self.metrics.observe_command(self._now() - outcome.received_at)

    def _on_append(self, id_: UUID, append: Append, result: Commit | Exception) -> None:
        """Handle the store's answer to an append."""
        match result:
            case Commit():
                if self.webhook is not None and (room := self.host.rooms.get(id_)) is not None:
                    self.webhook.committed(id_, room.table, append.entry)
                self._execute(id_, self.host.committed(id_, append, self._now()))
            case Conflict():
                self.spawn(self._evict_on_failure(id_, self._catch_up(id_, append)))
            case Unavailable():
                self.store_warning.log(result)
                self.evict(id_)
            case _:
                log.error("append failed", exc_info=result)
                self.evict(id_)

    async def _evict_on_failure(self, id_: UUID, reading: Coroutine[Any, Any, None]) -> None:
        """Evict a room that cannot read the log: its guests reconnect to the durable state."""
        try:
            await reading
        except Exception:
            self.evict(id_)
            raise

    async def _catch_up(self, id_: UUID, append: Append) -> None:
        """Read what another writer appended first."""
        room = self.host.rooms.get(id_)
        if room is not None:
            commits = await self.store.read(id_, room.table.version)
            self._execute(id_, self.host.conflicted(id_, append, commits, self._now()))

    def _on_version(self, id_: UUID, version: int) -> None:
        """Read on after another node appended; a refresh that is under way reads that version, too."""
        subscription, room = self._subscriptions.get(id_), self.host.rooms.get(id_)
        if subscription is None:
            return
        subscription.announced = max(subscription.announced, version)
        if room is None or self.closing or subscription.refreshing or subscription.announced <= room.table.version:
            return
        subscription.refreshing = True
        self.spawn(self._evict_on_failure(id_, self._refresh(id_, subscription, room)))

    async def _refresh(self, id_: UUID, subscription: Subscription, room: Room) -> None:
        """Read until the announced version is reached: a version is announced only once."""
        try:
            while room.table.version < subscription.announced and self.host.rooms.get(id_) is room and not self.closing:
                before = room.table.version
                await self._read_new_commits(id_, room)
                if room.table.version == before and self.host.rooms.get(id_) is room:
                    log.warning("table is missing from the log", extra={"table": str(id_)})
                    self.evict(id_)
        finally:
            subscription.refreshing = False

    async def _read_new_commits(self, id_: UUID, room: Room) -> None:
        commits = await self.store.read(id_, room.table.version)
        self._execute(id_, self.host.commits_received(id_, commits, self._now()))

    def _on_presence(self, id_: UUID, guests: frozenset[UUID]) -> None:
        if id_ in self._subscriptions:
            self._subscriptions[id_].guests = guests
        self._execute(id_, self.host.connected_elsewhere(id_, guests, self._now()))

    async def maintain(self) -> None:
        """Close idle rooms and delete old tables until cancelled."""
        cleaned = self._now()
        while True:
            await asyncio.sleep(MAINTENANCE_SECONDS)
            for id_, subscription in tuple(self._subscriptions.items()):
                if self._now() - subscription.used_at > LINGER_SECONDS:
                    self._execute(id_, self.host.close_if_idle(id_))
            if self._now() - cleaned > CLEAN_SECONDS:
                cleaned = self._now()
                await self._log_failure(self._clean())

    async def _clean(self) -> None:
        deleted = await self.store.clean(self._keep_days * A_DAY)
        log.info("old tables deleted", extra={"tables": deleted})

    def evict(self, id_: UUID) -> None:
        """Close a room whose state may be wrong: its guests reconnect, and it is loaded anew."""
        self._execute(id_, self.host.failed(id_))

    def _unsubscribe(self, id_: UUID) -> None:
        self._timers.set(id_, None)
        subscription = self._subscriptions.pop(id_, None)
        if subscription is not None:
            subscription.stop()
            self.store.publish_presence(self._name, {id_: frozenset()}, LEASE_SECONDS)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a background task and wait for it before the node stops."""
        task = asyncio.get_running_loop().create_task(self._log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _log_failure(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except Unavailable as error:
            self.store_warning.log(error)
        except Exception:
            log.exception("background task failed")

    async def close(self) -> None:
        """Wait for background tasks, then close all rooms."""
        self.closing = True
        self._timers.stop()
        while tasks := tuple(self._tasks):
            await asyncio.gather(
                *tasks, return_exceptions=True
            )  # since Python 3.12 this does not yield if all are done
            self._tasks.difference_update(tasks)
        for id_ in tuple(self._subscriptions):
            self._unsubscribe(id_)
