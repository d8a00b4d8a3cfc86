"""A room with a driver for tests: entries are durable at once, and time advances only when told to."""

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from notahat.live.effects import Append, Close, Effect, SaveSnapshot, Send, Wake
from notahat.live.room import Room
from notahat.live.settings import Determinism, RoomSettings
from notahat.table import GuestCommand, Table, open_table
from notahat.table.events import encode
from notahat.wire.messages import State
from support.tables import guest

Call = tuple[str, tuple[Any, ...]]


class StoredCommit(Struct, frozen=True):
    """An entry as a store returns it."""

    version: int
    key: str
    events: bytes


class FixedSeeds(Determinism):
    """The seed that a test sets, and another one for each round; the gift of a day has its own."""

    value = 1

    def seed_for(self, table: Table) -> int:
        return self.value + table.dealt


class RoomDriver:
    """A room, all calls to it, and all its effects. Without `durable`, entries stay in flight."""

    def __init__(
        self, host: str = "Ada", options: dict[str, object] | None = None, now: float = 0.0, probe: float = 0.0
    ) -> None:
        entry = open_table("K7QX", guest(host), options or {}, 1000.0, study=probe > 0, probe=probe)
        self.log = [StoredCommit(1, "opened", encode(entry))]
        self.seeds = FixedSeeds()
        opened = Room.open(None, self.log, now, 1000.0, RoomSettings(determinism=self.seeds))
        assert opened is not None
        self.room = opened
        self.now = now
        self.durable = True
        self.calls: list[Call] = []
        self.effects: list[Effect] = []
        self.in_flight: Append | None = None
        self.wake: float | None = None
        self.messages: defaultdict[str, list[bytes]] = defaultdict(list)
        self.closed: dict[str, tuple[int, str]] = {}
        self.snapshots: list[SaveSnapshot] = []
        self._commands = 0

    def call(self, name: str, *values: Any) -> list[Effect]:
        """Call a method of the room, and carry out its effects in order."""
        effects = self._call_room(name, *values)
        waiting = deque(effects)
        while waiting:
            effect = waiting.popleft()
            match effect:
                case Append() if self.durable:
                    self.log.append(StoredCommit(effect.version + 1, effect.key, effect.entry))
                    waiting.extend(self._call_room("committed", effect, self.now))
                case Append():
                    self.in_flight = effect
                case Send(connection=str(connection), message=message):
                    self.messages[connection].append(message)
                case Wake(at=at):
                    self.wake = at
                case Close(connection=str(connection), code=code, reason=reason):
                    self.closed[connection] = (code, reason)
                case SaveSnapshot():
                    self.snapshots.append(effect)
                case _:
                    pass
        return effects

    def _call_room(self, name: str, *values: Any) -> list[Effect]:
        self.calls.append((name, values))
        effects: list[Effect] = getattr(self.room, name)(*values)
        self.effects += effects
        return effects

    def connect(
        self, name: str, connection: str | None = None, changes: bool = False, screen: bool = False
    ) -> "RoomDriver":
        self.call("connected", connection or name, guest(name), self.now, changes, screen)
        return self

    def disconnect(self, connection: str) -> None:
        self.call("disconnected", connection, self.now)

    def send(self, connection: str, command: GuestCommand, id_: str | None = None, seed: int = 1) -> list[Effect]:
        self._commands += 1
        id_ = id_ or f"o{self._commands}"
        self.seeds.value = seed
        effects = self.call("command_received", connection, id_, command, self.now)
        self.seeds.value = 1
        return effects

    def advance(self, seconds: float) -> None:
        """Advance time, and wake the room whenever it asked for it."""
        until = self.now + seconds
        while self.wake is not None and self.wake <= until:
            self.now = max(self.now, self.wake)
            self.wake = None
            self.call("woken", self.now)
        self.now = until

    def run_until(self, condition: Callable[["RoomDriver"], bool], most: int = 2000) -> None:
        """Wake the room until a condition holds."""
        for _ in range(most):
            if condition(self):
                return
            assert self.wake is not None, "the room has no plan any more"
            self.advance(self.wake - self.now)
        raise AssertionError(f"the condition did not hold after {most} wakes")

    def states(self, connection: str) -> list[State]:
        return [
            msgspec.json.decode(message, type=State) for message in self.messages[connection] if b'"view"' in message
        ]

    def last_message(self, connection: str) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.messages[connection][-1])
        return message

    @property
    def turn(self) -> int:
        assert self.room.table.round is not None
        return self.room.table.round.turn

    def is_away(self, seat: int, connection: str) -> bool:
        return self.states(connection)[-1].view.seats[seat].away
