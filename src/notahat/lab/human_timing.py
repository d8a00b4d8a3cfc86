"""People in the laboratory: they play as a computer player of some level does, but take their own time over it."""

from collections.abc import Sequence

from notahat.bots import Answer, sit_down
from notahat.rules import Event, Legal, View

PACES = {"hasty": 0.5, "person": 1.0, "slow": 3.0}  # how much slower than people usually are
_THAN_A_COMPUTER_PLAYER = 1.5  # whose thoughts take about two seconds: people make a move in about three


class Person:
    """Sits where a person would: nothing hurries them."""

    def __init__(self, slowness: float, level: str, seat: int, seed: int) -> None:
        self._slowness = slowness * _THAN_A_COMPUTER_PLAYER
        self._player = sit_down(level, seat, seed)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self._player.see(view, events, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = self._player.answer(view, legal, now)
        return Answer(answer.move, answer.seconds * self._slowness)
