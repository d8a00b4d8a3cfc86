"""A room: one table being played, without I/O. Inputs give effects, in order; one entry is in flight at a time."""

import logging
from collections import deque
from collections.abc import Iterable
from functools import partial
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from notahat.live import effects, pace
from notahat.live.bot_players import BotPlayers, remarks
from notahat.live.broadcast import BroadcastEncoder
from notahat.live.dedup import Deduplicator
from notahat.live.effects import Append, Close, CommandOutcome, Connection, Effect, Reply, SaveSnapshot, Send
from notahat.live.presence import NOBODY, Presence
from notahat.live.schedule import Schedule
from notahat.live.settings import DEFAULTS, RoomSettings, fill_bot_defaults
from notahat.live.votes import Votes
from notahat.rules import Illegal, Move, View
from notahat.rules import view as view_round
from notahat.rules.view import view_after
from notahat.table import Context, Idle, Shown, Step, Table, TableReason, decide, fold, shown, steps
from notahat.table import view as view_table
from notahat.table.admission import entrance_limit, screen_id
from notahat.table.commands import AddBot, BotMove, Command, Knock, Rejection, Vote, is_heard
from notahat.table.events import Played, decode, encode
from notahat.table.table import SNAPSHOT_SCHEMA, decode_table, encode_table
from notahat.wire.messages import ServerReason, encode_no, encode_state

log = logging.getLogger("notahat.room")

SNAPSHOT_EVERY = 256
CONTENDED_SECONDS = 5.0  # a slow link to the store loses every race for the next version
_BUSY = Illegal(ServerReason.BUSY, "try again in a moment")
_FORGOTTEN = Rejection(TableReason.STALE, "sent again too late to know whether it was carried out")
_CONTENDED = Rejection(ServerReason.TOO_FAST, f"other nodes wrote first for {CONTENDED_SECONDS:g} s; try again")


class Commit(Protocol):
    """An entry as the store returns it."""

    @property
    def version(self) -> int: ...
    @property
    def key(self) -> str: ...
    @property
    def events(self) -> bytes: ...


class Member(Struct, eq=False):
    """A guest's open connection. `presence_id` is the guest, or a screen that the guest's browser is."""

    connection: Connection
    guest: UUID
    guest_key: str  # first part of the guest's command keys
    wants_deltas: bool
    presence_id: UUID
    last_personal: bytes = b""


class PendingCommand(Struct, eq=False):
    """A command before its commit: the room's own, or a guest's, which is answered to a connection or a request."""

    command: Command
    key: str
    guest: UUID | None = None
    sender: Member | None = None
    request: object = None
    id: str | None = None
    received_at: float | None = None
    steps: tuple[Step, ...] = ()
    append: Append | None = None


