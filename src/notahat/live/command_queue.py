"""The commands of a room: those that wait, the one in flight, and those that were answered before."""

from collections import deque
from uuid import UUID

from msgspec import Struct

from notahat.live.connections import GuestConnection
from notahat.live.dedup import Deduplicator
from notahat.live.effects import Append, Connection
from notahat.table import Step
from notahat.table.commands import Command


class PendingCommand(Struct, eq=False):
    """A command that waits for its decision or its commit. The room's own commands have no guest; those of a guest are
    answered to a connection, or as the reply to a request.
    """

    command: Command
    key: str
    seed: int
    guest: UUID | None = None
    sender: GuestConnection | None = None
    request: object = None
    id: str | None = None
    received_at: float | None = None
    steps: tuple[Step, ...] = ()
    append: Append | None = None
    tries: int = 0


class CommandQueue:
    """One entry is in flight at a time; the other commands wait in their order."""

    def __init__(self) -> None:
        self.pending: deque[PendingCommand] = deque()
        self.in_flight: PendingCommand | None = None
        self.dedup = Deduplicator()

    def add(self, pending: PendingCommand) -> None:
        self.pending.append(pending)

    def next(self) -> PendingCommand | None:
        """Take the next command to decide; None while one is in flight."""
        return self.pending.popleft() if self.pending and self.in_flight is None else None

    def count(self, connection: Connection) -> int:
        """Return how many commands of a connection wait for the one in flight."""
        if not self.pending:
            return 0
        return sum(one.sender is not None and one.sender.connection is connection for one in self.pending)

    def pop_in_flight(self, append: Append) -> PendingCommand | None:
        """Take the command in flight; return None if its commit was already received from another node."""
        pending = self.in_flight
        if pending is None or pending.append != append:
            return None
        self.in_flight = None
        return pending

    def pop_by_key(self, key: str) -> PendingCommand | None:
        """Take the command in flight if it has this key."""
        pending = self.in_flight
        if pending is None or pending.key != key:
            return None
        self.in_flight = None
        return pending

    def clear(self) -> list[PendingCommand]:
        """Take all commands, the one in flight first."""
        waiting = [*([] if self.in_flight is None else [self.in_flight]), *self.pending]
        self.in_flight = None
        self.pending.clear()
        return waiting
