"""Baselines: simple players to compare the others with. They see what everybody sees."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from notahat.bots import Answer, Bot
from notahat.bots.parcel import Parcels
from notahat.bots.player import Player
from notahat.gifts import catalogue
from notahat.rules import Accept, Event, Give, Legal, Refuse, View
from notahat.rules.view import AnswerView
from notahat_lab.exploit import LIAR_PACES, LastNameDoubter, OwnColumn, PacedLiar, PlaysLike

_SECONDS = 2.0


class AlwaysAccept(PlaysLike):
    """Plays like a player of a level, but accepts everything."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = super().answer(view, legal, now)
        return answer if type(answer.move) is Give else Answer(Accept(self.seat), answer.seconds)


class Honest(PlaysLike):
    """Remembers like a player of a level, claims its best guess, and refuses what contradicts its memory."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer, player = super().answer(view, legal, now), self.player
        hand = player.mind.parcels.hand if isinstance(player, Player) else None
        best = player.mind.belief(hand).best if isinstance(player, Player) and hand else None
        if type(answer.move) is Give:
            return Answer(Give(self.seat, best or answer.move.claim, answer.move.to), answer.seconds)
        claim = view.phase.claim if isinstance(view.phase, AnswerView) else None
        doubts = best is not None and best != claim
        return Answer(Refuse(self.seat) if doubts else Accept(self.seat), answer.seconds)


class AlwaysRefuse:
    """Refuses everything and makes random claims."""

    def __init__(self, _level: str, seat: int, seed: int) -> None:
        self._seat = seat
        self._random = Random(seed)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Ignore what happens."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        if "give" in legal.moves:
            claim = self._random.choice(list(catalogue()))
            return Answer(Give(self._seat, claim, self._random.choice(legal.receivers)), _SECONDS)
        return Answer(self._reply(), _SECONDS)

    def _reply(self) -> Accept | Refuse:
        return Refuse(self._seat)


class RandomAnswer(AlwaysRefuse):
    """Makes random claims and random answers."""

    def _reply(self) -> Accept | Refuse:
        return self._random.choice((Accept(self._seat), Refuse(self._seat)))


class Perfect:
    """Forgets nothing, never lies, and never refuses a true claim."""

    def __init__(self, _level: str, seat: int, _seed: int) -> None:
        self._seat = seat
        self._parcels: Parcels | None = None
        self._known: dict[int, str] = {}

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        if self._parcels is None:
            self._parcels = Parcels(view, now)
        for event in events:
            self._parcels.follow(event, now)
        for parcel in (self._parcels.hand, *(parcel for column in self._parcels.columns for parcel in column)):
            if parcel is not None and parcel.gift is not None:
                self._known[parcel.number] = parcel.gift

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        hand = self._parcels.hand if self._parcels else None
        gift = self._known[hand.number] if hand else ""
        if "give" in legal.moves:
            leader = min(legal.receivers, key=lambda seat: view.scores[seat])
            return Answer(Give(self._seat, gift, leader), _SECONDS)
        claim = view.phase.claim if isinstance(view.phase, AnswerView) else None
        return Answer(Accept(self._seat) if claim == gift else Refuse(self._seat), _SECONDS)


PACES = {"hasty": 0.5, "person": 1.0, "slow": 3.0}  # factor on people's usual thinking time
_HUMAN_FACTOR = 1.5  # computer players think for about two seconds, people for about three


class Person(PlaysLike):
    """A computer player with slower answers and no maximum thinking time."""

    def __init__(self, slowness: float, level: str, seat: int, seed: int) -> None:
        super().__init__(level, seat, seed)
        self._slowness = slowness * _HUMAN_FACTOR

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        answer = super().answer(view, legal, now)
        return Answer(answer.move, answer.seconds * self._slowness)


BASELINES: dict[str, Callable[[str, int, int], Bot]] = {
    "always-accept": AlwaysAccept,
    "always-refuse": AlwaysRefuse,
    "random": RandomAnswer,
    "honest": Honest,
    "perfect": Perfect,
    "own-column": OwnColumn,
    "last-name-doubter": LastNameDoubter,
    **{name: partial(PacedLiar, seconds) for name, seconds in LIAR_PACES.items()},
    **{name: partial(Person, slowness) for name, slowness in PACES.items()},
}
