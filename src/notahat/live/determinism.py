"""Where a table's seeds and times come from: operating system and clock, or a number that repeats every game."""

import os
from random import Random
from struct import unpack

from notahat.table import Table

TICK_SECONDS = 2.0  # so that neither machine, clock nor hesitation changes what computer players remember
BATCH = 256


class Determinism:
    """Seeds that follow from the text `seed` (None: from the operating system), and seconds of table time per log entry
    (0: as the clock says).
    """

    def __init__(self, seed: str | None = None, tick: float = 0.0) -> None:
        self.seed = seed
        self.tick = tick
        self._batch: list[int] = []  # seeds of the operating system: every call is slow

    @classmethod
    def seeded(cls, seed: int | None) -> "Determinism":
        """Return a repeatable one for a seed, for tests and demonstrations: every table plays the same rounds."""
        return cls() if seed is None else cls(f"{seed}.", TICK_SECONDS)

    def of(self, table: Table) -> "Determinism":
        """Return what a table plays with: the gift of a day follows from its date on every machine."""
        return self if table.day is None else Determinism(f"gift of {table.day}, round ", TICK_SECONDS)

    def seed_for(self, table: Table) -> int:
        """Return the seed of a command: shuffles, starters and computer players depend on it."""
        if self.seed is not None:
            return Random(f"{self.seed}{table.dealt}").getrandbits(63)
        if not self._batch:
            self._batch.extend(unpack(f"{BATCH}Q", os.urandom(8 * BATCH)))
        return self._batch.pop() >> 1


SYSTEM = Determinism()
