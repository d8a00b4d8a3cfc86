"""Table sync: loads tables into a host and keeps them up to date with what other nodes write to the store."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any
from uuid import UUID

from msgspec import Struct

from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.effects import Append, Effect
from notahat.live.host import Host
from notahat.live.presence import NOBODY
from notahat.live.room import Room
from notahat.server.background import BackgroundTasks
from notahat.server.clock import Clock
from notahat.server.ops.logs import RareWarning
from notahat.store import Store, Unavailable
from notahat.table import Unknown
from notahat.table.snapshot import SNAPSHOT_SCHEMA
from notahat.wire.reasons import ServerReason

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
        """Return the room of a table, loaded if need be; None if there is no such table.

        A guest who has seen a `version` on another node must not see an older one here.
        """
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
        self._execute(id_, self._host.loaded(id_, state, commits, now=now, at=at, elsewhere=subscription.guests))
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
