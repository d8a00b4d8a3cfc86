"""A room: one table and everybody who follows it on this node. Nobody owns a table: every order is appended to the
version it answers, and whoever came second decides again.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol
from uuid import UUID, uuid4

from notahat.rules import Illegal
from notahat.server.ledger import Ledger
from notahat.server.luck import Luck
from notahat.server.metrics import Metrics
from notahat.server.telling import Telling
from notahat.store import Commit, Conflict, Store, Unavailable
from notahat.table import Order, Shown, Table, entry
from notahat.table.commands import Command
from notahat.table.events import Entry, encode
from notahat.wire.messages import write_state

MOST_REFUSALS = 256
MOST_TRIES = 50


class Listener(Protocol):
    """Somebody who is connected to the room."""

    @property
    def guest(self) -> UUID: ...
    def send(self, message: bytes) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...


class Clock:
    """The time of day for the log, and a time that never jumps for waiting."""

    def time(self) -> float:
        return round(time.time(), 3)

    def monotonic(self) -> float:
        return time.monotonic()


class Room:
    """One table's present, and who is here to see it."""

    def __init__(
        self, id_: UUID, ledger: Ledger, store: Store, metrics: Metrics, clock: Clock, luck: Luck, pace: float
    ) -> None:
        self.id = id_
        self.store = store
        self.ledger = ledger
        self.clock = clock
        self.luck = luck
        self.pace = pace
        self.listeners: set[Listener] = set()
        self.elsewhere: frozenset[UUID] = frozenset()  # who is connected to another node
        self.lingering: set[UUID] = set()  # whose connection broke a moment ago: they often come right back
        self.began = clock.monotonic()  # when the present decision began, as far as this node's waiting goes
        self.used = self.began
        self.changed: Callable[[], None] = lambda: None
        self._metrics = metrics
        self._telling = Telling()
        self._refused: OrderedDict[str, tuple[StrEnum, str]] = OrderedDict()
        self._lock = asyncio.Lock()

    @property
    def table(self) -> Table:
        return self.ledger.table

    @property
    def present(self) -> frozenset[UUID]:
        """Who is here, on this node or another."""
        return self.elsewhere | self.lingering | {listener.guest for listener in self.listeners}

    @property
    def seconds_left(self) -> float | None:
        """How long until the house acts for somebody."""
        patience = self.table.patience
        return None if patience is None else patience / self.pace - (self.clock.monotonic() - self.began)

    def wake(self) -> None:
        """Whoever comes back to a sleeping table has all the time that was left to nobody."""
        self.began = self.clock.monotonic()

    async def order(self, command: Command, by: UUID, id_: str, asker: Listener) -> bool:
        """Carry out a guest's order and answer it; True if it happened now. The same id again gets the same answer."""
        key = f"{by.hex}:{id_}"
        async with self._lock:
            if key in self._refused:
                raise Illegal(*self._refused[key])
            try:
                happened = not self.ledger.has_done(key) and await self._carry_out(command, by, key, asker, id_)
            except Illegal as illegal:
                self._remember_refusal(key, illegal.reason, illegal.detail)
                raise
        if not happened:
            asker.send(self.state_for(by, ack=id_))
        return happened

    async def house_order(self, command: Command, id_: str | None = None) -> bool:
        """Carry out an order of the house, unless another node did."""
        key = f"house:{id_ or uuid4().hex}"
        async with self._lock:
            return not self.ledger.has_done(key) and await self._carry_out(command, None, key)

    async def refresh(self) -> None:
        """Take in what other nodes have written."""
        async with self._lock:
            await self._catch_up()

    async def _carry_out(
        self, command: Command, by: UUID | None, key: str, asker: Listener | None = None, ack: str | None = None
    ) -> bool:
        """Decide, append, and let it happen; False if there was nothing to do, or it had been done before."""
        for _ in range(MOST_TRIES):
            order = Order(command, by, self.luck.time(self.table), self.present, self.luck.of(self.table))
            new = entry(self.table, order)
            if not new.events:
                return False
            try:
                written = encode(new)
                commit = await self.store.append(self.id, self.table.version, written, key)
            except Conflict:
                if not await self._catch_up():
                    break
                if self.ledger.has_done(key):
                    return False
                continue
            if commit.version != self.table.version + 1:  # it was carried out long ago, and we had not heard of it
                await self._catch_up()
                return False
            self._take(commit, asker, ack, new if commit.events is written else None)
            return True
        raise Unavailable(f"table {self.id} is gone, or changes too quickly")

    async def _catch_up(self) -> bool:
        """Let everything happen that others have written; False if there was nothing."""
        news = await self.store.read(self.id, self.table.version)
        for commit in news:
            self._take(commit)
        return bool(news)

    def _take(
        self, commit: Commit, asker: Listener | None = None, ack: str | None = None, known: Entry | None = None
    ) -> None:
        """Let a commit happen here, and tell everybody."""
        since = self.table.since
        happened = self.ledger.take(commit, known)
        if self.table.since != since:
            self.began = self.clock.monotonic()
        self.tell(happened, asker, ack)
        self.changed()

    def tell(self, happened: tuple[Shown, ...] = (), asker: Listener | None = None, ack: str | None = None) -> None:
        """Send the present to everybody: what all see is encoded once."""
        self._telling.look(self.table, self.present)
        shared = self._shared(happened)
        for listener in tuple(self.listeners):
            personal = self._telling.personal(listener.guest)
            listener.send(write_state(shared, personal, ack if listener is asker else None))
        self._metrics.messages += len(self.listeners)

    def state_for(self, guest: UUID, ack: str | None = None) -> bytes:
        """The present for one guest, with no past."""
        self._metrics.messages += 1
        self._telling.look(self.table, self.present)
        return write_state(self._shared(()), self._telling.personal(guest), ack)

    def _shared(self, happened: tuple[Shown, ...]) -> bytes:
        return self._telling.shared(self.seconds_left, happened, self.ledger.watcher.view_of(self.table.round))

    def _remember_refusal(self, key: str, reason: StrEnum, detail: str) -> None:
        self._refused[key] = (reason, detail)
        if len(self._refused) > MOST_REFUSALS:
            self._refused.popitem(last=False)
