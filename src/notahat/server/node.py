"""A node: drives the rooms that are open on this machine. It owns store, timers and tasks, and decides nothing."""

import asyncio
import logging
import secrets
import zlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol
from uuid import UUID, uuid4

from msgspec import Struct

from notahat.live.daily import day_of, day_opened
from notahat.live.effects import Answered, Append, Close, Effect, Keep, Send, Wake
from notahat.live.room import READ_BACK, Room
from notahat.server.clock import Clock
from notahat.server.confusables import looks
from notahat.server.determinism import Chance, KnownLuck, Luck
from notahat.server.ops.metrics import Metrics
from notahat.server.settings import A_DAY, Settings
from notahat.server.table_codes import LENGTH, LONGEST, new_code, tidy_code
from notahat.server.timers import Timers
from notahat.store import Commit, Conflict, Store, Unavailable
from notahat.table import Unknown, open_table
from notahat.table.commands import Wish
from notahat.table.events import encode
from notahat.table.snapshot import SNAPSHOT_SCHEMA

LEASE_SECONDS = 20.0
KEEP_SECONDS = 5.0
LINGER_SECONDS = 10.0
CLEAN_SECONDS = 3600.0
LATEST_SECONDS = 0.4
MOST_CODE_TRIES = 40

log = logging.getLogger("notahat")


class Line(Protocol):
    """A connection, as far as a node needs to know it."""

    @property
    def guest(self) -> UUID: ...
    def __hash__(self) -> int: ...
    def send(self, message: bytes) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...


class Hosted(Struct, eq=False):
    """A room that is open here, until it is put away: from then on it speaks for nobody. `used` is when somebody last
    had to do with it, `heard` the newest version that another node told of.
    """

    id: UUID
    room: Room
    used: float
    open: bool = True
    heard: int = 0
    refreshing: bool = False
    unfollow: Callable[[], None] = lambda: None


