"""The hall: all tables that are open on this node, and the way to each of them."""

import asyncio
import logging
import secrets
import zlib
from collections.abc import Coroutine
from typing import Any
from uuid import UUID, uuid4

from notahat.rules import Illegal
from notahat.server.code import new_code, tidy_code
from notahat.server.guests import Guests
from notahat.server.house import House
from notahat.server.ledger import Ledger
from notahat.server.limits import Limit
from notahat.server.luck import Chance, KnownLuck, Luck
from notahat.server.metrics import Metrics
from notahat.server.room import Clock, Listener, Room
from notahat.server.settings import A_DAY, Settings
from notahat.store import Store, Unavailable
from notahat.table import HouseCommand, Table, Unknown, open_table
from notahat.table.events import encode

AWAY_AFTER_SECONDS = 3.0
LEASE_SECONDS = 20.0
KEEP_SECONDS = 5.0
LINGER_SECONDS = 10.0
CLEAN_SECONDS = 3600.0
STAGGER_SECONDS = 0.4
MOST_CODE_TRIES = 40
SERVICE_RESTART = 1012
NOT_WELCOME = 1008

log = logging.getLogger("notahat")


class Hall:
    """Everything one node knows."""

    def __init__(self, settings: Settings, store: Store, clock: Clock | None = None) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock or Clock()
        self.luck: Luck = Chance(self.clock.time) if settings.luck is None else KnownLuck(settings.luck)
        self.node = secrets.token_hex(6)
        self.guests = Guests(store)
        self.metrics = Metrics()
        self.rooms: dict[UUID, Room] = {}
        self.closing = False
        hurry = max(1.0, settings.pace)  # where everything is faster, so are the people
        self.frames = Limit(burst=60 * hurry, per_second=15 * hurry)
        self.frames_of_address = Limit(burst=2000 * hurry, per_second=500 * hurry)
        self.minting = Limit(settings.guests_per_address, settings.guests_per_address / 600)
        self.opening = Limit(burst=20, per_second=0.2)
        self.wrong_codes = Limit(burst=30, per_second=0.5)
        self.reading = Limit(burst=100, per_second=20)
        self._houses: dict[UUID, House] = {}
        self._followers: dict[UUID, asyncio.Task[None]] = {}
        self._loading: dict[UUID, asyncio.Task[Room | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        # several nodes only share a PostgreSQL; there each waits its own moment before it acts for the house
        shared = not settings.store_url.startswith("sqlite:")
        self._stagger = zlib.crc32(self.node.encode()) / 2**32 * STAGGER_SECONDS / settings.pace if shared else 0.0

    @property
    def sockets(self) -> int:
        return sum(len(room.listeners) for room in self.rooms.values())

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

    async def new_table(self, host: UUID, options: dict[str, object]) -> str:
        """Open a table, and say its code."""
        first = open_table("", host, options, self.luck.time(None))  # refuses before a code is taken
        id_ = uuid4()
        for _ in range(MOST_CODE_TRIES):
            code = new_code()
            if await self.store.create_alias(code, id_):
                first = open_table(code, host, options, first.at)
                await self.store.append(id_, 0, encode(first))
                log.info("table opened", extra={"table": str(id_)})
                return code
        raise Unavailable("no code is free")

    async def find(self, code: str) -> Room | None:
        """The room of a table by its code."""
        tidied = tidy_code(code)
        id_ = None if tidied is None else await self.store.table_of(tidied)
        return None if id_ is None else await self.room(id_)

    async def room(self, id_: UUID) -> Room | None:
        """The room of a table, loaded once even if many ask at the same time."""
        room = self.rooms.get(id_)
        if room is None:
            task = self._loading.get(id_)
            if task is None:
                task = self._loading[id_] = asyncio.get_running_loop().create_task(self._load(id_))
                task.add_done_callback(lambda _: self._loading.pop(id_, None))
            room = await asyncio.shield(task)
        if room is not None:
            room.used = self.clock.monotonic()
        return room

    async def _load(self, id_: UUID) -> Room | None:
        ledger = await Ledger.load(self.store, id_)
        if ledger is None:
            return None
        room = Room(id_, ledger, self.store, self.metrics, self.clock, self.luck, self.settings.pace)
        house = House(room, self._propose, self._stagger)
        room.changed = lambda: self._after_change(room, house)
        self.rooms[id_] = room
        self._houses[id_] = house
        self._followers[id_] = asyncio.get_running_loop().create_task(self._follow(room))
        return room

    def join(self, room: Room, listener: Listener) -> None:
        """Somebody is connected: they get the present at once, and the others see that they are here."""
        if not room.listeners:
            room.wake()
        known = listener.guest in room.present
        room.listeners.add(listener)
        room.lingering.discard(listener.guest)
        if known:
            listener.send(room.state_for(listener.guest))
        else:
            room.tell()
        self.spawn(self.store.lease(room.id, listener.guest, self.node, LEASE_SECONDS))
        room.changed()

    def leave(self, room: Room, listener: Listener) -> None:
        """A connection is gone. People are away only after a moment: most come right back."""
        room.listeners.discard(listener)
        room.used = self.clock.monotonic()
        if any(other.guest == listener.guest for other in room.listeners):
            return
        room.lingering.add(listener.guest)
        room.changed()
        if not self.closing:
            wait = AWAY_AFTER_SECONDS / self.settings.pace
            asyncio.get_running_loop().call_later(wait, self._away, room, listener.guest)

    def _away(self, room: Room, guest: UUID) -> None:
        if guest not in room.lingering or self.closing or self.rooms.get(room.id) is not room:
            return
        room.lingering.discard(guest)
        self.spawn(self.store.end_lease(room.id, guest, self.node))
        room.tell()
        room.changed()

    def _after_change(self, room: Room, house: House) -> None:
        for listener in tuple(room.listeners):
            if not may_watch(room.table, listener.guest):
                reason = "removed" if listener.guest in room.table.removed else "no_spectators"
                listener.close(NOT_WELCOME, reason)
        if room.ledger.snapshot_due:
            self.spawn(room.ledger.save_snapshot(self.store, room.id))
        if not self.closing:
            try:
                house.look()
            except Exception:  # the clock of a table may fail; what was acknowledged still happened
                log.exception("the house lost count", extra={"table": str(room.id)})

    def _propose(self, room: Room, command: HouseCommand, id_: str | None) -> None:
        if not self.closing:
            self.spawn(self._carry_out(room, command, id_))

    async def _carry_out(self, room: Room, command: HouseCommand, id_: str | None) -> None:
        try:
            happened = await room.house_order(command, id_)
        except Illegal as illegal:
            self.metrics.house[illegal.reason.value] += 1
        except (Unavailable, Unknown):
            self.evict(room)
            raise
        else:
            self.metrics.house["done" if happened else "repeated"] += 1

    async def _follow(self, room: Room) -> None:
        """Hear of what other nodes write, and of who is there."""
        while True:
            try:
                async with self.store.subscribe(room.id) as hints:
                    await room.refresh()
                    async for version in hints:
                        if version == 0:
                            await self._look_elsewhere(room)
                        elif version > room.table.version:
                            await room.refresh()
            except Unavailable as error:
                log.warning("store unavailable", extra={"error": str(error), "table": str(room.id)})
                await asyncio.sleep(1.0)
            except Unknown as error:
                log.warning("the log is newer than this program", extra={"error": str(error), "table": str(room.id)})
                self.evict(room)
                return
            except Exception:
                log.exception("following failed", extra={"table": str(room.id)})
                self.evict(room)
                return

    async def _look_elsewhere(self, room: Room) -> None:
        leases = await self.store.leases(room.id)
        elsewhere = frozenset(lease.guest for lease in leases if lease.node != self.node)
        if elsewhere != room.elsewhere:
            room.elsewhere = elsewhere
            room.tell()
            room.changed()

    async def keep(self) -> None:
        """Renew what expires, close rooms that nobody uses, and clean away what is old, until the node stops."""
        cleaned = self.clock.monotonic()
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            for room in tuple(self.rooms.values()):
                await self._see_through(self._keep_room(room))
            if self.clock.monotonic() - cleaned > CLEAN_SECONDS:
                cleaned = self.clock.monotonic()
                await self._see_through(self._clean())

    async def _keep_room(self, room: Room) -> None:
        now = self.clock.monotonic()
        if not room.listeners and not room.lingering and now - room.used > LINGER_SECONDS:
            self._close_room(room)
            return
        for guest in {listener.guest for listener in room.listeners}:
            await self.store.lease(room.id, guest, self.node, LEASE_SECONDS)
        await self._look_elsewhere(room)

    async def _clean(self) -> None:
        forgotten = await self.store.clean(self.settings.keep_days * A_DAY)
        log.info("old tables cleaned away", extra={"tables": forgotten})

    def evict(self, room: Room) -> None:
        """Something is wrong with our view of this table: everybody comes back in a moment, and it is loaded anew."""
        for listener in tuple(room.listeners):
            listener.close(SERVICE_RESTART, "come back")
        self._close_room(room)

    def _close_room(self, room: Room) -> None:
        room.changed = lambda: None
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            self._houses.pop(room.id).stop()
            self._followers.pop(room.id).cancel()

    async def close(self) -> None:
        """Let what was begun end, then stop."""
        self.closing = True
        for house in self._houses.values():
            house.stop()
        while self._tasks:
            await asyncio.gather(*tuple(self._tasks), return_exceptions=True)
        followers = tuple(self._followers.values())
        for room in tuple(self.rooms.values()):
            self._close_room(room)
        await asyncio.gather(*followers, return_exceptions=True)


def may_watch(table: Table, guest: UUID) -> bool:
    """Whether somebody may be connected: not when removed, and to watch a match only where that is agreed."""
    if guest in table.removed:
        return False
    if table.options.spectators or table.stage == "lobby" or guest in (table.owner, table.host):
        return True
    seated = {seat.guest for seat in table.seats} | {waiting.guest for waiting in table.waiting}
    return guest in seated
