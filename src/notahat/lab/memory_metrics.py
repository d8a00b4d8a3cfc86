"""Measurements of how players remember: forgetting, thinking times, and what they say when they are wrong."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, pvariance

from msgspec import Struct

from notahat.bots.character import NOBODY
from notahat.bots.level import levels
from notahat.bots.player import Player
from notahat.bots.similarity import look_alikes
from notahat.gifts import cards
from notahat.lab.game import play_out
from notahat.live import pace
from notahat.rules import Event, Round
from notahat.rules.round import Answering, Giving

AGES = ((10.0, 20.0), (20.0, 40.0), (40.0, 80.0), (80.0, 160.0))


class Probe(Struct, frozen=True):
    """One look into one memory: how long ago it was last right about this card, and whether it is right now."""

    age: float
    right: bool


class Claim(Struct, frozen=True):
    """One claim: how long it took, whether it was true, and what else it might have been."""

    seconds: float
    true: bool
    in_play: bool
    look_alike: bool
    chance: float  # how likely a wrong gift picked from those in play would have been a look-alike


class Study:
    """Asks everyone, whenever a card is about to be given, what it is, and writes down every claim."""

    def __init__(self, players: Sequence[Player], seed: int | str = 0) -> None:
        self._players = players
        self._luck = Random(f"study/{seed}")  # who is asked thinks afresh each time, as for a decision
        self._last_right: dict[tuple[int, str], float] = {}
        self._asked_at = 0.0
        self.probes: list[Probe] = []
        self.claims: list[Claim] = []

    def __call__(self, round_: Round, events: Sequence[Event], now: float) -> None:
        phase = round_.phase
        if type(phase) is Giving:
            self._asked_at = now + pace.scene(events)
            self._ask(phase.card.gift, now)
        if type(phase) is Answering:
            around = [card.gift for column in round_.columns for card in column]
            self.claims.append(_claim(phase.card.gift, phase.claim, around, now - self._asked_at))

    def _ask(self, gift: str, now: float) -> None:
        for seat, player in enumerate(self._players):
            hand = player.mind.parcels.hand
            right = hand is not None and player.mind.belief(hand, self._luck.random()).best == gift
            last = self._last_right.get((seat, gift))
            if last is not None:
                self.probes.append(Probe(now - last, right))
            if right:
                self._last_right[seat, gift] = now


def study(level: str, games: int, seed: int, first: int = 0) -> Study:
    """Play pure tables of four of a level and write down what they remembered and claimed."""
    found = Study(())
    for number in range(first, first + games):
        luck = Random(f"{seed}/{number}")
        deck = list(cards("classic"))
        luck.shuffle(deck)
        players = [Player(levels()[level], seat, luck.getrandbits(62), NOBODY) for seat in range(4)]
        one = Study(players, f"{seed}/{number}")
        play_out(players, deck, starter=luck.randrange(4), watch=one)
        found.probes += one.probes
        found.claims += one.claims
    return found


def _claim(gift: str, claim: str | None, around: Sequence[str], seconds: float) -> Claim:
    alike = look_alikes()[gift]
    others = [other for other in around if other != gift]
    return Claim(
        seconds=seconds,
        true=claim == gift,
        in_play=claim == gift or claim in others,
        look_alike=claim in alike,
        chance=fmean(other in alike for other in others),
    )


def forgetting(probes: Sequence[Probe]) -> list[tuple[int, int]]:
    """By time since a memory was last right: how often it was right again, of how many."""
    curve = []
    for young, old in AGES:
        found = [probe.right for probe in probes if young <= probe.age < old]
        curve.append((sum(found), len(found)))
    return curve


def slower(claims: Sequence[Claim]) -> float:
    """Cohen's d: how much slower false claims are than true ones, in standard deviations."""
    true = [claim.seconds for claim in claims if claim.true]
    false = [claim.seconds for claim in claims if not claim.true]
    if not true or not false:
        return 0.0
    pooled = (pvariance(true) * len(true) + pvariance(false) * len(false)) / (len(true) + len(false))
    return (fmean(false) - fmean(true)) / sqrt(pooled)


def skew(values: Sequence[float]) -> float:
    """Positive where the long tail is to the right."""
    mean, deviation = fmean(values), sqrt(pvariance(values))
    return fmean(((value - mean) / deviation) ** 3 for value in values)
