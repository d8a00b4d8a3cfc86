"""Beliefs: which gifts a player retrieves from memory for a parcel, and how probable each one seems."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from math import exp, log, sqrt
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from notahat.bots.level import Level
from notahat.bots.memory import Memory
from notahat.bots.parcel import Parcel
from notahat.bots.similarity import LookAlikes, catalogue_look_alikes

NOISE_SAMPLES = 4096
_MAX_TRACES = 512
# ACT-R's partial matching: how much activation a trace loses for each mismatch.
_HOLDER_MISMATCH = 0.5
_LEFT_LAST = 0.25  # instead of that, for a parcel that left this holder last
_BACK_MISMATCH = 0.3
LOST_TRACK = 0.8  # this parcel, if the player knows that it missed the last pass
_GIFT_MISMATCH = 0.1  # another parcel's gift that is no look-alike of what is remembered of this one
_IN_PLAIN_SIGHT = 1.5  # how much more a player avoids to name what it has just laid on top of its own column
_SLIP_MISMATCH = 3.9  # a look-alike that is in no trace at all
_GUESSABLE_GIFTS = 8.0  # the number of gifts that a player considers for a forgotten one
_ABSENT_MINDED = 0.02  # the share that even a player who is sure leaves to other gifts
GUESS_PRIOR = 1.0 / _GUESSABLE_GIFTS

Activation = tuple[float, str]  # activation of a trace, and its gift


class Belief(NamedTuple):
    """How probable each gift seems for one parcel; `activation` belongs to the best one."""

    probabilities: Mapping[str, float]
    unknown: float
    best: str | None
    activation: float
    slip: float
    look_alikes: LookAlikes = MappingProxyType({})

    def probability(self, gift: str) -> float:
        """Return the probability of a gift, including confusion with look-alikes and guesses."""
        probabilities, alike = self.probabilities, 0.0
        for other in self.look_alikes.get(gift, ()):
            if other in probabilities:
                alike += probabilities[other]
        return probabilities.get(gift, 0.0) * (1.0 - self.slip) + alike * self.slip + self.unknown * GUESS_PRIOR


def certain_belief(gift: str, activation: float) -> Belief:
    """Return the belief of a player who has just seen or accepted the gift."""
    return Belief({gift: 1.0 - _ABSENT_MINDED}, _ABSENT_MINDED, gift, activation, 0.0)


@cache
def logistic_noise() -> tuple[float, ...]:
    """Return shuffled samples of the standard logistic distribution. Slicing them is faster than drawing new ones."""
    noise = [log(u / (1.0 - u)) for u in ((i + 0.5) / NOISE_SAMPLES for i in range(NOISE_SAMPLES))]
    Random(NOISE_SAMPLES).shuffle(noise)
    return tuple(noise + noise[:_MAX_TRACES])


def slip_probability(level: Level) -> float:
    """Return the probability that one given look-alike is retrieved instead of the gift."""
    return exp(-_SLIP_MISMATCH / (sqrt(2.0) * level.noise))


def activations(
    memory: Memory,
    parcel: Parcel,
    level: Level,
    now: float,
    noise: Iterable[float],
    placed: Collection[str] = (),
    avoidance: float = 0.0,
    on_top: Collection[str] = (),
    uncued: float = 0.0,
) -> list[Activation]:
    """Return the activation of every trace, as a cue for this parcel.

    `placed` gifts are known to be elsewhere; those `on_top` lie in plain sight and are avoided more. Traces of the
    parcel itself are weaker by `uncued`.
    """
    alike = memory.look_alikes_of.get(parcel.number, ())
    holder, back = parcel.holder, parcel.back
    other_parcel, scale = level.confusion + _GIFT_MISMATCH, level.noise
    found = []
    for trace, sample in zip(memory.traces, noise, strict=False):
        other, gift = trace.parcel, trace.gift
        activation = trace.base_level(now) + scale * sample
        if gift in placed:
            activation -= avoidance * _IN_PLAIN_SIGHT if gift in on_top else avoidance
        if other is parcel:
            activation -= uncued
            if parcel.lost:
                activation -= LOST_TRACK
        else:
            activation -= other_parcel
            if other.holder != holder:
                activation -= _LEFT_LAST if other.previous_holder == holder else _HOLDER_MISMATCH
            if other.back is not back:
                activation -= _BACK_MISMATCH
            if gift in alike:
                activation += _GIFT_MISMATCH
        found.append((activation, gift))
    return found


def form_belief(
    found: Sequence[Activation], level: Level, visible: set[str], slip: float, look_alikes: LookAlikes | None = None
) -> Belief:
    """Turn activations into probabilities. Ignore gifts that are visible elsewhere."""
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
    probabilities = {gift: weight / total for gift, weight in weights.items()}
    alike = catalogue_look_alikes() if look_alikes is None else look_alikes
    return Belief(probabilities, unknown / total, best, strongest, slip, alike)
