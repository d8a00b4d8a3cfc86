"""A wall clock for the cleanup that does not trust large jumps."""

import time

A_DAY = 24 * 3600.0


class SafeClock:
    """The wall clock with an upper bound, so that a wrong clock does not make everything look old.

    The bound is the time of the newest stored entry when the store was opened, plus the time that this process has
    run since, plus a day. A clock that is a year ahead, or a server that was off for a year, deletes nothing that
    people may come back to.
    """

    def __init__(self, newest: float | None) -> None:
        self._offset = (time.time() if newest is None else newest) + A_DAY - monotonic()

    @property
    def upper_bound(self) -> float:
        return self._offset + monotonic()

    def now(self) -> float:
        return min(time.time(), self.upper_bound)


def monotonic() -> float:
    """Return seconds that no clock change affects, including suspended time where the system counts it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
