"""A room: one table being played, without I/O. Each method reports an input and returns the effects, in order.

One entry is in flight at a time; a command that lost a conflict is decided again. The same calls give the same bytes.
"""

import logging
from collections import deque
from collections.abc import Iterable
from functools import partial
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from notahat.gifts.hat_file import NameKeys
from notahat.live import pace
from notahat.live.bot_defaults import fill_bot_defaults
from notahat.live.bot_players import BotPlayers, remarks
from notahat.live.connections import Connections, GuestConnection
from notahat.live.dedup import Deduplicator
from notahat.live.determinism import SYSTEM, Determinism
from notahat.live.effects import Append, CommandOutcome, Connection, Effect, Reply, SaveSnapshot, Send, Wake
from notahat.live.idle import IdleWatch
from notahat.live.plan import Plan, next_plan
from notahat.live.presence import NOBODY, Presence
from notahat.live.votes import Votes
from notahat.rules import Illegal, Move, Round, View, legal
from notahat.rules import view as view_round
from notahat.rules.view import view_after
from notahat.table import Idle, IssuedCommand, Seat, Shown, Step, Table, decide, fold, shown, steps
from notahat.table import view as view_table
from notahat.table.big_screen import screen_id
from notahat.table.commands import AddBot, AnyGuestCommand, BotMove, Command, ExpireKnock, Knock, Vote
from notahat.table.events import Played, decode, encode
from notahat.table.knocks import KNOCK_SECONDS, is_heard
from notahat.table.name import folded_name_keys
from notahat.table.permissions import Rejection
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table
from notahat.wire.messages import encode_no
from notahat.wire.reasons import ServerReason

log = logging.getLogger("notahat.room")

MOST_TRIES = 50
SNAPSHOT_EVERY = 256


class Commit(Protocol):
    """An entry as the store returns it."""

    @property
    def version(self) -> int: ...
    @property
    def command(self) -> str: ...
    @property
    def events(self) -> bytes: ...


class RoomSettings(Struct, frozen=True, kw_only=True):
    """What all rooms of a host have in common. `stagger` delays plans, differently on each node, so that not all of
    them try at once.
    """

    speed: float = 1.0
    stagger: float = 0.0
    determinism: Determinism = SYSTEM
    name_keys: NameKeys = folded_name_keys


DEFAULTS = RoomSettings()


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


