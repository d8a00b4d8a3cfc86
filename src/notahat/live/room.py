"""A room: one table being played, as a machine that does no I/O. Every call says what came in and returns what should
go out, in order. One entry is in flight at a time; who came second decides again. The same calls give the same bytes.
"""

import logging
from collections import deque
from collections.abc import Iterable
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from notahat.live import daily, pace
from notahat.live.bot_defaults import introduced
from notahat.live.bot_players import Minds, remarks
from notahat.live.connections import Line, Lines
from notahat.live.dedup import Answers
from notahat.live.effects import Answered, Append, Connection, Effect, Keep, Send, Wake
from notahat.live.plan import Plan, next_plan
from notahat.live.presence import NOBODY, Presence
from notahat.rules import Illegal, Round, View
from notahat.rules import view as view_round
from notahat.rules.view import view_after
from notahat.table import (
    Order,
    Seat,
    Shown,
    Step,
    Table,
    fold,
    resolve,
    shown,
    steps,
)
from notahat.table.big_screen import screen_of
from notahat.table.commands import Command, Wish
from notahat.table.events import Played, decode, encode
from notahat.table.name import Looks, folded
from notahat.table.permissions import Objection
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table
from notahat.wire.messages import write_no
from notahat.wire.reasons import ServerReason

log = logging.getLogger("notahat.room")

MOST_TRIES = 50
READ_BACK = 1000  # commands before a snapshot that somebody might still send again, after a long time away
SNAPSHOT_EVERY = 256


class Commit(Protocol):
    """An entry as it was written."""

    @property
    def version(self) -> int: ...
    @property
    def command(self) -> str: ...
    @property
    def events(self) -> bytes: ...


class Ask(Struct, eq=False):
    """An order that waits to be decided, or for its commit. The house has no line."""

    command: Command
    key: str
    luck: int
    line: Line | None = None
    id: str | None = None
    came: float | None = None
    steps: tuple[Step, ...] = ()
    tries: int = 0


