"""A simple computer player: it remembers what it saw, but less surely the longer ago that was."""

import random
from collections.abc import Sequence

from notahat.bots.bot import Answer
from notahat.rules import (
    Accept,
    Accepted,
    Drawn,
    Event,
    FaceUp,
    Give,
    Legal,
    Offered,
    Refuse,
    View,
)

_FORGETS = {"goldfish": 0.30, "casual": 0.20, "regular": 0.12, "elephant": 0.05}


class Novice:
    """Keeps a guess for each card in every column, and loses some of them as things happen."""

    def __init__(self, level: str, seat: int, seed: int) -> None:
        self._seat = seat
        self._forgets = _FORGETS[level]
        self._random = random.Random(seed)
        self._columns: list[list[str | None]] = []
        self._in_the_air: str | None = None
        self._heard: list[str] = []

    def see(self, view: View, events: Sequence[Event], now: float) -> None:  # noqa: ARG002
        if not self._columns:
            self._columns = [[c.gift if isinstance(c, FaceUp) else None for c in s.column] for s in view.seats]
        for event in events:
            match event:
                case Drawn(gift=gift):
                    self._in_the_air = gift
                case Offered(claim=str(claim)):
                    self._heard.append(claim)
                    self._in_the_air = self._recalled(self._in_the_air) or claim
                case Accepted(receiver=receiver):
                    column = self._columns[receiver]
                    column.append(self._in_the_air)
                    self._in_the_air = column.pop(0)
                case _:
                    pass

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        seconds = self._random.uniform(0.8, 2.5)
        if legal.moves == ("give",):
            claim = self._in_the_air or self._random.choice([*self._heard, view.shop.top or "hat"])
            return Answer(Give(self._seat, claim, self._random.choice(legal.receivers)), seconds)
        claimed = getattr(view.phase, "claim", None)
        doubts = self._in_the_air is not None and self._in_the_air != claimed
        return Answer(Refuse(self._seat) if doubts else Accept(self._seat), seconds)

    def _recalled(self, gift: str | None) -> str | None:
        return None if self._random.random() < self._forgets else gift
