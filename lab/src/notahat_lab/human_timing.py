"""Simulated people: they decide like a computer player, but take as long as people do."""

from collections.abc import Sequence

from notahat.bots import Answer, sit_down
from notahat.rules import Event, Legal, View

PACES = {"hasty": 0.5, "person": 1.0, "slow": 3.0}  # factor on people's usual thinking time
_HUMAN_FACTOR = 1.5  # computer players think for about two seconds, people for about three


class Person:
    """A computer player with slower answers and no maximum thinking time."""

    def __init__(self, slowness: float, level: str, seat: int, seed: int) -> None:
        self._slowness = slowness * _HUMAN_FACTOR
        self._player = sit_down(level, seat, seed)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self._player.see(view, events, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = self._player.answer(view, legal, now)
        return Answer(answer.move, answer.seconds * self._slowness)
