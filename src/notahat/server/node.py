"""One server process: drives its open rooms with store, timers and tasks, and decides nothing itself."""

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
from notahat.live.daily import open_daily_table, parse_day
from notahat.live.effects import Append, Close, CommandOutcome, Effect, SaveSnapshot, Send, Wake
from notahat.live.room import DEDUP_ENTRIES, Room
from notahat.server.clock import Clock
from notahat.server.confusables import name_keys
from notahat.server.determinism import SeededRandomness, SystemRandomness
from notahat.server.ops.logs import RareWarning
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import A_DAY, Settings
from notahat.server.table_codes import LENGTH, MAX_LENGTH, new_code
from notahat.server.timers import Timers
from notahat.store import Commit, Conflict, Store, Unavailable
from notahat.table import Unknown, open_table
from notahat.table.commands import AnyGuestCommand
from notahat.table.events import encode
from notahat.table.snapshot import SNAPSHOT_SCHEMA

LEASE_SECONDS = 20.0
MAINTENANCE_SECONDS = 5.0
LINGER_SECONDS = 10.0
CLEAN_SECONDS = 3600.0
MAX_HOUSE_DELAY = 0.4
MAX_CODE_ATTEMPTS = 40

log = logging.getLogger("notahat")


class Connection(Protocol):
    """What a node needs of a guest's connection."""

    @property
    def guest(self) -> UUID: ...
    def __hash__(self) -> int: ...
    def send(self, message: bytes) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...


class OpenRoom(Struct, eq=False):
    """A room that this node has loaded; after it is closed, its effects are ignored.

    `announced` is the newest version that another node announced.
    """

    id: UUID
    room: Room
    last_used: float
    open: bool = True
    announced: int = 0
    refreshing: bool = False
    unsubscribe: Callable[[], None] = lambda: None


