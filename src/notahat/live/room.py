"""A room: one table being played, without I/O. Each method reports an input and returns the effects, in order.

One entry is in flight at a time; a command that lost a conflict is decided again. The same calls give the same bytes.
"""

import logging
from collections.abc import Iterable
from functools import partial
from typing import Protocol
from uuid import UUID

from notahat.live import pace
from notahat.live.command_queue import CommandQueue, PendingCommand
from notahat.live.connections import Connections
from notahat.live.decider import MOST_TRIES, Decider
from notahat.live.effects import Append, CommandOutcome, Connection, Effect, Reply, SaveSnapshot
from notahat.live.game_state import Game
from notahat.live.presence import Presence
from notahat.live.schedule import Schedule
from notahat.live.settings import DEFAULTS, RoomSettings
from notahat.live.votes import Votes
from notahat.rules import Illegal
from notahat.table import Shown, Step, Table, fold, steps
from notahat.table import view as view_table
from notahat.table.big_screen import screen_id
from notahat.table.commands import Command, Knock, is_heard
from notahat.table.events import Played, decode
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table
from notahat.wire.reasons import ServerReason

log = logging.getLogger("notahat.room")

SNAPSHOT_EVERY = 256


class Commit(Protocol):
    """An entry as the store returns it."""

    @property
    def version(self) -> int: ...
    @property
    def command(self) -> str: ...
    @property
    def events(self) -> bytes: ...


