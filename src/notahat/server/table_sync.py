"""Table sync: loads tables into a host, keeps them up to date with other nodes, and reads answers from their logs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import Struct

from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.effects import Append, Effect, ReadLog
from notahat.live.host import Host, answer_from_log
from notahat.live.limits import LruCache
from notahat.live.presence import NOBODY
from notahat.live.requests import ReadDeck
from notahat.live.room import Room
from notahat.rules import Illegal
from notahat.server.ops.logs import RareWarning
from notahat.server.timers import BackgroundTasks, Clock
from notahat.store import Store, Unavailable
from notahat.table import Unknown
from notahat.table.table import SNAPSHOT_SCHEMA
from notahat.wire.messages import ServerReason

LEASE_SECONDS = 20.0

log = logging.getLogger("notahat")


class NodeReports(Struct, eq=False):
    """What other nodes report about a table: the newest version that they announced, and the guests there."""

    used_at: float
    announced: int = 0
    guests: frozenset[UUID] = NOBODY
    refreshing: bool = False
    stop: Callable[[], None] = lambda: None


class TableSync:
    """The store's side of every open table. `execute` carries out the host's effects."""

    def __init__(
        self,
        host: Host[UUID],
        store: Store,
        clock: Clock,
        execute: Callable[[UUID, list[Effect]], None],
        background: BackgroundTasks,
        name: str,
    ) -> None:
        self.subscriptions: dict[UUID, NodeReports] = {}
        self.closing = False
        self._host, self._store, self._clock = host, store, clock
        self._now = clock.monotonic
        self._execute = execute
        self._spawn = background.spawn
        self._name = name
        self._loading: dict[UUID, asyncio.Task[None]] = {}
        self._load_warning = RareWarning("table cannot be opened")

    async def room(self, id_: UUID, version: int = 0) -> Room | None:
        """Return the room of a table, loaded if need be, at least at the `version` that a guest has seen; or None."""
        if id_ not in self._host.rooms:
            await asyncio.shield(self.load(id_))
        room = self._host.rooms.get(id_)
        if room is not None:
            self.subscriptions[id_].used_at = self._now()
            if room.table.version < version:
                await self._read_new_commits(id_, room)
        return room

    def load(self, id_: UUID) -> "asyncio.Task[None]":
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
        if id_ not in self._host.rooms:
            self.unsubscribe(id_)
            self._execute(id_, self._host.not_loaded(id_, ServerReason.BUSY))

    async def _read_table(self, id_: UUID) -> None:
        subscription = self.subscriptions[id_] = NodeReports(self._now())
        on_version, on_presence = partial(self._on_version, id_), partial(self.on_presence, id_)
        subscription.stop = self._store.subscribe(id_, on_version, on_presence)
        snapshot = await self._store.snapshot(id_)
        if snapshot is not None and snapshot.schema != SNAPSHOT_SCHEMA:
            snapshot = None
        commits = await self._store.read(id_, max(0, snapshot.version - DEDUP_ENTRIES) if snapshot else 0)
        if commits:
            await self._store.refresh_presence(id_)  # a guest's first view must show who is connected to other nodes
        state = (snapshot.schema, snapshot.state) if snapshot else None
        now, at = self._now(), self._clock.time()
        try:
            effects = self._host.loaded(id_, state, commits, now=now, at=at, elsewhere=subscription.guests)
        except Unknown:
            raise
        except Exception as error:  # something else wrote the log, or this program is wrong
            if self._load_warning.is_due(str(id_)):
                log.exception("the log of a table cannot be replayed", extra={"table": str(id_)})
            raise Unavailable("the log cannot be replayed") from error
        self._execute(id_, effects)
        self.publish_presence(id_)
        self._on_version(id_, 0)

    def publish_presence(self, id_: UUID) -> None:
        """Tell the other nodes who is connected here."""
        room = self._host.rooms.get(id_)
        if room is not None:
            self.subscriptions[id_].used_at = self._now()
            self._store.publish_presence(self._name, {id_: room.presence.connected}, LEASE_SECONDS)

    def unsubscribe(self, id_: UUID) -> None:
        subscription = self.subscriptions.pop(id_, None)
        if subscription is not None:
            subscription.stop()
            self._store.publish_presence(self._name, {id_: frozenset()}, LEASE_SECONDS)

    def catch_up(self, id_: UUID, append: Append) -> None:
        """Read what another writer appended first."""

        async def read() -> None:
            room = self._host.rooms.get(id_)
            if room is not None:
                commits = await self._store.read(id_, room.table.version)
                self._execute(id_, self._host.conflicted(id_, append, commits, self._now()))

        self._spawn(self._evict_on_failure(id_, read()))

    def _on_version(self, id_: UUID, version: int) -> None:
        """Read on after another node appended; a refresh that is under way reads that version, too."""
        subscription, room = self.subscriptions.get(id_), self._host.rooms.get(id_)
        if subscription is None:
            return
        subscription.announced = max(subscription.announced, version)
        if room is None or self.closing or subscription.refreshing or subscription.announced <= room.table.version:
            return
        subscription.refreshing = True
        self._spawn(self._evict_on_failure(id_, self._refresh(id_, subscription, room)))

    async def _refresh(self, id_: UUID, subscription: NodeReports, room: Room) -> None:
        """Read until the announced version is reached: a version is announced only once."""
        try:
            while (
                room.table.version < subscription.announced and self._host.rooms.get(id_) is room and not self.closing
            ):
                before = room.table.version
                await self._read_new_commits(id_, room)
                if room.table.version == before and self._host.rooms.get(id_) is room:
                    log.warning("table is missing from the log", extra={"table": str(id_)})
                    self.evict(id_)
        finally:
            subscription.refreshing = False

    async def _read_new_commits(self, id_: UUID, room: Room) -> None:
        commits = await self._store.read(id_, room.table.version)
        self._execute(id_, self._host.commits_received(id_, commits, self._now()))

    async def _evict_on_failure(self, id_: UUID, reading: Coroutine[Any, Any, None]) -> None:
        """Evict a room that cannot read the log: its guests reconnect to the durable state."""
        try:
            await reading
        except Exception:
            self.evict(id_)
            raise

    def evict(self, id_: UUID) -> None:
        """Close a room whose state may be wrong: its guests reconnect, and it is loaded anew."""
        self._execute(id_, self._host.failed(id_))

    def on_presence(self, id_: UUID, guests: frozenset[UUID]) -> None:
        """Other guests than before are connected to other nodes."""
        if id_ in self.subscriptions:
            self.subscriptions[id_].guests = guests
        self._execute(id_, self._host.connected_elsewhere(id_, guests, self._now()))


MAX_STORIES = 64
MAX_DECKS = 16

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class JobCache(Generic[Key, Value]):
    """Run each job once, one at a time; requests for the same key share its result."""

    def __init__(self, size: int) -> None:
        self.tasks: LruCache[Key, asyncio.Task[Value]] = LruCache(size)
        self._running = asyncio.Lock()

    async def get(self, key: Key, job: Callable[[], Awaitable[Value]]) -> Value:
        """Return the job's result. Raise what the job raises; the next request then runs it again."""
        task = self.tasks.touch(key)
        if task is None:
            task = self.tasks[key] = asyncio.get_running_loop().create_task(self._run(job))
        try:
            return await asyncio.shield(task)
        except Exception:
            if self.tasks.get(key) is task:  # another request may have started the next one
                del self.tasks[key]
            raise

    async def _run(self, job: Callable[[], Awaitable[Value]]) -> Value:
        async with self._running:
            return await job()


Answers = JobCache[tuple[UUID, Hashable], bytes | None]


class LogReader:
    """Requests for the same story or deck share one job, also if there is none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stories: Answers = JobCache(MAX_STORIES)
        self._decks: Answers = JobCache(MAX_DECKS)

    async def answer(self, table: UUID, read: ReadLog) -> bytes:
        """Return the answer to a request; raise `Illegal` if the log has none."""
        answers = self._decks if isinstance(read.request, ReadDeck) else self._stories
        answer = await answers.get((table, read.key), partial(self._make, table, read))
        if answer is None:
            raise Illegal(read.missing, "")
        return answer

    async def _make(self, table: UUID, read: ReadLog) -> bytes | None:
        if read.version is None:
            commits = await self._store.read(table)
        else:
            commit = await self._store.read_commit(table, read.version)
            commits = [] if commit is None else [commit]
        return await asyncio.to_thread(answer_from_log, read.request, commits)
