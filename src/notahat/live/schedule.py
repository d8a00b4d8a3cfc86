"""The schedule of a room: what happens next without a command, and when the room must be woken for it."""

import logging
from uuid import UUID

from notahat.live import pace
from notahat.live.bot_players import BotPlayers
from notahat.live.effects import Effect, Wake
from notahat.live.idle import IdleWatch
from notahat.live.plan import Plan, next_plan
from notahat.live.presence import NOBODY, Presence
from notahat.live.settings import RoomSettings
from notahat.table import Seat, Table
from notahat.table.commands import KNOCK_SECONDS, Command, ExpireKnock

log = logging.getLogger("notahat.room")


class Schedule:
    """The plan, the absences and the idle player of one table, and the clocks that they depend on. Call `replan` after
    every change of table, presence or connections.
    """

    def __init__(self, table: Table, bots: BotPlayers, now: float, settings: RoomSettings) -> None:
        self.idle = IdleWatch()
        self.wake_at: float | None = None
        self.last_commit_at = now
        self._table, self._bots = table, bots
        self._presence = Presence()
        self._is_awake = False
        self._speed = settings.speed
        self._stagger = settings.stagger
        self._long_away_seconds = pace.LONG_AWAY / settings.speed
        self._plan: Plan | None = None
        self._decision_began = now
        self._awake_since = now
        self._absent: tuple[tuple[UUID, float], ...] = ()  # players who are away, and since when
        self._absent_from: tuple[Presence, tuple[Seat, ...]] = (self._presence, ())  # what `_absent` was computed from

    @property
    def speed(self) -> float:
        """The speed factor of the server and of the table's pace."""
        return self._speed * pace.SPEED[self._table.options.pace]

    def awake(self, now: float) -> None:
        """Start the clock of a table that slept."""
        self._decision_began = self._awake_since = now

    def committed(self, now: float, is_new_decision: bool) -> None:
        self.last_commit_at = now
        if is_new_decision:
            self._decision_began = now

    def replan(
        self, table: Table, presence: Presence, now: float, *, is_awake: bool, refused: Command | None = None
    ) -> None:
        """Update absences and the plan. A table without connections sleeps: it has no plan, and its clock stops. A plan
        that was `refused` is not tried again before the next change.
        """
        self._table, self._presence, self._is_awake = table, presence, is_awake
        self.idle.observe(table, presence.present, now)
        if presence is not self._absent_from[0] or table.seats is not self._absent_from[1]:
            self._absent_from = presence, table.seats
            players = [seat.guest for seat in table.seats if seat.guest is not None]
            self._absent = presence.absent(players, self._awake_since)
        self._plan = None
        if not is_awake:
            return
        try:
            plan = next_plan(table, presence, self._bots, self._decision_began, self._awake_since, self.speed)
        except Exception:  # a computer player may fail, but an acknowledged entry must still be broadcast
            log.exception("planning failed")
        else:
            self._plan = plan if plan is None or plan.command != refused else None

    def due(self, now: float) -> tuple[Command, str] | None:
        """Return the command that is due, and its key: a knock without an answer, or the plan."""
        table, knock_ends = self._table, self._knock_ends()
        if knock_ends is not None and knock_ends <= now:
            return ExpireKnock(table.door.knocks[0].guest), f"v{table.version}"
        if self._plan is None or self._plan.at + self._stagger > now:
            return None
        return self._plan.command, self._plan.key or f"v{table.version}"

    def add_wake(self, now: float, out: list[Effect], *, in_flight: bool) -> list[Effect]:
        """Add a `Wake` if the next time changed. While an entry is in flight, plan and knocks wait for it."""
        times = [
            self._next_presence_change(now) if self._absent or self._presence.lingering else None,
            self.idle.next_change(now) if self._is_awake else None,
            self._plan.at + self._stagger if self._plan is not None and not in_flight else None,
            None if in_flight else self._knock_ends(),
        ]
        at = min([one for one in times if one is not None], default=None)
        if at != self.wake_at:
            self.wake_at = at
            out.append(Wake(at))
        return out

    def table_time(self, now: float, tick: float) -> float:
        """Return the table's own time, which no changed or differing wall clock can make jump."""
        return self._table.at + (tick or round(max(0.0, now - self.last_commit_at), 3))

    def seconds_left(self, now: float) -> float | None:
        return self._plan.at - now if self._plan is not None and self._plan.has_deadline else None

    def long_away(self, now: float) -> frozenset[UUID]:
        """Return the players who have been away for so long that others may act for them."""
        if not self._absent:
            return NOBODY
        return frozenset(guest for guest, since in self._absent if since + self._long_away_seconds <= now)

    def _knock_ends(self) -> float | None:
        """Return when the knock that waits longest ends."""
        knocks = self._table.door.knocks
        if not knocks or not self._is_awake:
            return None
        return self.last_commit_at + KNOCK_SECONDS - (self._table.at - knocks[0].at) + self._stagger

    def _next_presence_change(self, now: float) -> float | None:
        """Return when a lingering guest will be away, or an absent player away for long."""
        times = [since + self._long_away_seconds for _, since in self._absent] if self._is_awake else []
        expiry = self._presence.next_expiry()
        times = [at for at in times if at > now] + ([] if expiry is None else [expiry])
        return min(times, default=None)
