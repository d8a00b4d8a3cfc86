"""Luck of a table. Ordinarily nobody knows it; in tests and demonstrations it follows from a number."""

import secrets
from random import Random
from typing import Protocol

from notahat.table import Table

KNOWN_STEP_SECONDS = 2.0


class Luck(Protocol):
    """Where luck comes from. `step` is the table's time from one entry of its log to the next, 0 where time is real."""

    step: float

    def of(self, table: Table) -> int:
        """Luck for an order: shuffles, starters, seeds and characters of computer players come from it."""
        ...


class Chance:
    """As chance has it."""

    step = 0.0

    def of(self, table: Table) -> int:  # noqa: ARG002
        return secrets.randbits(63)


class KnownLuck:
    """Every table plays the same rounds, and its time goes on by the same step from one entry of its log to the next:
    what computer players still remember does not depend on how quick a machine is.
    """

    step = KNOWN_STEP_SECONDS

    def __init__(self, number: int) -> None:
        self._number = number

    def of(self, table: Table) -> int:
        return Random(f"{self._number}.{table.dealt}").getrandbits(63)