class Room:
    """The current state of one table, its connections, its commands, its presence and its plan."""

    def __init__(self, table: Table, now: float, settings: RoomSettings) -> None:
        self.table = table
        self.presence = Presence()
        self.determinism = settings.determinism.of(table)
        self._settings = settings
        self._bots = BotPlayers()
        self._round_view: View | None = None
        self._members: dict[Connection, Member] = {}
        self._pending: deque[PendingCommand] = deque()
        self._in_flight: PendingCommand | None = None
        self._dedup = Deduplicator()
        self._votes = Votes()
        self._schedule = Schedule(table, self._bots, now, settings)
        self._encoder = BroadcastEncoder()
        self._sent: tuple[frozenset[UUID], Idle | None] = (NOBODY, None)  # who is long away or idle, as last broadcast

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
            room._bots.deal(room.table)  # a snapshot during play is made when a round is dealt
        for commit in commits:
            if room is None:
                room = new(fold(None, (decode(commit.events),)))
            elif commit.version > room.table.version:
                room._advance(steps(room.table, decode(commit.events)))
            room._dedup.add_done(commit.key, commit.version)
        if room is not None:
            room._schedule.last_commit_at = now - max(0.0, at - room.table.at)
            room._replan(now)
        return room

    @property
    def idle(self) -> bool:
        """Whether no guest is connected or lingers, and nothing is in flight."""
        return not (self._members or self.presence.lingering or self._in_flight)

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._members)

    def connection_count(self, guest: UUID) -> int:
        return sum(member.guest == guest for member in self._members.values())

    def idle_seat(self, now: float) -> int | None:
        """Return the seat of a present person for whom the table has waited for long."""
        idle = self._schedule.idle(now)
        return None if idle is None else idle.seat

    def pending_commands(self, connection: Connection) -> int:
        """Return how many commands of a connection wait for the one in flight."""
        return sum(one.sender is not None and one.sender.connection is connection for one in self._pending)

    # inputs

    def connected(
        self, connection: Connection, guest: UUID, now: float, wants_deltas: bool = False, screen: bool = False
    ) -> list[Effect]:
        """A guest has connected: send the state, and their presence to others. A `screen` is present as itself."""
        if not self._members:  # the clock of a sleeping table starts again
            self._schedule.awake(now)
        presence_id = screen_id(guest) if screen and guest != self.table.screen else guest
        member = self._members[connection] = Member(connection, guest, guest.hex, wants_deltas, presence_id)
        was_present = presence_id in self.presence.present
        self.presence = self.presence.connect(presence_id)
        self._replan(now)
        out: list[Effect] = []
        if was_present:
            self._send_current(member, now, out)
        else:
            self._broadcast((), now, out)
        return self._with_wake(now, out)

    def disconnected(self, connection: Connection, now: float) -> list[Effect]:
        closed = self._members.pop(connection, None)
        if closed is None:
            return []
        if not any(member.presence_id == closed.presence_id for member in self._members.values()):
            self.presence = self.presence.disconnect(closed.presence_id, now + pace.AWAY_AFTER / self._settings.speed)
        self._replan(now)
        return self._with_wake(now, [])

    def connected_elsewhere(self, guests: frozenset[UUID], now: float) -> list[Effect]:
        """The set of guests who are connected to other nodes has changed."""
        return self._set_presence(self.presence.set_elsewhere(guests, now), now)

    def command_received(self, connection: Connection, id_: str, command: Command, now: float) -> list[Effect]:
        """A guest has sent a command; the same id again gets the same answer."""
        sender = self._members.get(connection)
        if sender is None:
            return []
        key = f"{sender.guest_key}:{id_}"
        self._pending.append(PendingCommand(command, key, sender.guest, sender, id=id_, received_at=now))
        return self._process(now, [])

    def command_requested(self, request: object, guest: UUID, id_: str, command: Command, now: float) -> list[Effect]:
        """A guest has sent a command without a connection: it is answered by a reply with the table's view."""
        key = f"{guest.hex}:{id_}"
        self._pending.append(PendingCommand(command, key, guest, request=request, id=id_, received_at=now))
        return self._process(now, [])

    def knocked(self, guest: UUID, name: str, now: float) -> list[Effect]:
        """A stranger knocks. There are no effects if the players do not hear it."""
        if not is_heard(self.table, guest, self.presence.present):
            return []
        self._pending.append(PendingCommand(Knock(guest, name), f"knock:{guest.hex}:{self.table.version}"))
        return self._process(now, [])

    def woken(self, now: float) -> list[Effect]:
        """The time of the last `Wake` has come."""
        self._schedule.wake_at = None
        out = self._set_presence(self.presence.expire(now), now)
        if (self._schedule.long_away(now), self._schedule.idle(now)) != self._sent:
            self._broadcast((), now, out)
        if not self._pending and not self._in_flight:
            due = self._schedule.due(now)
            if due is not None:
                command, key = due
                self._pending.append(PendingCommand(command, f"house:{key}"))  # a public prefix, stored in logs
        return self._process(now, out)

    def committed(self, append: Append, now: float) -> list[Effect]:
        """The entry is durable."""
        out: list[Effect] = []
        pending = self._take_in_flight(append)
        if pending is not None:
            self._apply(pending.steps, pending.key, now, out, pending)
        return self._process(now, out)

    def conflicted(self, append: Append, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Another writer was first: apply its commits and decide again. Without new commits the table was deleted."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        pending = self._take_in_flight(append)
        if pending is not None:
            if self.table.version == append.version:
                return [*out, *self.failed()]
            if pending.received_at is None or now - pending.received_at < CONTENDED_SECONDS:
                self._pending.appendleft(pending)
            else:
                self._answer_rejection(pending, _CONTENDED, out)  # the same id may be sent again
        return self._process(now, out)

    def commits_received(self, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Other nodes have written; raises `Unknown` for entries of a newer program."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        return self._process(now, out)

    def failed(self) -> list[Effect]:
        """The outcome of the append is unknown: clients reconnect and send the same command id again."""
        waiting = [*([] if self._in_flight is None else [self._in_flight]), *self._pending]
        self._in_flight = None
        self._pending.clear()
        replies = [Reply(one.request, _BUSY) for one in waiting if one.request is not None]
        return [*replies, *(Close(connection, effects.SERVICE_RESTART, "come back") for connection in self._members)]

    # from a command to an append

    def _process(self, now: float, out: list[Effect]) -> list[Effect]:
        """Decide pending commands until one is in flight."""
        while self._pending and self._in_flight is None:
            self._decide(self._pending.popleft(), now, out)
        return out if self._in_flight is not None else self._with_wake(now, out)  # its commit sets the next wake

    def _decide(self, pending: PendingCommand, now: float, out: list[Effect]) -> None:
        """Turn a command into an append, a refusal, or a repeated answer."""
        rejection = self._dedup.rejection(pending.key)
        if rejection is not None:
            return self._reject(pending, rejection, now, out)
        if self._dedup.is_done(pending.key):
            return self._answer_repeated(pending, now, out)
        if self._dedup.may_be_forgotten(pending.key):
            return self._reject(pending, _FORGOTTEN, now, out)
        command, table = pending.command, self.table
        try:
            if isinstance(command, AddBot):
                command = fill_bot_defaults(command, table, self._new_seed())
            entry, pending.steps = decide(self._context(pending, now), command)
        except Illegal as illegal:
            return self._reject(pending, Rejection(illegal.reason, illegal.detail), now, out)
        if isinstance(command, Vote) and pending.guest is not None:
            self._votes.cast(table, pending.guest, command.believe)
        if not pending.steps:
            return self._answer_repeated(pending, now, out)
        self._in_flight = pending
        pending.append = Append(table.version, pending.key, encode(entry))
        return out.append(pending.append)

    def _context(self, pending: PendingCommand, now: float) -> Context:
        idle = self._schedule.idle(now)
        return Context(
            self.table,
            pending.guest,
            at=self._schedule.table_time(now, self.determinism.tick),
            present=self.presence.present,
            seed=self._new_seed,
            away=self._schedule.long_away(now),
            name_keys=self._settings.name_keys,
            idle_seat=idle.seat if idle is not None and idle.help else None,
            bot_move=self._bot_move(pending.command) if isinstance(pending.command, BotMove) else None,
            votes=self._votes.count(self.table) if self._votes.believes else None,
        )

    def _new_seed(self) -> int:
        return self.determinism.seed_for(self.table)

    def _bot_move(self, command: BotMove) -> Move | None:
        """Return what a computer player would do, or None if that is not the seat whose move it is."""
        if self.table.spoken or self.table.due.seat != command.seat:
            return None
        try:
            return self._bots.move(self.table, command.seat)
        except Exception:  # a broken computer player must not break the table
            log.exception("computer player failed")
            return None

    def _reject(self, pending: PendingCommand, rejection: Rejection, now: float, out: list[Effect]) -> None:
        if pending.guest is None:
            self._replan(now, refused=pending.command)
        else:
            self._dedup.add_refused(pending.key, rejection)
        self._answer_rejection(pending, rejection, out)

    def _answer_rejection(self, pending: PendingCommand, rejection: Rejection, out: list[Effect]) -> None:
        reason = rejection.reason.value
        if pending.sender is not None:
            out.append(Send(pending.sender.connection, encode_no(pending.id, reason, rejection.detail)))
        elif pending.request is not None:
            out.append(Reply(pending.request, Illegal(*rejection)))
        out.append(CommandOutcome(reason, pending.received_at))

    def _answer_repeated(self, pending: PendingCommand, now: float, out: list[Effect]) -> None:
        """Acknowledge a command that was carried out before, or that changes nothing."""
        sender = pending.sender
        if pending.guest is None:
            self._replan(now, refused=pending.command)
        elif pending.request is not None:
            out.append(Reply(pending.request, view_table(self.table, self.presence.present)))
        elif sender is not None and self._members.get(sender.connection) is sender:
            self._send_current(sender, now, out, pending.id)
        out.append(CommandOutcome("repeated", pending.received_at))

    def _take_in_flight(self, append: Append) -> PendingCommand | None:
        """Take the command in flight; return None if its commit was already received from another node."""
        pending = self._in_flight
        if pending is None or pending.append != append:
            return None
        self._in_flight = None
        return pending

    # from a commit to what guests see

    def _apply_commits(self, commits: Iterable[Commit], now: float, out: list[Effect]) -> None:
        for commit in commits:
            if commit.version != self.table.version + 1:
                continue
            pending = self._in_flight
            if pending is not None and pending.key == commit.key:  # our own entry, before its `committed`
                self._in_flight = None
            else:
                pending = None
            self._apply(steps(self.table, decode(commit.events)), commit.key, now, out, pending)

    def _apply(
        self, entry: tuple[Step, ...], key: str, now: float, out: list[Effect], pending: PendingCommand | None
    ) -> None:
        """Apply a durable entry and broadcast it. `pending` is the command, if it was ours."""
        if pending is None:
            self._add_votes(entry)
        before = self.table
        happened = self._advance(entry)
        self._dedup.add_done(key, self.table.version)
        self._schedule.committed(now, is_new_decision=self.table.since != before.since)
        self._schedule.replan(self.table, self.presence, now, is_awake=bool(self._members))
        self._broadcast(happened, now, out, pending)
        if any(type(step.event) is not Played for step in entry):
            self._close_excluded(out)
        if pending is not None:
            if pending.request is not None:
                out.append(Reply(pending.request, view_table(self.table, self.presence.present)))
            out.append(CommandOutcome("done", pending.received_at, happened))
        is_dealt = self.table.dealt != before.dealt
        if is_dealt or (self.table.version % SNAPSHOT_EVERY == 0 and self.table.stage != "play"):
            out.append(SaveSnapshot(self.table.version, SNAPSHOT_SCHEMA, encode_table(self.table)))

    def _advance(self, entry: tuple[Step, ...]) -> tuple[Shown, ...]:
        """Advance table and computer players, and return what guests are shown."""
        happened: list[Shown] = []
        for step in entry:
            before, after = step.before.round, step.after.round
            happened += shown(step)
            if step.rule_events and after is not None:
                seen = self._round_view
                view = view_round(after) if seen is None or before is None else view_after(seen, before, after)
                self._round_view = view
                self._bots.see(step, view)
                happened += remarks(step)
            elif after is not before:
                self._round_view = None
                self._bots.deal(step.after)
        self.table = entry[-1].after
        return tuple(happened)

    def _add_votes(self, entry: tuple[Step, ...]) -> None:
        """Add the votes of this node's guests to a refusal that another node wrote, before any other command."""
        command = self._votes.count_after(entry)
        if command is not None:
            key = f"house:votes.{entry[-1].after.dealt}.{command.turn}.{self._votes.last_voter}"
            self._pending.appendleft(PendingCommand(command, key))

    def _set_presence(self, presence: Presence, now: float) -> list[Effect]:
        out: list[Effect] = []
        if presence != self.presence:
            changed = presence.present != self.presence.present
            self.presence = presence
            self._replan(now)
            if changed:
                self._broadcast((), now, out)
        return self._with_wake(now, out)

    def _replan(self, now: float, refused: Command | None = None) -> None:
        """Plan anew after a change, or after a planned command was `refused`."""
        self._schedule.replan(self.table, self.presence, now, is_awake=bool(self._members), refused=refused)

    def _with_wake(self, now: float, out: list[Effect]) -> list[Effect]:
        return self._schedule.add_wake(now, out, in_flight=self._in_flight is not None)

    def _broadcast(
        self, happened: tuple[Shown, ...], now: float, out: list[Effect], pending: PendingCommand | None = None
    ) -> None:
        """Send the current state to all connections, and an acknowledgement to the sender of the command."""
        self._update_encoder(now)
        encoder, sender = self._encoder, pending.sender if pending is not None else None
        full = delta = b""
        for member in self._members.values():
            personal = encoder.encode_personal(member.guest)
            ack = pending.id if pending is not None and member is sender else None
            if member.wants_deltas and member.last_personal:
                delta = delta or encoder.encode_delta(happened)
                message = encode_state(delta, personal if personal != member.last_personal else b"", ack)
            else:
                full = full or encoder.encode_full(happened)
                message = encode_state(full, personal, ack)
            member.last_personal = personal
            out.append(Send(member.connection, message))

    def _send_current(self, member: Member, now: float, out: list[Effect], ack: str | None = None) -> None:
        """Send the current state without events to one connection."""
        if not self._encoder.has_state:
            self._update_encoder(now)
        member.last_personal = self._encoder.encode_personal(member.guest)
        current = self._encoder.encode_current(self._schedule.deadline(now))
        out.append(Send(member.connection, encode_state(current, member.last_personal, ack)))

    def _update_encoder(self, now: float) -> None:
        schedule, present = self._schedule, self.presence.present
        away, idle = self._sent = schedule.long_away(now), schedule.idle(now)
        deadline = schedule.deadline(now)
        self._encoder.update(self.table, present, deadline, self._round_view, away, schedule.speed, idle)

    def _close_excluded(self, out: list[Effect]) -> None:
        """Close the connections of guests who may no longer be at the table, with the reason."""
        for member in self._members.values():
            limit = entrance_limit(self.table, member.guest, "connection")
            if limit is not None:
                out.append(Close(member.connection, effects.POLICY_VIOLATION, limit))
