"""Beliefs: what comes to mind about a parcel, and how sure a player is of it."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, log, sqrt
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from notahat.bots.level import Level
from notahat.bots.memory import Memory
from notahat.bots.parcel import Parcel
from notahat.bots.similarity import Likeness, look_alikes

WAVERS = 4096
_MOST_TRACES = 512
_OTHER_HOLDER = 0.5
_OTHER_BACK = 0.3
_UNLIKE = 0.1  # P_sim for another parcel's gift that does not look like what is remembered of this one
_LOOKS_LIKE = 2.6  # P_sim for a gift that is nowhere, but looks like one that is remembered
_AROUND = 8.0  # how many gifts a forgotten one might be, in the mind of someone who forgot it
ANYTHING = 1.0 / _AROUND

Thought = tuple[float, str]  # how strongly a gift comes to mind, and the gift


class Belief(NamedTuple):
    """How likely each gift seems for one parcel; `activation` is how readily the best one came."""

    shares: Mapping[str, float]
    unknown: float
    best: str | None
    activation: float
    slip: float
    likeness: Likeness = MappingProxyType({})

    def likely(self, gift: str) -> float:
        """How likely it is this gift, confusions with look-alikes and wholly forgotten gifts included."""
        shares, alike = self.shares, 0.0
        for other in self.likeness.get(gift, ()):
            if other in shares:
                alike += shares[other]
        return shares.get(gift, 0.0) * (1.0 - self.slip) + alike * self.slip + self.unknown * ANYTHING


def certain(gift: str, activation: float) -> Belief:
    """What somebody believes who has just seen it, or thanked for it: there is nothing to weigh."""
    return Belief({gift: 1.0}, 0.0, gift, activation, 0.0)


@cache
def wavering() -> tuple[float, ...]:
    """Standard logistic noise, shuffled once: a slice from a random place is quicker than as many draws."""
    noise = [log(u / (1.0 - u)) for u in ((i + 0.5) / WAVERS for i in range(WAVERS))]
    Random(WAVERS).shuffle(noise)
    return tuple(noise + noise[:_MOST_TRACES])


def slip(level: Level) -> float:
    """How likely a gift comes to mind as one of its look-alikes, for each of them."""
    return exp(-_LOOKS_LIKE / (sqrt(2.0) * level.noise))


def thoughts(memory: Memory, parcel: Parcel, level: Level, now: float, noise: Sequence[float]) -> list[Thought]:
    """Every gift that is remembered, and how strongly it comes to mind for this parcel."""
    alike = memory.alike.get(parcel.number, ())
    holder, back = parcel.holder, parcel.back
    elsewhere, wavers = level.confusion + _UNLIKE, level.noise
    found = []
    for trace, wobble in zip(memory.traces, noise, strict=False):
        other, gift = trace.parcel, trace.gift
        activation = trace.base_level(now) + wavers * wobble
        if other is not parcel:
            activation -= elsewhere
            if other.holder != holder:
                activation -= _OTHER_HOLDER
            if other.back is not back:
                activation -= _OTHER_BACK
            if gift in alike:
                activation += _UNLIKE
        found.append((activation, gift))
    return found


def belief(
    found: Sequence[Thought], level: Level, visible: set[str], slips: float, likeness: Likeness | None = None
) -> Belief:
    """Turn what comes to mind into likelihoods. Gifts lying open elsewhere are out of the question."""
    scale = 1.0 / (sqrt(2.0) * level.noise)
    weights: dict[str, float] = {}
    best, strongest = None, level.threshold
    total = unknown = exp(level.threshold * scale)
    for activation, gift in found:
        if gift in visible:
            continue
        weight = exp(activation * scale)
        total += weight
        weights[gift] = weights[gift] + weight if gift in weights else weight
        if activation > strongest:
            best, strongest = gift, activation
    shares = {gift: weight / total for gift, weight in weights.items()}
    return Belief(shares, unknown / total, best, strongest, slips, look_alikes() if likeness is None else likeness)
