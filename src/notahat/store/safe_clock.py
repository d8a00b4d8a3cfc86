"""What time it is when old things are cleaned away, even if the clock on the wall is wrong."""

import time

A_DAY = 24 * 3600.0


class Age:
    """A clock that cannot be set far ahead: nothing grows older by more than the time that this process lives.

    It never says more than the time of the newest thing that was kept when the store was opened, plus the time since
    then, plus a day. So a clock that is wrong by a year, or a server that was off for as long, cleans nothing away that
    people may still come back to.
    """

    def __init__(self, newest: float | None) -> None:
        self._latest = (time.time() if newest is None else newest) + A_DAY - alive()

    @property
    def latest(self) -> float:
        """No later than this."""
        return self._latest + alive()

    def now(self) -> float:
        return min(time.time(), self.latest)


def alive() -> float:
    """Seconds that pass by themselves, whoever sets the clock; asleep too, where the system can tell."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