class Room:
    """The current state of one table, its connections, its presence and its plan."""

    def __init__(self, table: Table, now: float, settings: RoomSettings) -> None:
        self.presence = Presence()
        self.determinism = settings.determinism.of(table)
        self.game = Game(table)
        self._settings = settings
        self._schedule = Schedule(self.game, now, settings)
        self._votes = Votes()
        self._connections = Connections(self.game, self._schedule)
        self._queue = CommandQueue()
        self._decider = Decider(self.game, self._schedule, self._connections, self._queue, self._votes, settings)

    @classmethod
    def open(
        cls,
        snapshot: tuple[int, bytes] | None,
        commits: Iterable[Commit],
        now: float,
        at: float = 0.0,
        settings: RoomSettings = DEFAULTS,
    ) -> "Room | None":
        """Load a room from its newest snapshot (schema and state) and commits; return None if there are none.

        Commits from before the snapshot serve deduplication only. `at` is the time of day: table time goes on from it
        or from the newest entry, whichever is later, and from then on by `now` alone.
        """
        new = partial(cls, now=now, settings=settings)
        table = decode_table(*snapshot) if snapshot else None
        room = None if table is None else new(table)
        if room is not None and room.table.stage == "play":
            room.game.bots.deal(room.table)  # a snapshot during play is made when a round is dealt
        for commit in commits:
            if room is None:
                room = new(fold(None, (decode(commit.events),)))
            elif commit.version > room.table.version:
                room.game.advance(steps(room.table, decode(commit.events)))
            room._queue.dedup.add_done(commit.command)
        if room is not None:
            room._schedule.last_commit_at = now - max(0.0, at - room.table.at)
        return room

    @property
    def table(self) -> Table:
        return self.game.table

    @property
    def idle(self) -> bool:
        """Whether no guest is connected or lingers, and nothing is in flight."""
        return not (self._connections or self.presence.lingering or self._queue.in_flight)

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._connections)

    def connection_count(self, guest: UUID) -> int:
        return self._connections.count(guest)

    def idle_seat(self, now: float) -> int | None:
        """Return the seat of a present person for whom the table has waited for long."""
        idle = self._schedule.idle.idle(now)
        return None if idle is None else idle.seat

    def pending_commands(self, connection: Connection) -> int:
        """Return how many commands of a connection wait for the one in flight."""
        return self._queue.count(connection)

    def connected(
        self, connection: Connection, guest: UUID, now: float, wants_deltas: bool = False, screen: bool = False
    ) -> list[Effect]:
        """A guest has connected: send the current state, and their presence to all others. A `screen` that only shows
        the table is present as itself, not as the guest.
        """
        if not self._connections:  # the clock of a sleeping table starts again
            self._schedule.awake(now)
        presence_id = screen_id(guest) if screen and guest != self.table.screen else guest
        opened = self._connections.open(connection, guest, wants_deltas, presence_id)
        was_present = presence_id in self.presence.present
        self.presence = self.presence.connect(presence_id)
        self._replan()
        out: list[Effect] = []
        if was_present:
            self._connections.send_current(opened, self.presence.present, now, out)
        else:
            self._broadcast((), now, out)
        return self._with_wake(now, out)

    def disconnected(self, connection: Connection, now: float) -> list[Effect]:
        closed = self._connections.close(connection)
        if closed is None:
            return []
        if not self._connections.has(closed.presence_id):
            self.presence = self.presence.disconnect(closed.presence_id, now + pace.AWAY_AFTER / self._settings.speed)
        self._replan()
        return self._with_wake(now, [])

    def connected_elsewhere(self, guests: frozenset[UUID], now: float) -> list[Effect]:
        """The set of guests who are connected to other nodes has changed."""
        return self._set_presence(self.presence.set_elsewhere(guests, now), now)

    def command_received(
        self, connection: Connection, id_: str, command: Command, now: float, seed: int
    ) -> list[Effect]:
        """A guest has sent a command; the same id again gets the same answer."""
        sender = self._connections.get(connection)
        if sender is None:
            return []
        key = f"{sender.guest_key}:{id_}"
        self._queue.add(PendingCommand(command, key, seed, sender.guest, sender, id=id_, received_at=now))
        return self._process_pending(now, [])

    def command_requested(
        self, request: object, guest: UUID, id_: str, command: Command, now: float, seed: int
    ) -> list[Effect]:
        """A guest has sent a command without a connection: it is answered by a reply with the table's view."""
        key = f"{guest.hex}:{id_}"
        self._queue.add(PendingCommand(command, key, seed, guest, request=request, id=id_, received_at=now))
        return self._process_pending(now, [])

    def knocked(self, guest: UUID, name: str, now: float) -> list[Effect]:
        """A stranger knocks. There are no effects if the players do not hear it."""
        if not is_heard(self.table, guest, self.presence.present):
            return []
        key = f"knock:{guest.hex}:{self.table.version}"
        self._queue.add(PendingCommand(Knock(guest, name), key, 0))
        return self._process_pending(now, [])

    def woken(self, now: float, seed: int) -> list[Effect]:
        """The time of the last `Wake` has come."""
        self._schedule.wake_at = None
        out = self._set_presence(self.presence.expire(now), now)
        if self._connections.have_other_absences(now):
            self._broadcast((), now, out)
        if not self._queue.pending and not self._queue.in_flight:
            due = self._schedule.due(now, bool(self._connections))
            if due is not None:
                command, key = due
                self._queue.add(PendingCommand(command, f"house:{key}", seed))  # a public prefix, stored in logs
        return self._process_pending(now, out)

    def committed(self, append: Append, now: float) -> list[Effect]:
        """The entry is durable."""
        out: list[Effect] = []
        pending = self._queue.pop_in_flight(append)
        if pending is not None:
            self._apply(pending.steps, pending.key, now, out, pending)
        return self._process_pending(now, out)

    def conflicted(self, append: Append, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Another writer was first: apply its commits and decide again. Without new commits the table was deleted."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        pending = self._queue.pop_in_flight(append)
        if pending is not None:
            pending.tries += 1
            if self.table.version == append.version:
                return [*out, *self.failed()]
            if pending.tries < MOST_TRIES:
                self._queue.pending.appendleft(pending)
            else:
                self._decider.reject_contended(pending, out)
        return self._process_pending(now, out)

    def commits_received(self, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Other nodes have written; raises `Unknown` for entries of a newer program."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        return self._process_pending(now, out)

    def failed(self) -> list[Effect]:
        """The outcome of the append is unknown: clients reconnect and send the same command id again."""
        waiting = self._queue.clear()
        busy = Illegal(ServerReason.BUSY, "try again in a moment")
        replies = [Reply(one.request, busy) for one in waiting if one.request is not None]
        return [*replies, *self._connections.close_all()]

    def _apply_commits(self, commits: Iterable[Commit], now: float, out: list[Effect]) -> None:
        for commit in commits:
            if commit.version != self.table.version + 1:
                continue
            pending = self._queue.pop_by_key(commit.command)  # our own entry, before its `committed`
            self._apply(steps(self.table, decode(commit.events)), commit.command, now, out, pending)

    def _process_pending(self, now: float, out: list[Effect]) -> list[Effect]:
        """Decide pending commands until one is in flight."""
        while (pending := self._queue.next()) is not None:
            self._decider.decide(pending, self.presence, now, out)
        return out if self._queue.in_flight is not None else self._with_wake(now, out)  # its commit sets the next wake

    def _apply(
        self, entry: tuple[Step, ...], key: str, now: float, out: list[Effect], pending: PendingCommand | None
    ) -> None:
        """Apply a durable entry and broadcast it. `pending` is the command, if it was ours."""
        if pending is None:
            self._count_votes(entry)
        since, dealt = self.table.since, self.table.dealt
        happened = self.game.advance(entry)
        self._queue.dedup.add_done(key)
        self._schedule.committed(now, is_new_decision=self.table.since != since)
        self._replan()
        self._broadcast(happened, now, out, pending)
        if any(type(step.event) is not Played for step in entry):
            out += self._connections.close_excluded(self.table)
        if pending is not None:
            if pending.request is not None:
                out.append(Reply(pending.request, view_table(self.table, self.presence.present)))
            out.append(CommandOutcome("done", pending.received_at, happened))
        if self.table.dealt != dealt or (self.table.version % SNAPSHOT_EVERY == 0 and self.table.stage != "play"):
            out.append(SaveSnapshot(self.table.version, SNAPSHOT_SCHEMA, encode_table(self.table)))

    def _count_votes(self, entry: tuple[Step, ...]) -> None:
        """Add the votes of this node's guests to a refusal that another node wrote, before any other command."""
        command = self._votes.count_after(entry)
        if command is not None:
            key = f"house:votes.{entry[-1].after.dealt}.{command.turn}.{self._votes.last_voter}"
            self._queue.pending.appendleft(PendingCommand(command, key, seed=0))

    def _set_presence(self, presence: Presence, now: float) -> list[Effect]:
        out: list[Effect] = []
        if presence != self.presence:
            changed = presence.present != self.presence.present
            self.presence = presence
            self._schedule.skip(None)
            self._replan()
            if changed:
                self._broadcast((), now, out)
        return self._with_wake(now, out)

    def _replan(self) -> None:
        self._schedule.replan(self.presence, bool(self._connections))

    def _with_wake(self, now: float, out: list[Effect]) -> list[Effect]:
        """Add a `Wake` if the next time changed. While an entry is in flight, the plan waits for it."""
        return self._schedule.add_wake(now, bool(self._connections), self._queue.in_flight is not None, out)

    def _broadcast(
        self, happened: tuple[Shown, ...], now: float, out: list[Effect], pending: PendingCommand | None = None
    ) -> None:
        """Send the current state to all connections."""
        sender, ack = (pending.sender, pending.id) if pending is not None else (None, None)
        self._connections.broadcast(happened, self.presence.present, now, out, sender, ack)
