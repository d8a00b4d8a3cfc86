"""The schedule of a room: the command that it issues itself next, and when; who is away for long, and who is idle."""

import logging
from collections.abc import Iterator
from uuid import UUID

from msgspec import Struct

from notahat.bots import Answer
from notahat.live import pace
from notahat.live.bot_players import BotPlayers
from notahat.live.effects import Effect, Wake
from notahat.live.presence import NOBODY, Presence
from notahat.live.settings import RoomSettings
from notahat.rules import Draw, Move, Round, Wrap
from notahat.rules.round import Answering, Wrapping
from notahat.table import Deadline, Idle, SystemCommand, Table
from notahat.table import commands as do

MOST_UNATTENDED_TURNS = 3000
HELP_AFTER_NUDGES = 2  # others may help after so many times `nudge_seconds`

log = logging.getLogger("notahat.room")


class Plan(Struct, frozen=True):
    """A command of the room and its time. `key` is the same on all nodes; guests see a deadline for `deadline_for`."""

    at: float
    command: SystemCommand
    key: str | None = None
    deadline_for: int | None = None


class Schedule:
    """Plan, absences and idle player of one table. Call `replan` after any change of table, presence or connections."""

    def __init__(self, table: Table, bots: BotPlayers, now: float, settings: RoomSettings) -> None:
        self.wake_at: float | None = None
        self.last_commit_at = now
        self._table, self._bots, self._settings = table, bots, settings
        self._presence = Presence()
        self._is_awake = False
        self._decision_began = self._awake_since = now
        self._plan: Plan | None = None
        self._people: tuple[object, ...] = ()  # what the next three were computed from
        self._players: tuple[int, ...] = ()  # seats of people who are present
        self._absent: tuple[tuple[UUID, float], ...] = ()  # players who are away, and since when
        self._presence_plan: Plan | None = None
        self._awaited: tuple[int, int, int] | None = None  # round, turn and seat of the person others wait for
        self._nudge_at = self._help_at = 0.0

    @property
    def speed(self) -> float:
        """The speed factor of the server and of the table's pace."""
        return self._settings.speed * pace.SPEED[self._table.options.pace]

    # the room reports

    def awake(self, now: float) -> None:
        """Start the clock of a table that slept."""
        self._decision_began = self._awake_since = now

    def committed(self, now: float, is_new_decision: bool) -> None:
        self.last_commit_at = now
        if is_new_decision:
            self._decision_began = now

    def replan(
        self, table: Table, presence: Presence, now: float, *, is_awake: bool, refused: do.Command | None = None
    ) -> None:
        """Update plan, absences and idle player. Without connections a table sleeps; a `refused` plan is dropped."""
        self._table, self._presence, self._is_awake = table, presence, is_awake
        self._update_people()
        self._update_awaited(now)
        self._plan = None
        if is_awake:
            game_plan = None
            try:
                game_plan = self._game_plan()
            except Exception:  # a computer player may fail, but an acknowledged entry must still be broadcast
                log.exception("planning failed")
            plans = [one for one in (game_plan, self._presence_plan) if one is not None]
            first = min(plans, key=lambda plan: plan.at, default=None)
            self._plan = first if first is None or first.command != refused else None

    def _update_people(self) -> None:
        """Compute what depends on people alone, if one of them has come or gone."""
        table, presence, since = self._table, self._presence, self._awake_since
        people = (presence, table.seats, table.waiting, table.owner, table.deputy, table.options, since)
        if people == self._people:
            return
        self._people = people
        self._players = table.present_players(presence.present)
        self._absent = presence.absent([seat.guest for seat in table.seats if seat.guest is not None], since)
        self._presence_plan = min(self._presence_plans(), key=lambda plan: plan.at, default=None)

    def _update_awaited(self, now: float) -> None:
        """Note whom the table waits for. That time starts again when they come back or act, at any pace."""
        table, seat = self._table, self._awaited_seat()
        round_ = table.round
        awaited = None if seat is None or round_ is None else (table.dealt, round_.turn, seat)
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if round_ is not None:
            look = pace.first_look(sum(map(len, round_.columns))) if round_.turn == 0 else 0.0
            self._nudge_at = now + look + table.options.nudge_seconds
            self._help_at = now + look + HELP_AFTER_NUDGES * table.options.nudge_seconds

    def _awaited_seat(self) -> int | None:
        """Return the seat of a present person whose move other present people wait for, at a gentle table."""
        table, players = self._table, self._players
        if not table.options.nudge_seconds or table.options.patience_seconds or table.paused or table.stage != "play":
            return None
        due = table.due
        return due.seat if due.seat in players and len(players) > 1 and due.moves != ("wrap",) else None

    # the room asks

    def due(self, now: float) -> tuple[do.Command, str] | None:
        """Return the command that is due, and its key: a knock without an answer, or the plan."""
        table, knock_ends = self._table, self._knock_ends()
        if knock_ends is not None and knock_ends <= now:
            return do.ExpireKnock(next(iter(table.knocks))), f"v{table.version}"
        if self._plan is None or self._plan.at + self._settings.stagger > now:
            return None
        return self._plan.command, self._plan.key or f"v{table.version}"

    def add_wake(self, now: float, out: list[Effect], *, in_flight: bool) -> list[Effect]:
        """Add a `Wake` if the next time changed. While an entry is in flight, plan and knocks wait for it."""
        times = [
            self._next_presence_change(now) if self._absent or self._presence.lingering else None,
            next((at for at in (self._nudge_at, self._help_at) if at > now), None)
            if self._is_awake and self._awaited
            else None,
            self._plan.at + self._settings.stagger if self._plan is not None and not in_flight else None,
            self._knock_ends() if self._table.knocks and not in_flight else None,
        ]
        at = min([one for one in times if one is not None], default=None)
        if at != self.wake_at:
            self.wake_at = at
            out.append(Wake(at))
        return out

    def table_time(self, now: float, tick: float) -> float:
        """Return the table's own time, which no changed or differing wall clock can make jump."""
        return self._table.at + (tick or round(max(0.0, now - self.last_commit_at), 3))

    def deadline(self, now: float) -> Deadline | None:
        """Return how long a seat has until the plan, if guests may see that."""
        plan = self._plan
        if plan is None or plan.deadline_for is None:
            return None
        return Deadline(plan.deadline_for, round(max(0.0, plan.at - now), 1))

    def long_away(self, now: float) -> frozenset[UUID]:
        """Return the players who have been away for so long that others may act for them."""
        if not self._absent:
            return NOBODY
        return frozenset(guest for guest, since in self._absent if since + self._long_away_seconds <= now)

    def idle(self, now: float) -> Idle | None:
        """Return whom the table has waited for so long that they are idle."""
        if self._awaited is None or now < self._nudge_at:
            return None
        return Idle(self._awaited[2], help=now >= self._help_at)

    @property
    def _long_away_seconds(self) -> float:
        return pace.LONG_AWAY / self._settings.speed

    def _next_presence_change(self, now: float) -> float | None:
        """Return when a lingering guest will be away, or an absent player away for long."""
        times = [since + self._long_away_seconds for _, since in self._absent] if self._is_awake else []
        return min([*(at for at in times if at > now), *self._presence.lingering.values()], default=None)

    def _knock_ends(self) -> float | None:
        """Return when the knock that waits longest ends."""
        first = next(iter(self._table.knocks.values()), None)
        if first is None or not self._is_awake:
            return None
        return self.last_commit_at + do.KNOCK_SECONDS - (self._table.at - first.at) + self._settings.stagger

    # plans

    def _presence_plans(self) -> Iterator[Plan]:
        """Yield the return of present guests to their seats and roles, and the passing on of an absent host's role."""
        table, presence = self._table, self._presence
        for seat in table.seats:
            if seat.returns_by_connecting and seat.guest is not None and seat.guest in presence.connected:
                yield Plan(self._awake_since, do.ComeBack(seat.guest))
        if table.deputy is not None and table.owner in presence.present:
            yield Plan(self._awake_since, do.ReturnHost())
        host = table.host
        if host not in presence.present and table.host_candidates(presence.present):
            away_since = max(self._awake_since, presence.away.get(host, self._awake_since))
            yield Plan(away_since + pace.HOST_AWAY / self.speed, do.PassHost())

    def _game_plan(self) -> Plan | None:
        table = self._table
        stage, round_, present = table.stage, table.round, self._presence.present
        next_deal_at = self._decision_began + pace.NEXT_ROUND / self.speed
        if stage == "over" and table.all_want_another(present):
            return Plan(next_deal_at, do.DealNext(), f"again.{table.dealt}")
        if stage == "between":  # at least one person must be present, unless only computer players play
            somebody = self._players or all(seat.played_by_bot for seat in table.seats)
            ready = somebody and table.all_ready(present)
            return Plan(next_deal_at, do.DealNext(), f"deal.{table.dealt}") if ready else None
        if stage != "play" or table.paused or round_ is None:
            return None
        if round_.turn >= MOST_UNATTENDED_TURNS and all(seat.played_by_bot for seat in table.seats):
            return Plan(self._decision_began, do.CallOff())
        return self._move_plan(round_)

    def _move_plan(self, round_: Round) -> Plan | None:
        table, bots, seat = self._table, self._bots, self._table.due.seat
        if seat is None:
            return None
        wait: float
        move: Move
        played_by_bot = table.seats[seat].played_by_bot
        if isinstance(phase := round_.phase, Wrapping):
            wait = pace.wrap_after(table.options.show_seconds, phase.from_shop, bots.last_events)
            move = Wrap(seat)
        elif table.is_first_look and len(_people(table)) == 1 and not self._all_ready():
            return None  # one guest alone with computer players looks for as long as they like
        elif played_by_bot and not table.spoken:
            wait, move = self._bot_move(round_, seat)
        elif (patience := table.patience) is not None:
            wait, move = patience, bots.move(table, seat)
        else:
            return None
        at = self._decision_began + wait / self.speed
        bot_thinks = played_by_bot and not isinstance(move, Wrap) and round_.turn > 0
        return Plan(at, do.PlayFor(round_.turn, move), f"{table.dealt}.{round_.turn}", None if bot_thinks else seat)

    def _bot_move(self, round_: Round, seat: int) -> tuple[float, Move]:
        """Return after how long a computer player moves, and its move."""
        if self._table.due.moves == ("draw",):
            return self._seconds_before_draw(round_), Draw(seat)
        answer = self._bots.answer(self._table, seat)
        return self._seconds_to_think(round_, answer), answer.move

    def _seconds_to_think(self, round_: Round, answer: Answer) -> float:
        """Claims can be read. While one person alone waits for a move, computer players think less with every pass."""
        table, events = self._table, self._bots.last_events
        people, speed = _people(table), pace.SPEED[table.options.pace]
        own = {number for number, seat in enumerate(table.seats) if seat.guest in people}
        passes = self._bots.passes_without(own) if len(people) == 1 else 0
        if isinstance(phase := round_.phase, Answering):
            return pace.answer_after(answer, events, speed, 0 if phase.giver in own else passes)
        if len(people) == 1:
            return pace.give_while_shown(answer.seconds, events, passes)
        return pace.move_after(answer.seconds, events)

    def _seconds_before_draw(self, round_: Round) -> float:
        """The first draw waits for the first look, or until all players who are present are ready."""
        speed = pace.SPEED[self._table.options.pace]
        if round_.turn > 0:
            return pace.draw_after(self._bots.last_events, speed)
        if self._all_ready():
            return pace.REACH_FOR_THE_SHOP
        return pace.first_look(sum(map(len, round_.columns))) * max(1.0, speed)  # a brisk pace does not shorten it

    def _all_ready(self) -> bool:
        return bool(self._table.ready) and self._table.all_ready(self._presence.present)


def _people(table: Table) -> set[UUID]:
    return {seat.guest for seat in table.seats if seat.guest is not None and not seat.gone}
