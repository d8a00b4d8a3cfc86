"""The server's clocks, which tests can replace."""

import time


class Clock:
    """Wall-clock time for new tables, monotonic time for everything else."""

    def time(self) -> float:
        return round(time.time(), 3)

    def monotonic(self) -> float:
        return time.monotonic()