class Room:
    """The current state of one table, its connections, its presence and its plan."""

    def __init__(self, table: Table, now: float, settings: RoomSettings) -> None:
        self.table = table
        self.presence = Presence()
        self.determinism = settings.determinism.of(table)
        self._settings = settings
        self._long_away_seconds = pace.LONG_AWAY / settings.speed
        self._connections = Connections()
        self._bots = BotPlayers()
        self._idle = IdleWatch()
        self._votes = Votes()
        self._dedup = Deduplicator()
        self._round_view: View | None = None
        self._pending: deque[PendingCommand] = deque()
        self._in_flight: PendingCommand | None = None
        self._plan: Plan | None = None
        self._refused_plan: Command | None = None  # not to be tried again before the table or presence changes
        self._wake_at: float | None = None
        self._last_commit_at = now
        self._decision_began = now
        self._awake_since = now
        self._absent: tuple[tuple[UUID, float], ...] = ()  # players who are away, and since when
        self._absent_from: tuple[Presence, tuple[Seat, ...]] = (self.presence, ())  # what `_absent` was computed from
        self._sent_long_away = NOBODY  # guests away for long, as of the last broadcast
        self._sent_idle: Idle | None = None

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
            room._dedup.add_done(commit.command)
        if room is not None:
            room._last_commit_at = now - max(0.0, at - room.table.at)
        return room

    @property
    def idle(self) -> bool:
        """Whether no guest is connected or lingers, and nothing is in flight."""
        return not (self._connections or self.presence.lingering or self._in_flight)

    @property
    def speed(self) -> float:
        """The speed factor of the server and of the table's pace."""
        return self._settings.speed * pace.SPEED[self.table.options.pace]

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._connections)

    def connection_count(self, guest: UUID) -> int:
        return self._connections.count(guest)

    def pending_commands(self, connection: Connection) -> int:
        """Return how many commands of a connection wait for the one in flight."""
        if not self._pending:
            return 0
        return sum(one.sender is not None and one.sender.connection is connection for one in self._pending)

    def connected(
        self, connection: Connection, guest: UUID, now: float, wants_deltas: bool = False, screen: bool = False
    ) -> list[Effect]:
        """A guest has connected: send the current state, and their presence to all others. A `screen` that only shows
        the table is present as itself, not as the guest.
        """
        if not self._connections:  # the clock of a sleeping table starts again
            self._decision_began = self._awake_since = now
        presence_id = screen_id(guest) if screen and guest != self.table.screen else guest
        opened = self._connections.open(connection, guest, wants_deltas, presence_id)
        was_present = presence_id in self.presence.present
        self.presence = self.presence.connect(presence_id)
        self._replan()
        out: list[Effect] = []
        if was_present:
            self._send_current(opened, now, out)
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
        self, connection: Connection, id_: str, command: AnyGuestCommand, now: float, seed: int
    ) -> list[Effect]:
        """A guest has sent a command; the same id again gets the same answer."""
        sender = self._connections.get(connection)
        if sender is None:
            return []
        key = f"{sender.guest_key}:{id_}"
        self._pending.append(PendingCommand(command, key, seed, sender.guest, sender, id=id_, received_at=now))
        return self._process_pending(now, [])

    def command_requested(
        self, request: object, guest: UUID, id_: str, command: AnyGuestCommand, now: float, seed: int
    ) -> list[Effect]:
        """A guest has sent a command without a connection: it is answered by a reply with the table's view."""
        key = f"{guest.hex}:{id_}"
        self._pending.append(PendingCommand(command, key, seed, guest, request=request, id=id_, received_at=now))
        return self._process_pending(now, [])

    def knocked(self, guest: UUID, name: str, now: float) -> list[Effect]:
        """A stranger knocks. There are no effects if the players do not hear it."""
        if not is_heard(self.table, guest, self.presence.present):
            return []
        key = f"knock:{guest.hex}:{self.table.version}"
        self._pending.append(PendingCommand(Knock(guest, name), key, 0))
        return self._process_pending(now, [])

    def woken(self, now: float, seed: int) -> list[Effect]:
        """The time of the last `Wake` has come."""
        self._wake_at = None
        out = self._set_presence(self.presence.expire(now), now)
        if self._long_away(now) != self._sent_long_away or self._idle.idle(now) != self._sent_idle:
            self._broadcast((), now, out)
        self._expire_knocks(now)
        plan = self._plan
        if plan is not None and plan.at + self._settings.stagger <= now and not self._pending and not self._in_flight:
            key = f"house:{plan.key or f'v{self.table.version}'}"  # a public prefix, stored in logs
            self._pending.append(PendingCommand(plan.command, key, seed))
        return self._process_pending(now, out)

    def _expire_knocks(self, now: float) -> None:
        """Forget the stranger who has waited for too long without an answer."""
        at = self._next_knock_expiry()
        if at is not None and at <= now and not self._pending:
            expire = ExpireKnock(self.table.door.knocks[0].guest)
            self._pending.append(PendingCommand(expire, f"house:v{self.table.version}", 0))

    def committed(self, append: Append, now: float) -> list[Effect]:
        """The entry is durable."""
        out: list[Effect] = []
        pending = self._pop_in_flight(append)
        if pending is not None:
            self._apply(pending.steps, pending.key, now, out, pending)
        return self._process_pending(now, out)

    def conflicted(self, append: Append, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Another writer was first: apply its commits and decide again. Without new commits the table was deleted."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        pending = self._pop_in_flight(append)
        if pending is not None:
            pending.tries += 1
            if self.table.version == append.version:
                return [*out, *self.failed()]
            if pending.tries < MOST_TRIES:
                self._pending.appendleft(pending)
            else:
                self._reject_contended(pending, out)
        return self._process_pending(now, out)

    def commits_received(self, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Other nodes have written; raises `Unknown` for entries of a newer program."""
        out: list[Effect] = []
        self._apply_commits(commits, now, out)
        return self._process_pending(now, out)

    def failed(self) -> list[Effect]:
        """The outcome of the append is unknown: clients reconnect and send the same command id again."""
        waiting = [*([self._in_flight] if self._in_flight is not None else []), *self._pending]
        self._pending.clear()
        self._in_flight = None
        busy = Illegal(ServerReason.BUSY, "try again in a moment")
        replies = [Reply(one.request, busy) for one in waiting if one.request is not None]
        return [*replies, *self._connections.close_all()]

    def _pop_in_flight(self, append: Append) -> PendingCommand | None:
        """Take the command in flight; return None if its commit was already received from another node."""
        pending = self._in_flight
        if pending is None or pending.append != append:
            return None
        self._in_flight = None
        return pending

    def _apply_commits(self, commits: Iterable[Commit], now: float, out: list[Effect]) -> None:
        for commit in commits:
            if commit.version != self.table.version + 1:
                continue
            pending = self._in_flight
            if pending is not None and pending.key == commit.command:
                self._in_flight = None  # our own entry, before its `committed`
            else:
                pending = None
            self._apply(steps(self.table, decode(commit.events)), commit.command, now, out, pending)

    def _process_pending(self, now: float, out: list[Effect]) -> list[Effect]:
        """Decide pending commands until one is in flight."""
        while self._pending and self._in_flight is None:
            self._decide(self._pending.popleft(), now, out)
        return self._with_wake(now, out)

    def _decide(self, pending: PendingCommand, now: float, out: list[Effect]) -> None:
        rejection = self._dedup.rejection(pending.key)
        if rejection is not None:
            return self._reject(pending, rejection, out)
        if self._dedup.is_done(pending.key):
            return self._answer_repeated(pending, now, out)
        try:
            entry, pending.steps = decide(self.table, self._issue(pending, now))
        except Illegal as illegal:
            return self._reject(pending, Rejection(illegal.reason, illegal.detail), out)
        if isinstance(pending.command, Vote) and pending.sender is not None:
            self._votes.cast(self.table, pending.sender.guest, pending.command.believe)
        if not pending.steps:
            return self._answer_repeated(pending, now, out)
        self._in_flight = pending
        pending.append = Append(self.table.version, pending.key, encode(entry))
        return out.append(pending.append)

    def _issue(self, pending: PendingCommand, now: float) -> IssuedCommand:
        command = pending.command
        if isinstance(command, AddBot):
            command = fill_bot_defaults(command, self.table, pending.seed)
        idle = self._idle.idle(now)
        return IssuedCommand(
            command,
            pending.guest,
            self._table_time(now),
            self.presence.present,
            pending.seed,
            self._long_away(now),
            self._settings.name_keys,
            idle_seat=idle.seat if idle is not None and idle.help else None,
            bot_move=self._bot_move(command) if isinstance(command, BotMove) else None,
            votes=self._votes.count(self.table),
        )

    def _bot_move(self, command: BotMove) -> Move | None:
        """Return what a computer player would do, or None if that is not the seat whose move it is."""
        round_ = self.table.round
        if round_ is None or self.table.spoken or legal(round_).seat != command.seat:
            return None
        try:
            return self._bots.move(self.table, command.seat)
        except Exception:  # a broken computer player must not break the table
            log.exception("computer player failed")
            return None

    def _reject(self, pending: PendingCommand, rejection: Rejection, out: list[Effect]) -> None:
        if pending.guest is None:
            self._skip_plan(pending)
        else:
            self._dedup.add_refused(pending.key, rejection)
        self._answer_rejection(pending, rejection, out)

    def _reject_contended(self, pending: PendingCommand, out: list[Effect]) -> None:
        """Refuse a command that lost too many conflicts. The same id may be sent again."""
        detail = f"other nodes wrote first {MOST_TRIES} times; try again"
        self._answer_rejection(pending, Rejection(ServerReason.TOO_FAST, detail), out)

    def _answer_rejection(self, pending: PendingCommand, rejection: Rejection, out: list[Effect]) -> None:
        reason = rejection.reason.value
        if pending.sender is not None:
            out.append(Send(pending.sender.connection, encode_no(pending.id, reason, rejection.detail)))
        elif pending.request is not None:
            out.append(Reply(pending.request, Illegal(*rejection)))
        out.append(CommandOutcome(reason, pending.received_at))

    def _skip_plan(self, pending: PendingCommand) -> None:
        """Do not try a refused plan again before something changes."""
        self._refused_plan = pending.command
        self._replan()

    def _answer_repeated(self, pending: PendingCommand, now: float, out: list[Effect]) -> None:
        """Acknowledge a command that was carried out before, or that changes nothing."""
        if pending.guest is None:
            self._skip_plan(pending)
        elif pending.request is not None:
            out.append(Reply(pending.request, view_table(self.table, self.presence.present)))
        elif pending.sender is not None and self._connections.get(pending.sender.connection) is pending.sender:
            self._send_current(pending.sender, now, out, pending.id)
        out.append(CommandOutcome("repeated", pending.received_at))

    def _apply(
        self, entry: tuple[Step, ...], key: str, now: float, out: list[Effect], pending: PendingCommand | None
    ) -> None:
        """Apply a durable entry and broadcast it. `pending` is the command, if it was ours."""
        if pending is None:
            self._count_votes(entry[0])
        since, dealt = self.table.since, self.table.dealt
        happened = self._advance(entry)
        self._dedup.add_done(key)
        self._refused_plan = None
        self._last_commit_at = now
        if self.table.since != since:
            self._decision_began = now
        self._replan()
        self._broadcast(happened, now, out, pending)
        if any(type(step.event) is not Played for step in entry):
            out += self._connections.close_excluded(self.table)
        if pending is not None:
            if pending.request is not None:
                out.append(Reply(pending.request, view_table(self.table, self.presence.present)))
            out.append(CommandOutcome("done", pending.received_at))
        if self.table.dealt != dealt or (self.table.version % SNAPSHOT_EVERY == 0 and self.table.stage != "play"):
            out.append(SaveSnapshot(self.table.version, SNAPSHOT_SCHEMA, encode_table(self.table)))

    def _advance(self, entry: tuple[Step, ...]) -> tuple[Shown, ...]:
        """Advance table and computer players, and return what guests are shown."""
        happened: list[Shown] = []
        for step in entry:
            happened += shown(step)
            if step.rule_events and step.after.round is not None:
                self._round_view = self._view_after(step.before.round, step.after.round)
                self._bots.see(step, self._round_view)
                happened += remarks(step)
            elif step.after.round is not step.before.round:
                self._round_view = None
                self._bots.deal(step.after)
        self.table = entry[-1].after
        return tuple(happened)

    def _count_votes(self, step: Step) -> None:
        """Add the votes of this node's guests to a refusal that another node wrote, before any other command."""
        command = self._votes.count_after(step)
        if command is not None:
            key = f"house:votes.{step.after.dealt}.{command.turn}.{self._votes.last_voter}"
            self._pending.appendleft(PendingCommand(command, key, seed=0))

    def _view_after(self, before: Round | None, after: Round) -> View:
        view = self._round_view
        return view_round(after) if view is None or before is None else view_after(view, before, after)

    def _set_presence(self, presence: Presence, now: float) -> list[Effect]:
        out: list[Effect] = []
        if presence != self.presence:
            changed = presence.present != self.presence.present
            self.presence = presence
            self._refused_plan = None
            self._replan()
            if changed:
                self._broadcast((), now, out)
        return self._with_wake(now, out)

    def _replan(self) -> None:
        """Update absences and the plan. A table without connections sleeps: it has no plan, and its clock stops."""
        if self.presence is not self._absent_from[0] or self.table.seats is not self._absent_from[1]:
            self._absent_from = self.presence, self.table.seats
            players = [seat.guest for seat in self.table.seats if seat.guest is not None]
            self._absent = self.presence.absent(players, self._awake_since)
        self._plan = None
        if not self._connections:
            return
        try:
            plan = next_plan(self.table, self.presence, self._bots, self._decision_began, self._awake_since, self.speed)
        except Exception:  # a computer player may fail, but an acknowledged entry must still be broadcast
            log.exception("planning failed")
        else:
            self._plan = plan if plan is None or plan.command != self._refused_plan else None

    def _with_wake(self, now: float, out: list[Effect]) -> list[Effect]:
        """Add a `Wake` if the next time changed. While an entry is in flight, the plan waits for it."""
        self._idle.observe(self.table, self.presence.present, now)
        times = (
            self._next_presence_change(now) if self._absent or self.presence.lingering else None,
            self._idle.next_change(now) if self._connections else None,
            self._plan.at + self._settings.stagger if self._plan is not None and self._in_flight is None else None,
            self._next_knock_expiry(),
        )
        at = min((one for one in times if one is not None), default=None)
        if at != self._wake_at:
            self._wake_at = at
            out.append(Wake(at))
        return out

    def _next_knock_expiry(self) -> float | None:
        """Return when the knock that waits longest ends. While an entry is in flight, it waits for that."""
        if not self.table.door.knocks or not self._connections or self._in_flight is not None:
            return None
        waited = self.table.at - self.table.door.knocks[0].at
        return self._last_commit_at + KNOCK_SECONDS - waited + self._settings.stagger

    def _table_time(self, now: float) -> float:
        """Return the table's own time, which no changed or differing wall clock can make jump."""
        return self.table.at + (self.determinism.tick or round(max(0.0, now - self._last_commit_at), 3))

    def _seconds_left(self, now: float) -> float | None:
        return self._plan.at - now if self._plan is not None and self._plan.has_deadline else None

    def _broadcast(
        self, happened: tuple[Shown, ...], now: float, out: list[Effect], pending: PendingCommand | None = None
    ) -> None:
        """Send the current state to all connections."""
        self._update_encoder(now)
        sender, ack = (pending.sender, pending.id) if pending is not None else (None, None)
        self._connections.broadcast(happened, out, sender, ack)

    def _send_current(self, one: GuestConnection, now: float, out: list[Effect], ack: str | None = None) -> None:
        if not self._connections.encoder.has_state:
            self._update_encoder(now)
        self._connections.send_current(one, self._seconds_left(now), out, ack)

    def _update_encoder(self, now: float) -> None:
        self._idle.observe(self.table, self.presence.present, now)
        seconds, self._sent_long_away = self._seconds_left(now), self._long_away(now)
        self._sent_idle = self._idle.idle(now)
        self._connections.encoder.update(
            self.table,
            self.presence.present,
            seconds,
            self._round_view,
            self._sent_long_away,
            self.speed,
            self._sent_idle,
        )

    def _long_away(self, now: float) -> frozenset[UUID]:
        """Return the players who have been away for so long that others may act for them."""
        if not self._absent:
            return NOBODY
        return frozenset(guest for guest, since in self._absent if since + self._long_away_seconds <= now)

    def _next_presence_change(self, now: float) -> float | None:
        """Return when a lingering guest will be away, or an absent player away for long."""
        times = [since + self._long_away_seconds for _, since in self._absent] if self._connections else []
        expiry = self.presence.next_expiry()
        times = [at for at in times if at > now] + ([] if expiry is None else [expiry])
        return min(times, default=None)
