"""The interface of computer players."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from notahat.rules import Event, Legal, Move, View


class Answer(Struct, frozen=True):
    """A move, and how long the player thinks before making it."""

    move: Move
    seconds: float


class Bot(Protocol):
    """A computer player in one seat for one round.

    It sees what a person in its seat sees, in the same order, with the table's time in seconds, and nothing else.
    The same seed and the same calls of `see` give the same answers.
    """

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Take in the view and the events that led to it. The first call comes after the deal, without events."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        """Return a give, an accept or a refuse. The driver makes draw and wrap moves itself."""