class Node:
    """All open rooms of one process."""

    def __init__(self, settings: Settings, store: Store, clock: Clock | None = None) -> None:
        self.store = store
        self.metrics = Metrics()
        self.closing = False
        self._clock = clock or Clock()
        self._now = self._clock.monotonic
        self._randomness = SystemRandomness() if settings.luck is None else SeededRandomness(settings.luck)
        self._keep_days = settings.keep_days
        self._study = settings.study
        self._name = secrets.token_hex(6)
        # nodes that share a PostgreSQL wait for different times, so that they do not all send the same house command
        alone = settings.store_url.startswith("sqlite:")
        delay = 0.0 if alone else zlib.crc32(self._name.encode()) / 2**32 * MAX_HOUSE_DELAY / settings.pace
        step = self._randomness.step
        self._restore = partial(Room.open, speed=settings.pace, stagger=delay, tick=step, name_keys=name_keys)
        self._rooms: dict[UUID, OpenRoom] = {}
        self._loading: dict[UUID, asyncio.Task[OpenRoom | None]] = {}
        self._load_warning = RareWarning("table cannot be opened")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers = Timers[OpenRoom](self._now, self._wake)

    @property
    def tables(self) -> int:
        """Tables with connections. A table that was only looked up does not count: it would reveal its code."""
        return sum(1 for open_room in self._rooms.values() if open_room.room.connections)

    @property
    def sockets(self) -> int:
        return sum(len(open_room.room.connections) for open_room in self._rooms.values())

    async def open_table(
        self, host: UUID, options: dict[str, object], screen: bool = False, day: str | None = None
    ) -> tuple[str, UUID]:
        """Open a table and return its code and id; raise `Illegal` for bad options."""
        at = 0.0 if self._randomness.step else self._clock.time()
        opened = partial(open_table, host=host, options=options, at=at, screen=screen, study=self._study)
        if day is not None:
            opened = partial(open_daily_table, parse_day(day, self._clock.time()), host=host, at=at)
        opened("")  # check the options before a code is taken
        id_ = uuid4()
        for attempt in range(MAX_CODE_ATTEMPTS):
            code = new_code(LENGTH + attempt * (MAX_LENGTH - LENGTH + 1) // MAX_CODE_ATTEMPTS)
            if await self.store.create_alias(code, id_):
                await self.store.append(id_, 0, encode(opened(code)))
                log.info("table opened", extra={"table": str(id_)})
                return code, id_
        raise Unavailable("no free table code")

    async def open_room(self, id_: UUID) -> OpenRoom | None:
        """Return the room of a table; load it once even if many requests come at the same time."""
        task = self._loading.get(id_)
        if task is None and id_ not in self._rooms:
            task = self._loading[id_] = asyncio.get_running_loop().create_task(self._load(id_))
            task.add_done_callback(partial(self._on_loaded, id_))
        open_room = self._rooms[id_] if task is None else await asyncio.shield(task)
        if open_room is not None:
            open_room.last_used = self._now()
        return open_room

    def _on_loaded(self, id_: UUID, task: "asyncio.Task[OpenRoom | None]") -> None:
        self._loading.pop(id_, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Unavailable | Unknown):  # other errors are logged with a trace
            self._load_warning.log(str(id_), table=str(id_), error=str(error))

    async def _load(self, id_: UUID) -> OpenRoom | None:
        snapshot = await self.store.snapshot(id_)
        if snapshot is not None and snapshot.schema != SNAPSHOT_SCHEMA:
            snapshot = None
        commits = await self.store.read(id_, max(0, snapshot.version - DEDUP_ENTRIES) if snapshot else 0)
        now = self._now()
        state = (snapshot.schema, snapshot.state) if snapshot else None
        room = self._restore(state, commits, now, self._clock.time())
        if room is None:
            return None
        opened = self._rooms[id_] = OpenRoom(id_, room, now)
        on_version, on_presence = partial(self._on_version, opened), partial(self._on_presence, opened)
        opened.unsubscribe = self.store.subscribe(id_, on_version, on_presence)
        try:
            await self.store.refresh_presence(id_)  # a guest's first view must show who is connected to other nodes
        except Exception:
            self.evict(opened)
            raise
        return opened

    def connect(self, open_room: OpenRoom, connection: Connection, changes: bool, screen: bool = False) -> bool:
        """Add a connection to a room; return False if the room is closed."""
        if self.closing or not open_room.open:
            return False
        effects = open_room.room.connected(connection, connection.guest, self._now(), changes, screen)
        self._execute(open_room, effects)
        self._publish_presence(open_room)
        return True

    def disconnect(self, open_room: OpenRoom, connection: Connection) -> None:
        open_room.last_used = self._now()
        self._execute(open_room, open_room.room.disconnected(connection, open_room.last_used))
        self._publish_presence(open_room)

    def _publish_presence(self, open_room: OpenRoom) -> None:
        """Tell the other nodes who is connected here."""
        if open_room.open:
            self.store.publish_presence(self._name, {open_room.id: open_room.room.presence.connected}, LEASE_SECONDS)

    def submit(self, open_room: OpenRoom, connection: Connection, id_: str, command: AnyGuestCommand) -> None:
        room, seed = open_room.room, self._randomness.seed_for(open_room.room.table)
        self._execute(open_room, room.command_received(connection, id_, command, self._now(), seed))

    def knock(self, open_room: OpenRoom, guest: UUID, name: str) -> None:
        """Tell the players at a table that a stranger knocks."""
        self._report(open_room, open_room.room.knocked, guest, name, self._now())

    def _wake(self, open_room: OpenRoom, now: float) -> None:
        if not self.closing:
            seed = self._randomness.seed_for(open_room.room.table)
            self._report(open_room, open_room.room.woken, now, seed)

    def _report(self, open_room: OpenRoom, inform: Callable[..., list[Effect]], *values: Any) -> None:
        """Inform a room and carry out its effects; evict a room that fails, because its state may be wrong."""
        if not open_room.open:
            return
        try:
            effects = inform(*values)
        except Exception:
            log.exception("a room failed", extra={"table": str(open_room.id)})
            self.evict(open_room)
        else:
            self._execute(open_room, effects)

    def _execute(self, open_room: OpenRoom, effects: list[Effect]) -> None:
        """Carry out a room's effects in their order. A connection that fails does not stop the others."""
        if not open_room.open:
            return
        for effect in effects:
            if type(effect) is Send:
                self.metrics.messages += 1
                self._send(effect)
            elif type(effect) is CommandOutcome:
                self._count(effect)
            elif type(effect) is Wake:
                self._timers.set(open_room, effect.at)
            elif type(effect) is Append:
                done = partial(self._on_append, open_room, effect)
                self.store.submit(open_room.id, effect.version, effect.entry, effect.key, done)
            elif type(effect) is Close:
                self._close(effect)
            elif type(effect) is SaveSnapshot:
                self.spawn(self.store.save_snapshot(open_room.id, effect.version, effect.schema, effect.state))

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

    def _on_append(self, open_room: OpenRoom, append: Append, result: Commit | Exception) -> None:
        """Handle the store's answer to an append."""
        match result:
            case Commit(events=events) if events is append.entry:
                self._report(open_room, open_room.room.committed, append.version, self._now())
            case Commit() | Conflict():
                repeated = isinstance(result, Commit)
                self.spawn(self._evict_on_failure(open_room, self._catch_up(open_room, append, repeated)))
            case Unavailable():
                log.warning("store unavailable", extra={"error": str(result)})
                self.evict(open_room)
            case _:
                log.error("append failed", exc_info=result)
                self.evict(open_room)

    async def _evict_on_failure(self, open_room: OpenRoom, reading: Coroutine[Any, Any, None]) -> None:
        """Evict a room that cannot read the log: its guests reconnect to the durable state."""
        try:
            await reading
        except Unknown as error:
            log.warning("the log is newer than this program", extra={"error": str(error), "table": str(open_room.id)})
            self.evict(open_room)
        except Exception:
            self.evict(open_room)
            raise

    async def _catch_up(self, open_room: OpenRoom, append: Append, repeated: bool) -> None:
        """Read what another writer appended first, or what the same command did before."""
        room = open_room.room
        commits = await self.store.read(open_room.id, room.table.version)
        now = self._now()
        if repeated and not commits:
            self._execute(open_room, room.repeated(append.version, now))
        else:
            self._execute(open_room, room.conflicted(append.version, commits, now))

    def _on_version(self, open_room: OpenRoom, version: int) -> None:
        """Read on after another node appended; a refresh that is under way reads that version, too."""
        open_room.announced = max(open_room.announced, version)
        if open_room.announced > open_room.room.table.version and not open_room.refreshing and not self.closing:
            open_room.refreshing = True
            self.spawn(self._evict_on_failure(open_room, self._refresh(open_room)))

    async def _refresh(self, open_room: OpenRoom) -> None:
        """Read until the announced version is reached: a version is announced only once."""
        try:
            while open_room.room.table.version < open_room.announced and open_room.open and not self.closing:
                await self._read_new_commits(open_room)
        finally:
            open_room.refreshing = False

    async def _read_new_commits(self, open_room: OpenRoom) -> None:
        room, before = open_room.room, open_room.room.table.version
        commits = await self.store.read(open_room.id, before)
        self._execute(open_room, room.commits_received(commits, self._now()))
        if room.table.version == before:
            log.warning("table is missing from the log", extra={"table": str(open_room.id)})
            self.evict(open_room)

    def _on_presence(self, open_room: OpenRoom, guests: frozenset[UUID]) -> None:
        self._report(open_room, open_room.room.connected_elsewhere, guests, self._now())

    async def maintain(self) -> None:
        """Close idle rooms and delete old tables until cancelled."""
        cleaned = self._now()
        while True:
            await asyncio.sleep(MAINTENANCE_SECONDS)
            for open_room in tuple(self._rooms.values()):
                if open_room.room.idle and self._now() - open_room.last_used > LINGER_SECONDS:
                    self._close_room(open_room)
            if self._now() - cleaned > CLEAN_SECONDS:
                cleaned = self._now()
                await self._log_failure(self._clean())

    async def _clean(self) -> None:
        deleted = await self.store.clean(self._keep_days * A_DAY)
        log.info("old tables deleted", extra={"tables": deleted})

    def evict(self, open_room: OpenRoom) -> None:
        """Close a room whose state may be wrong: its guests reconnect, and it is loaded anew."""
        if open_room.open:
            closing = open_room.room.failed()
            self._close_room(open_room)
            for close in closing:
                self._close(close)

    def _close_room(self, open_room: OpenRoom) -> None:
        open_room.open = False
        del self._rooms[open_room.id]
        self._timers.set(open_room, None)
        open_room.unsubscribe()
        self.store.publish_presence(self._name, {open_room.id: frozenset()}, LEASE_SECONDS)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a background task and wait for it before the node stops."""
        task = asyncio.get_running_loop().create_task(self._log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _log_failure(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except Unavailable as error:
            log.warning("store unavailable", extra={"error": str(error)})
        except Exception:
            log.exception("background task failed")

    async def close(self) -> None:
        """Wait for background tasks, then close all rooms."""
        self.closing = True
        self._timers.stop()
        while self._tasks:
            await asyncio.gather(*tuple(self._tasks), return_exceptions=True)
        for open_room in tuple(self._rooms.values()):
            self._close_room(open_room)
