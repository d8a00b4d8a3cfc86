"""The schedule of a room: what happens next without a command, and when the room must be woken for it."""

import logging
from uuid import UUID

from notahat.live import pace
from notahat.live.effects import Effect, Wake
from notahat.live.game_state import Game
from notahat.live.idle import IdleWatch
from notahat.live.plan import Plan, next_plan
from notahat.live.presence import NOBODY, Presence
from notahat.live.settings import RoomSettings
from notahat.table import Seat
from notahat.table.commands import KNOCK_SECONDS, Command, ExpireKnock

log = logging.getLogger("notahat.room")


class Schedule:
    """The plan, the absences and the idle player of one table, and the clocks that they depend on."""

    def __init__(self, game: Game, now: float, settings: RoomSettings) -> None:
        self.idle = IdleWatch()
        self.wake_at: float | None = None
        self.last_commit_at = now
        self._game = game
        self._speed = settings.speed
        self._stagger = settings.stagger
        self._long_away_seconds = pace.LONG_AWAY / settings.speed
        self._plan: Plan | None = None
        self._refused_plan: Command | None = None  # not to be tried again before the table or presence changes
        self._decision_began = now
        self._awake_since = now
        self._presence = Presence()
        self._absent: tuple[tuple[UUID, float], ...] = ()  # players who are away, and since when
        self._absent_from: tuple[Presence, tuple[Seat, ...]] = (self._presence, ())  # what `_absent` was computed from

    @property
    def speed(self) -> float:
        """The speed factor of the server and of the table's pace."""
        return self._speed * pace.SPEED[self._game.table.options.pace]

    def awake(self, now: float) -> None:
        """Start the clock of a table that slept."""
        self._decision_began = self._awake_since = now

    def committed(self, now: float, is_new_decision: bool) -> None:
        self._refused_plan = None
        self.last_commit_at = now
        if is_new_decision:
            self._decision_began = now

    def skip(self, command: Command | None) -> None:
        """Do not try this plan again before something changes; None: try any."""
        self._refused_plan = command

    def replan(self, presence: Presence, is_awake: bool) -> None:
        """Update absences and the plan. A table without connections sleeps: it has no plan, and its clock stops."""
        self._presence, table = presence, self._game.table
        if presence is not self._absent_from[0] or table.seats is not self._absent_from[1]:
            self._absent_from = presence, table.seats
            players = [seat.guest for seat in table.seats if seat.guest is not None]
            self._absent = presence.absent(players, self._awake_since)
        self._plan = None
        if not is_awake:
            return
        try:
            plan = next_plan(table, presence, self._game.bots, self._decision_began, self._awake_since, self.speed)
        except Exception:  # a computer player may fail, but an acknowledged entry must still be broadcast
            log.exception("planning failed")
        else:
            self._plan = plan if plan is None or plan.command != self._refused_plan else None

    def due(self, now: float, is_awake: bool) -> tuple[Command, str] | None:
        """Return the command that is due, and its key: a knock without an answer, or the plan."""
        table, knock_ends = self._game.table, self._knock_ends(is_awake)
        if knock_ends is not None and knock_ends <= now:
            return ExpireKnock(table.door.knocks[0].guest), f"v{table.version}"
        if self._plan is None or self._plan.at + self._stagger > now:
            return None
        return self._plan.command, self._plan.key or f"v{table.version}"

    def add_wake(self, now: float, is_awake: bool, in_flight: bool, out: list[Effect]) -> list[Effect]:
        """Add a `Wake` if the next time changed. While an entry is in flight, plan and knocks wait for it."""
        self.idle.observe(self._game.table, self._presence.present, now)
        times = [
            self._next_presence_change(now, is_awake) if self._absent or self._presence.lingering else None,
            self.idle.next_change(now) if is_awake else None,
            self._plan.at + self._stagger if self._plan is not None and not in_flight else None,
            None if in_flight else self._knock_ends(is_awake),
        ]
        at = min([one for one in times if one is not None], default=None)
        if at != self.wake_at:
            self.wake_at = at
            out.append(Wake(at))
        return out

    def table_time(self, now: float, tick: float) -> float:
        """Return the table's own time, which no changed or differing wall clock can make jump."""
        return self._game.table.at + (tick or round(max(0.0, now - self.last_commit_at), 3))

    def seconds_left(self, now: float) -> float | None:
        return self._plan.at - now if self._plan is not None and self._plan.has_deadline else None

    def long_away(self, now: float) -> frozenset[UUID]:
        """Return the players who have been away for so long that others may act for them."""
        if not self._absent:
            return NOBODY
        return frozenset(guest for guest, since in self._absent if since + self._long_away_seconds <= now)

    def _knock_ends(self, is_awake: bool) -> float | None:
        """Return when the knock that waits longest ends."""
        door = self._game.table.door
        if not door.knocks or not is_awake:
            return None
        waited = self._game.table.at - door.knocks[0].at
        return self.last_commit_at + KNOCK_SECONDS - waited + self._stagger

    def _next_presence_change(self, now: float, is_awake: bool) -> float | None:
        """Return when a lingering guest will be away, or an absent player away for long."""
        times = [since + self._long_away_seconds for _, since in self._absent] if is_awake else []
        expiry = self._presence.next_expiry()
        times = [at for at in times if at > now] + ([] if expiry is None else [expiry])
        return min(times, default=None)