class Node:
    """All rooms of one process, and the way to each of them."""

    def __init__(self, settings: Settings, store: Store, clock: Clock | None = None) -> None:
        self.store = store
        self.metrics = Metrics()
        self.closing = False
        self._clock = clock or Clock()
        self._luck: Luck = Chance() if settings.luck is None else KnownLuck(settings.luck)
        self._pace = settings.pace
        self._keep_days = settings.keep_days
        self._study = settings.study
        self._name = secrets.token_hex(6)
        # several nodes only share a PostgreSQL; there each waits its own moment before it acts for the house
        alone = settings.store_url.startswith("sqlite:")
        self._late = 0.0 if alone else zlib.crc32(self._name.encode()) / 2**32 * LATEST_SECONDS / self._pace
        self._hosted: dict[UUID, Hosted] = {}
        self._loading: dict[UUID, asyncio.Task[Hosted | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers = Timers[Hosted](self._clock.monotonic, self._woken)

    @property
    def tables(self) -> int:
        """Tables with somebody at them; one that was only looked at would tell that there is such a code."""
        return sum(1 for hosted in self._hosted.values() if hosted.room.connections)

    @property
    def sockets(self) -> int:
        return sum(len(hosted.room.connections) for hosted in self._hosted.values())

    async def open_table(
        self, host: UUID, options: dict[str, object], screen: bool = False, day: str | None = None
    ) -> tuple[str, UUID]:
        """Open a table, and say its code and its id."""
        at = 0.0 if self._luck.step else self._clock.time()
        opened = partial(open_table, host=host, options=options, at=at, screen=screen, study=self._study)
        if day is not None:
            opened = partial(day_opened, day_of(day, self._clock.time()), host=host, at=at)
        opened("")  # refuses before a code is taken
        id_ = uuid4()
        for tried in range(MOST_CODE_TRIES):
            code = new_code(LENGTH + tried * (LONGEST - LENGTH + 1) // MOST_CODE_TRIES)  # longer where all are taken
            if await self.store.create_alias(code, id_):
                await self.store.append(id_, 0, encode(opened(code)))
                log.info("table opened", extra={"table": str(id_)})
                return code, id_
        raise Unavailable("no code is free")

    async def find(self, code: str) -> Hosted | None:
        """The room of a table by its code."""
        tidied = tidy_code(code)
        id_ = None if tidied is None else await self.store.table_of(tidied)
        return None if id_ is None else await self.hosted(id_)

    async def hosted(self, id_: UUID) -> Hosted | None:
        """The room of a table, loaded once even if many ask at the same time."""
        task = self._loading.get(id_)
        if task is None and id_ not in self._hosted:
            task = self._loading[id_] = asyncio.get_running_loop().create_task(self._load(id_))
            task.add_done_callback(lambda _: self._loading.pop(id_, None))
        hosted = self._hosted[id_] if task is None else await asyncio.shield(task)
        if hosted is not None:
            hosted.used = self._clock.monotonic()
        return hosted

    async def _load(self, id_: UUID) -> Hosted | None:
        snapshot = await self.store.snapshot(id_)
        if snapshot is not None and snapshot.schema != SNAPSHOT_SCHEMA:
            snapshot = None
        commits = await self.store.read(id_, max(0, snapshot.version - READ_BACK) if snapshot else 0)
        now = self._clock.monotonic()
        kept = (snapshot.schema, snapshot.state) if snapshot else None
        room = Room.open(kept, commits, now, self._clock.time(), self._pace, self._late, self._luck.step, looks)
        if room is None:
            return None
        hosted = self._hosted[id_] = Hosted(id_, room, now)
        hosted.unfollow = self.store.follow(id_, partial(self._wrote, hosted), partial(self._elsewhere, hosted))
        try:
            await self.store.look_around(id_)  # nobody comes in before it is known who is there on other nodes
        except Exception:
            self.evict(hosted)
            raise
        return hosted

    def arrived(self, hosted: Hosted, line: Line, changes: bool, screen: bool = False) -> bool:
        """Somebody is connected; whether the room is still open."""
        if self.closing or not hosted.open:
            return False
        self._carry_out(hosted, hosted.room.arrived(line, line.guest, self._clock.monotonic(), changes, screen))
        self._hold(hosted)
        return True

    def left(self, hosted: Hosted, line: Line) -> None:
        hosted.used = self._clock.monotonic()
        self._carry_out(hosted, hosted.room.left(line, hosted.used))
        self._hold(hosted)

    def _hold(self, hosted: Hosted) -> None:
        """Tell the other nodes who is here."""
        if hosted.open:
            self.store.hold(self._name, {hosted.id: hosted.room.presence.here}, LEASE_SECONDS)

    def ordered(self, hosted: Hosted, line: Line, id_: str, command: Wish) -> None:
        room = hosted.room
        self._carry_out(hosted, room.ordered(line, id_, command, self._clock.monotonic(), self._luck.of(room.table)))

    def _woken(self, hosted: Hosted, now: float) -> None:
        if not self.closing:
            self._carry_out(hosted, hosted.room.woken(now, self._luck.of(hosted.room.table)))

    def _carry_out(self, hosted: Hosted, effects: list[Effect]) -> None:
        """Do what a room asks for, in its order; what was put away asks for nothing any more."""
        if not hosted.open:
            return
        for effect in effects:
            if type(effect) is Send:
                self.metrics.messages += 1
                effect.connection.send(effect.message)  # type: ignore[attr-defined]
            elif type(effect) is Answered:
                self._count(effect)
            elif type(effect) is Wake:
                self._timers.set(hosted, effect.at)
            elif type(effect) is Append:
                done = partial(self._written, hosted, effect)
                self.store.submit(hosted.id, effect.version, effect.entry, effect.key, done)
            elif type(effect) is Close:
                effect.connection.close(effect.code, effect.reason)  # type: ignore[attr-defined]
            elif type(effect) is Keep:
                self.spawn(self.store.save_snapshot(hosted.id, effect.version, effect.schema, effect.state))

    def _count(self, answered: Answered) -> None:
        if answered.came is None:
            self.metrics.house[answered.outcome] += 1
        else:
            self.metrics.commands[answered.outcome] += 1
            self.metrics.took(self._clock.monotonic() - answered.came)

    def _written(self, hosted: Hosted, append: Append, result: Commit | Exception) -> None:
        """The store's answer to an append."""
        match result:
            case Commit(events=events) if events is append.entry:
                self._carry_out(hosted, hosted.room.committed(append.version, self._clock.monotonic()))
            case Commit() | Conflict():
                again = isinstance(result, Commit)
                self.spawn(self._or_come_back(hosted, self._catch_up(hosted, append, again)))
            case Unavailable():
                log.warning("store unavailable", extra={"error": str(result)})
                self.evict(hosted)
            case _:
                log.error("writing failed", exc_info=result)
                self.evict(hosted)

    async def _or_come_back(self, hosted: Hosted, reading: Coroutine[Any, Any, None]) -> None:
        """Where a room cannot read what was written, everybody comes back in a moment and gets the truth."""
        try:
            await reading
        except Unknown as error:
            log.warning("the log is newer than this program", extra={"error": str(error), "table": str(hosted.id)})
            self.evict(hosted)
        except Exception:
            self.evict(hosted)
            raise

    async def _catch_up(self, hosted: Hosted, append: Append, repeated: bool) -> None:
        """Somebody else wrote first, or the order was carried out before."""
        room = hosted.room
        news = await self.store.read(hosted.id, room.table.version)
        now = self._clock.monotonic()
        if repeated and not news:
            self._carry_out(hosted, room.repeated(append.version, now))
        else:
            self._carry_out(hosted, room.overtaken(append.version, news, now))

    def _wrote(self, hosted: Hosted, version: int) -> None:
        """Another node has written. Whoever reads already will read that too."""
        hosted.heard = max(hosted.heard, version)
        if hosted.heard > hosted.room.table.version and not hosted.refreshing and not self.closing:
            hosted.refreshing = True
            self.spawn(self._or_come_back(hosted, self._refresh(hosted)))

    async def _refresh(self, hosted: Hosted) -> None:
        """Read until all is there that was heard of: nobody tells of it twice."""
        try:
            while hosted.room.table.version < hosted.heard and hosted.open and not self.closing:
                await self._read_on(hosted)
        finally:
            hosted.refreshing = False

    async def _read_on(self, hosted: Hosted) -> None:
        room, before = hosted.room, hosted.room.table.version
        news = await self.store.read(hosted.id, before)
        self._carry_out(hosted, room.news(news, self._clock.monotonic()))
        if room.table.version == before:
            log.warning("nothing left to read", extra={"table": str(hosted.id)})
            self.evict(hosted)

    def _elsewhere(self, hosted: Hosted, guests: frozenset[UUID]) -> None:
        self._carry_out(hosted, hosted.room.elsewhere(guests, self._clock.monotonic()))

    async def keep(self) -> None:
        """Close rooms that nobody uses, and clean away what is old, until the node stops."""
        cleaned = self._clock.monotonic()
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            for hosted in tuple(self._hosted.values()):
                if hosted.room.idle and self._clock.monotonic() - hosted.used > LINGER_SECONDS:
                    self._forget(hosted)
            if self._clock.monotonic() - cleaned > CLEAN_SECONDS:
                cleaned = self._clock.monotonic()
                await self._see_through(self._clean())

    async def _clean(self) -> None:
        forgotten = await self.store.clean(self._keep_days * A_DAY)
        log.info("old tables cleaned away", extra={"tables": forgotten})

    def evict(self, hosted: Hosted) -> None:
        """Something is wrong with our view of this table: everybody comes back in a moment, and it is loaded anew."""
        if hosted.open:
            self._carry_out(hosted, hosted.room.failed())
            self._forget(hosted)

    def _forget(self, hosted: Hosted) -> None:
        hosted.open = False
        del self._hosted[hosted.id]
        self._timers.set(hosted, None)
        hosted.unfollow()
        self.store.hold(self._name, {hosted.id: frozenset()}, LEASE_SECONDS)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside, and see it through before the node stops."""
        task = asyncio.get_running_loop().create_task(self._see_through(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_through(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except Unavailable as error:
            log.warning("store unavailable", extra={"error": str(error)})
        except Exception:
            log.exception("background work failed")

    async def close(self) -> None:
        """Let what was begun end, then stop."""
        self.closing = True
        self._timers.stop()
        while self._tasks:
            await asyncio.gather(*tuple(self._tasks), return_exceptions=True)
        for hosted in tuple(self._hosted.values()):
            self._forget(hosted)
