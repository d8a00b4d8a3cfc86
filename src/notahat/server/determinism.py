"""Where a table's seeds come from: the operating system, or a number that makes every game repeatable."""

import secrets
from random import Random
from struct import unpack

from notahat.table import Table

STEP_SECONDS = 2.0
BATCH = 256


class SystemRandomness:
    """Unpredictable seeds, read from the operating system in batches because every call is slow."""

    step = 0.0  # the table's time from one log entry to the next, 0 for real time

    def __init__(self) -> None:
        self._seeds: list[int] = []

    def seed_for(self, table: Table) -> int:  # noqa: ARG002
        """Return the seed of a command: shuffles, starters and computer players depend on it."""
        if not self._seeds:
            self._seeds = list(unpack(f"{BATCH}Q", secrets.token_bytes(8 * BATCH)))
        return self._seeds.pop() >> 1


class SeededRandomness(SystemRandomness):
    """Seeds that follow from one number, for tests and demonstrations: every table plays the same rounds.

    Time advances by the same step per log entry, so that what computer players remember does not depend on the machine.
    """

    step = STEP_SECONDS

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    def seed_for(self, table: Table) -> int:
        return Random(f"{self._seed}.{table.dealt}").getrandbits(63)
