"""A room driven by hand: entries are durable as soon as they are asked for, and time goes on when told to."""

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from notahat.live.effects import Append, Close, Effect, Keep, Send, Wake
from notahat.live.room import Room
from notahat.table import GuestCommand, open_table
from notahat.table.events import encode
from notahat.wire.messages import State
from support.tables import guest

Call = tuple[str, tuple[Any, ...]]


class Written(Struct, frozen=True):
    """An entry as a store gives it back."""

    version: int
    command: str
    events: bytes


class Driven:
    """A room, everything it was told, and everything it said. Where it is not `durable`, entries stay in flight."""

    def __init__(self, host: str = "Ada", options: dict[str, object] | None = None, now: float = 0.0) -> None:
        self.log = [Written(1, "opened", encode(open_table("K7QX", guest(host), options or {}, 1000.0)))]
        opened = Room.open(None, self.log, now, 1000.0)
        assert opened is not None
        self.room = opened
        self.now = now
        self.durable = True
        self.calls: list[Call] = []
        self.said: list[Effect] = []
        self.flying: Append | None = None
        self.wake: float | None = None
        self.heard: defaultdict[str, list[bytes]] = defaultdict(list)
        self.closed: dict[str, tuple[int, str]] = {}
        self.kept: list[Keep] = []
        self._orders = 0

    def call(self, name: str, *values: Any) -> list[Effect]:
        """Tell the room something, and carry out what it asks for, in order."""
        said = self.tell(name, *values)
        waiting = deque(said)
        while waiting:
            effect = waiting.popleft()
            match effect:
                case Append() if self.durable:
                    self.log.append(Written(effect.version + 1, effect.key, effect.entry))
                    waiting.extend(self.tell("committed", effect.version, self.now))
                case Append():
                    self.flying = effect
                case Send(connection=str(line), message=message):
                    self.heard[line].append(message)
                case Wake(at=at):
                    self.wake = at
                case Close(connection=str(line), code=code, reason=reason):
                    self.closed[line] = (code, reason)
                case Keep():
                    self.kept.append(effect)
                case _:
                    pass
        return said

    def tell(self, name: str, *values: Any) -> list[Effect]:
        self.calls.append((name, values))
        effects: list[Effect] = getattr(self.room, name)(*values)
        self.said += effects
        return effects

    def arrives(self, name: str, line: str | None = None, changes: bool = False, screen: bool = False) -> "Driven":
        self.call("arrived", line or name, guest(name), self.now, changes, screen)
        return self

    def leaves(self, line: str) -> None:
        self.call("left", line, self.now)

    def orders(self, line: str, command: GuestCommand, id_: str | None = None, luck: int = 1) -> list[Effect]:
        self._orders += 1
        return self.call("ordered", line, id_ or f"o{self._orders}", command, self.now, luck)

    def passes(self, seconds: float) -> None:
        """Let time go on, and wake the room whenever it wished to be woken."""
        until = self.now + seconds
        while self.wake is not None and self.wake <= until:
            self.now = max(self.now, self.wake)
            self.wake = None
            self.call("woken", self.now, 1)
        self.now = until

    def until(self, wanted: Callable[["Driven"], bool], most: int = 2000) -> None:
        """Wake the room again and again, until something is so."""
        for _ in range(most):
            if wanted(self):
                return
            assert self.wake is not None, "nothing happens by itself any more"
            self.passes(self.wake - self.now)
        raise AssertionError("it never came to that")

    def states(self, line: str) -> list[State]:
        return [msgspec.json.decode(message, type=State) for message in self.heard[line] if b'"view"' in message]

    def last(self, line: str) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.heard[line][-1])
        return message

    def away(self, seat: int, line: str) -> bool:
        return self.states(line)[-1].view.seats[seat].away
