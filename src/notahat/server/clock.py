"""The time of day for new tables, and a time that never jumps for everything else."""

import time


class Clock:
    """Tests may hold it."""

    def time(self) -> float:
        return round(time.time(), 3)

    def monotonic(self) -> float:
        return time.monotonic()
