"""Luck and time of a table. Ordinarily nobody knows either; in tests and demonstrations both follow from a number."""

import secrets
from collections.abc import Callable
from random import Random
from typing import Protocol

from notahat.table import Table

KNOWN_STEP_SECONDS = 2.0


class Luck(Protocol):
    """What an order needs besides what somebody wants."""

    def of(self, table: Table) -> int:
        """Luck for an order: shuffles, starters, seeds and characters of computer players come from it."""
        ...

    def time(self, table: Table | None) -> float:
        """When an order happens; None opens a table."""
        ...


class Chance:
    """As chance has it, at the time of day."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def of(self, table: Table) -> int:  # noqa: ARG002
        return secrets.randbits(63)

    def time(self, table: Table | None) -> float:  # noqa: ARG002
        return self._clock()


class KnownLuck:
    """Every table plays the same rounds, and its time goes on by the same step from one entry of its log to the next:
    what computer players still remember does not depend on how quick a machine is.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def of(self, table: Table) -> int:
        return Random(f"{self._number}.{table.dealt}").getrandbits(63)

    def time(self, table: Table | None) -> float:
        return 0.0 if table is None else table.at + KNOWN_STEP_SECONDS
