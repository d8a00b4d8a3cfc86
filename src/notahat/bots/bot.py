"""What a computer player is to everyone else: somebody who sees what is shown and answers when asked."""

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

    It is told everything that a person in its seat sees, in order, with the table's time in seconds,
    and nothing else. The same seed and the same sights give the same answers.
    """

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Look at the table after something happened; at first, after the deal, with no events."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        """Give, accept or refuse. Draw and wrap are no decisions: whoever drives the bots plays them."""
