"""Luck of a table. Ordinarily nobody knows it; in tests and demonstrations it follows from a number."""

import secrets
from random import Random
from struct import unpack
from typing import Protocol

from notahat.table import Table

KNOWN_STEP_SECONDS = 2.0
AT_ONCE = 256


class Luck(Protocol):
    """Where luck comes from. `step` is the table's time from one entry of its log to the next, 0 where time is real."""

    step: float

    def of(self, table: Table) -> int:
        """Luck for an order: shuffles, starters, seeds and characters of computer players come from it."""
        ...


class Chance:
    """As chance has it. The operating system is asked for many at once, because each asking takes its time."""

    step = 0.0

    def __init__(self) -> None:
        self._numbers: list[int] = []

    def of(self, table: Table) -> int:  # noqa: ARG002
        if not self._numbers:
            self._numbers = list(unpack(f"{AT_ONCE}Q", secrets.token_bytes(8 * AT_ONCE)))
        return self._numbers.pop() >> 1


class KnownLuck:
    """Every table plays the same rounds, and its time goes on by the same step from one entry of its log to the next:
    what computer players still remember does not depend on how quick a machine is.
    """

    step = KNOWN_STEP_SECONDS

    def __init__(self, number: int) -> None:
        self._number = number

    def of(self, table: Table) -> int:
        return Random(f"{self._number}.{table.dealt}").getrandbits(63)