class Room:
    """One table's present, and who is here to see it."""

    def __init__(
        self,
        table: Table,
        now: float,
        speed: float = 1.0,
        late: float = 0.0,
        tick: float = 0.0,
        looks: Looks = folded,
    ) -> None:
        self.table = table
        self.presence = Presence()
        self._speed = speed
        self._long_away = pace.LONG_AWAY / speed
        self._late = late  # nodes that share a table wait each their own moment, so that they do not all try at once
        self._tick = tick or (
            daily.SECONDS if table.day is not None else 0.0
        )  # where it is set, the table's time goes on by so much with each entry, and by nothing else
        self._looks = looks  # what names look like to people
        self._lines = Lines()
        self._minds = Minds()
        self._answers = Answers()
        self._view: View | None = None
        self._waiting: deque[Ask] = deque()
        self._in_flight: Ask | None = None
        self._plan: Plan | None = None
        self._given_up: Command | None = None  # refused, and not to be tried again before something changes
        self._wake: float | None = None
        self._taken = now  # when the newest entry was taken in
        self._began = now  # when the present decision began, as far as waiting goes
        self._awake = now
        self._absent: tuple[tuple[UUID, float], ...] = ()  # who plays here and is away, and since when
        self._counted: tuple[Presence, tuple[Seat, ...]] = (self.presence, ())
        self._away = NOBODY  # who is missed for long, as it was told last

    @classmethod
    def open(
        cls,
        snapshot: tuple[int, bytes] | None,
        commits: Iterable[Commit],
        now: float,
        at: float = 0.0,
        speed: float = 1.0,
        late: float = 0.0,
        tick: float = 0.0,
        looks: Looks = folded,
    ) -> "Room | None":
        """A table from its newest snapshot (schema and state) and its commits; None where there is none.

        Commits from before the snapshot are only remembered. `at` is the time of day: the table's own time goes on
        from there or from its newest entry, whichever is later, and from then on by `now` alone.
        """
        table = decode_table(*snapshot) if snapshot else None
        room = None if table is None else cls(table, now, speed, late, tick, looks)
        if room is not None and room.table.stage == "play":
            room._minds.deal(room.table)  # snapshots are made when a round is dealt or none is played
        for commit in commits:
            if room is None:
                room = cls(fold(None, (decode(commit.events),)), now, speed, late, tick, looks)
            elif commit.version > room.table.version:
                room._take(steps(room.table, decode(commit.events)))
            room._answers.remember(commit.command)
        if room is not None:
            room._taken = now - max(0.0, at - room.table.at)
        return room

    @property
    def idle(self) -> bool:
        """Nobody is connected, nobody was a moment ago, and nothing is in flight."""
        return not (self._lines or self.presence.lingering or self._in_flight)

    @property
    def speed(self) -> float:
        """How much faster than normal everything goes here."""
        return self._speed * pace.SPEED[self.table.options.pace]

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(self._lines)

    def connections_of(self, guest: UUID) -> int:
        return self._lines.of(guest)

    def in_line(self, connection: Connection) -> int:
        """How many orders of a connection wait for the one in flight."""
        if not self._waiting:
            return 0
        return sum(ask.line is not None and ask.line.connection is connection for ask in self._waiting)

    def arrived(
        self, connection: Connection, guest: UUID, now: float, changes: bool = False, screen: bool = False
    ) -> list[Effect]:
        """Somebody is connected: they get the present at once, and the others see that they are here. A `screen` for
        a whole room is nobody who sits or watches.
        """
        if not self._lines:  # whoever comes to a sleeping table has all the time that was left to nobody
            self._began = self._awake = now
        who = screen_of(guest) if screen and guest != self.table.screen else guest
        line = self._lines.open(connection, guest, changes, who)
        known = who in self.presence.everybody
        self.presence = self.presence.arrived(who)
        self._look_ahead()
        out: list[Effect] = []
        if known:
            self._tell_present(line, now, out)
        else:
            self._tell((), now, out)
        return self._and_wake(now, out)

    def left(self, connection: Connection, now: float) -> list[Effect]:
        """A connection is gone."""
        line = self._lines.close(connection)
        if line is None:
            return []
        if not self._lines.has(line.who):
            self.presence = self.presence.left(line.who, now + pace.AWAY_AFTER / self._speed)
        self._look_ahead()
        return self._and_wake(now, [])

    def elsewhere(self, guests: frozenset[UUID], now: float) -> list[Effect]:
        """Who is connected to other nodes."""
        return self._moved(self.presence.at_other_nodes(guests, now), now)

    def ordered(self, connection: Connection, id_: str, command: Wish, now: float, luck: int) -> list[Effect]:
        """A guest gives an order; the same id again gets the same answer."""
        line = self._lines.get(connection)
        if line is None:
            return []
        self._waiting.append(Ask(command, f"{line.name}:{id_}", daily.luck_for(self.table, luck), line, id_, now))
        return self._go_on(now, [])

    def woken(self, now: float, luck: int) -> list[Effect]:
        """The time has come that was wished for."""
        self._wake = None
        out = self._moved(self.presence.settled(now), now)
        if self._missed(now) != self._away:
            self._tell((), now, out)
        plan = self._plan
        if plan is not None and plan.at + self._late <= now and not self._waiting and not self._in_flight:
            key = f"house:{plan.key or f'v{self.table.version}'}"
            self._waiting.append(Ask(plan.command, key, daily.luck_for(self.table, luck)))
        return self._go_on(now, out)

    def committed(self, version: int, now: float) -> list[Effect]:
        """The entry that was to follow `version` is durable."""
        out: list[Effect] = []
        ask = self._landed(version)
        if ask is not None:
            self._happened(ask.steps, ask.key, now, out, ask)
        return self._go_on(now, out)

    def repeated(self, version: int, now: float) -> list[Effect]:
        """The order of that entry was carried out long ago."""
        out: list[Effect] = []
        ask = self._landed(version)
        if ask is not None:
            self._answer_again(ask, now, out)
        return self._go_on(now, out)

    def overtaken(self, version: int, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Somebody else wrote first: take that in, and decide again. With nothing new the table is gone."""
        out: list[Effect] = []
        self._take_in(commits, now, out)
        ask = self._landed(version)
        if ask is not None:
            ask.tries += 1
            if self.table.version == version:
                return out + self.failed()
            if ask.tries < MOST_TRIES:
                self._waiting.appendleft(ask)
            else:
                self._put_off(ask, out)
        return self._go_on(now, out)

    def news(self, commits: Iterable[Commit], now: float) -> list[Effect]:
        """What was written elsewhere; raises `Unknown` for what only a newer program can read."""
        out: list[Effect] = []
        self._take_in(commits, now, out)
        return self._go_on(now, out)

    def failed(self) -> list[Effect]:
        """Nobody knows whether the order in flight happened: all come back in a moment, and send the same id again."""
        self._waiting.clear()
        self._in_flight = None
        return self._lines.send_away()

    def _landed(self, version: int) -> Ask | None:
        """What was in flight, unless word of it has come by another way."""
        ask = self._in_flight
        if ask is None or ask.steps[0].before.version != version:
            return None
        self._in_flight = None
        return ask

    def _take_in(self, commits: Iterable[Commit], now: float, out: list[Effect]) -> None:
        for commit in commits:
            if commit.version != self.table.version + 1:
                continue
            ask = self._in_flight
            if ask is not None and ask.key == commit.command:
                self._in_flight = None  # it is our own: only the word that it was written is still on its way
            else:
                ask = None
            self._happened(steps(self.table, decode(commit.events)), commit.command, now, out, ask)

    def _go_on(self, now: float, out: list[Effect]) -> list[Effect]:
        """Decide what waits, until something is in flight."""
        while self._waiting and self._in_flight is None:
            self._decide(self._waiting.popleft(), now, out)
        return self._and_wake(now, out)

    def _decide(self, ask: Ask, now: float, out: list[Effect]) -> None:
        objection = self._answers.refused(ask.key)
        if objection is not None:
            return self._refuse(ask, objection, out)
        if self._answers.done(ask.key):
            return self._answer_again(ask, now, out)
        by = ask.line.guest if ask.line is not None else None
        try:
            command = introduced(ask.command, self.table, ask.luck)
            here, away = self.presence.everybody, self._missed(now)
            order = Order(command, by, self._time(now), here, ask.luck, away, self._looks)
            entry, ask.steps = resolve(self.table, order)
        except Illegal as illegal:
            return self._refuse(ask, Objection(illegal.reason, illegal.detail), out)
        if not ask.steps:
            return self._answer_again(ask, now, out)
        self._in_flight = ask
        return out.append(Append(self.table.version, ask.key, encode(entry)))

    def _refuse(self, ask: Ask, objection: Objection, out: list[Effect]) -> None:
        if ask.line is None:
            self._give_up(ask)
        else:
            self._answers.refuse(ask.key, objection)
            out.append(Send(ask.line.connection, write_no(ask.id, objection.reason.value, objection.detail)))
        out.append(Answered(objection.reason.value, ask.came))

    def _put_off(self, ask: Ask, out: list[Effect]) -> None:
        """Others write all the time, so this was not done: it is no answer, and the same id may come again."""
        reason = ServerReason.TOO_FAST.value
        if ask.line is not None:
            out.append(Send(ask.line.connection, write_no(ask.id, reason, "others were faster, again and again")))
        out.append(Answered(reason, ask.came))

    def _give_up(self, ask: Ask) -> None:
        """The house may not do this now, and will not try again before something changes."""
        self._given_up = ask.command
        self._look_ahead()

    def _answer_again(self, ask: Ask, now: float, out: list[Effect]) -> None:
        """It has been done before, or there was nothing to do."""
        if ask.line is None:
            self._give_up(ask)
        elif self._lines.get(ask.line.connection) is ask.line:
            self._tell_present(ask.line, now, out, ask.id)
        out.append(Answered("repeated", ask.came))

    def _happened(self, taken: tuple[Step, ...], key: str, now: float, out: list[Effect], ask: Ask | None) -> None:
        """Let an entry happen here, and tell everybody."""
        since, dealt = self.table.since, self.table.dealt
        happened = self._take(taken)
        self._answers.remember(key)
        self._given_up = None
        self._taken = now
        if self.table.since != since:
            self._began = now
        self._look_ahead()
        self._tell(happened, now, out, ask)
        if any(type(step.event) is not Played for step in taken):
            out += self._lines.dismiss(self.table)
        if ask is not None:
            out.append(Answered("done", ask.came))
        if self.table.dealt != dealt or (self.table.version % SNAPSHOT_EVERY == 0 and self.table.stage != "play"):
            out.append(Keep(self.table.version, SNAPSHOT_SCHEMA, encode_table(self.table)))

    def _take(self, taken: tuple[Step, ...]) -> tuple[Shown, ...]:
        """Let computer players see it, and say what people see."""
        happened: list[Shown] = []
        for step in taken:
            happened += shown(step)
            if step.said and step.after.round is not None:
                self._view = self._view_after(step.before.round, step.after.round)
                self._minds.see(step, self._view)
                happened += remarks(step)
            elif step.after.round is not step.before.round:
                self._view = None
                self._minds.deal(step.after)
        self.table = taken[-1].after
        return tuple(happened)

    def _view_after(self, before: Round | None, after: Round) -> View:
        return view_round(after) if self._view is None or before is None else view_after(self._view, before, after)

    def _moved(self, presence: Presence, now: float) -> list[Effect]:
        """Somebody came or went, if it makes a difference."""
        out: list[Effect] = []
        if presence != self.presence:
            changed = presence.everybody != self.presence.everybody
            self.presence = presence
            self._given_up = None
            self._look_ahead()
            if changed:
                self._tell((), now, out)
        return self._and_wake(now, out)

    def _look_ahead(self) -> None:
        """Plan anew. A table with nobody connected sleeps, and its clock with it."""
        if self.presence is not self._counted[0] or self.table.seats is not self._counted[1]:
            self._count_absent()
        self._plan = None
        if not self._lines:
            return
        try:
            plan = next_plan(self.table, self.presence, self._minds, self._began, self._awake, self.speed)
        except Exception:  # a computer player may break down; what was acknowledged still happened
            log.exception("the house lost count")
        else:
            self._plan = plan if plan is None or plan.command != self._given_up else None

    def _count_absent(self) -> None:
        self._counted = self.presence, self.table.seats
        players = [seat.guest for seat in self.table.seats if seat.guest is not None]
        self._absent = self.presence.absent(players, self._awake)

    def _and_wake(self, now: float, out: list[Effect]) -> list[Effect]:
        """Wish to be woken for whatever comes first; while an entry is in flight the plan waits for it."""
        at = self._next_absence(now) if self._absent or self.presence.lingering else None
        if self._plan is not None and self._in_flight is None:
            planned = self._plan.at + self._late
            at = planned if at is None else min(at, planned)
        if at != self._wake:
            self._wake = at
            out.append(Wake(at))
        return out

    def _time(self, now: float) -> float:
        """The table's own time: no clock that is set, or differs from node to node, can make it jump."""
        return self.table.at + (self._tick or round(max(0.0, now - self._taken), 3))

    def _seconds_left(self, now: float) -> float | None:
        """How long until the house acts for somebody."""
        return self._plan.at - now if self._plan is not None and self._plan.waited_for else None

    def _tell(self, happened: tuple[Shown, ...], now: float, out: list[Effect], ask: Ask | None = None) -> None:
        """Send the present to everybody."""
        self._look(now)
        self._lines.tell(happened, out, ask.line if ask else None, ask.id if ask else None)

    def _tell_present(self, line: Line, now: float, out: list[Effect], ack: str | None = None) -> None:
        if not self._lines.telling.looked:
            self._look(now)
        self._lines.tell_present(line, self._seconds_left(now), out, ack)

    def _look(self, now: float) -> None:
        seconds, self._away = self._seconds_left(now), self._missed(now)
        self._lines.telling.look(self.table, self.presence.everybody, seconds, self._view, self._away, self.speed)

    def _missed(self, now: float) -> frozenset[UUID]:
        """Those who play here and have been away for long: others may do something about it."""
        if not self._absent:
            return NOBODY
        return frozenset(guest for guest, since in self._absent if since + self._long_away <= now)

    def _next_absence(self, now: float) -> float | None:
        """When somebody who lingers will be away, or somebody who is away will be missed for long."""
        times = [since + self._long_away for _, since in self._absent] if self._lines else []
        lingering = self.presence.next_change()
        times = [at for at in times if at > now] + ([] if lingering is None else [lingering])
        return min(times, default=None)
