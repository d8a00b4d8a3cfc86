"""How long a table has waited for one present person. It starts again when that person comes back or acts."""

from uuid import UUID

from notahat.live import pace
from notahat.table import Idle, Table

HELP_AFTER_NUDGES = 2  # others may help after so many times `nudge_seconds`


class IdleWatch:
    """Whom the table waits for, and since when. The times are the table's option, not scaled by any pace."""

    def __init__(self) -> None:
        self._seen: tuple[Table | None, frozenset[UUID]] = (None, frozenset())
        self._awaited: tuple[int, int, int] | None = None  # round, turn and seat
        self._nudge_at = self._help_at = 0.0

    def observe(self, table: Table, present: frozenset[UUID], now: float) -> None:
        """Take note of the current state. Call it after every change."""
        if table is self._seen[0] and present is self._seen[1]:
            return
        self._seen = table, present
        seat, round_ = table.awaited_seat(present), table.round
        awaited = None if seat is None or round_ is None else (table.dealt, round_.turn, seat)
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if round_ is not None:
            look = pace.first_look(sum(map(len, round_.columns))) if round_.turn == 0 else 0.0
            self._nudge_at = now + look + table.options.nudge_seconds
            self._help_at = now + look + HELP_AFTER_NUDGES * table.options.nudge_seconds

    def idle(self, now: float) -> Idle | None:
        """Return who is idle now."""
        if self._awaited is None or now < self._nudge_at:
            return None
        return Idle(self._awaited[2], help=now >= self._help_at)

    def next_change(self, now: float) -> float | None:
        """Return when `idle` changes by itself."""
        if self._awaited is None:
            return None
        return next((at for at in (self._nudge_at, self._help_at) if at > now), None)
