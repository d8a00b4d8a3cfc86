"""Declarative memory after ACT-R, in plain floats, and beliefs: which gifts are retrieved for a parcel, how likely."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from math import exp, log, sqrt
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from notahat.bots.parcel import Parcel
from notahat.bots.presets import Level
from notahat.gifts import catalogue

LookAlikes = Mapping[str, tuple[str, ...]]


@cache
def catalogue_look_alikes() -> LookAlikes:
    """Return the look-alikes of every gift in the catalogue."""
    return {key: tuple(sorted(gift.look_alikes)) for key, gift in catalogue().items()}


EXACT_REFERENCES = 12  # references that a trace stores; older ones are estimated
_NEVER = float("-inf")
_MIN_AGE = 0.25  # in seconds; bounds the activation of a new trace
_MAX_TERM = _MIN_AGE**-0.5


class MemoryTrace:
    """The memory that a parcel holds a gift, with the times of its references."""

    __slots__ = ("_base_level", "_now", "first", "gift", "older", "parcel", "times")

    def __init__(self, parcel: Parcel, gift: str, now: float) -> None:
        self.parcel = parcel
        self.gift = gift
        self.first = now
        self.older = 0
        self.times = [now]
        self._now, self._base_level = _NEVER, 0.0  # cache of the last result, which is often needed again

    def add_reference(self, now: float) -> None:
        """Record that the trace was met or retrieved once more."""
        self._now = _NEVER
        self.times.append(now)
        if len(self.times) > EXACT_REFERENCES:
            del self.times[0]
            self.older += 1

    def base_level(self, now: float) -> float:
        """Return the base-level activation: ln of the sum of age^-0.5 over all references."""
        if now == self._now:
            return self._base_level
        total = 0.0
        if self.times[-1] < now - _MIN_AGE:
            for time in self.times:
                total += (now - time) ** -0.5
        else:
            for time in self.times:
                age = now - time
                total += age**-0.5 if age > _MIN_AGE else _MAX_TERM
        if self.older:  # estimated after Petrov, as if they were spread evenly since the first one
            oldest, youngest = sqrt(max(now - self.first, _MIN_AGE)), sqrt(max(now - self.times[0], _MIN_AGE))
            total += 2.0 * self.older / (oldest + youngest)
        self._now, self._base_level = now, log(total)
        return self._base_level


class Memory:
    """All traces of one player in one round."""

    __slots__ = ("_look_alikes", "_of_parcel", "look_alikes_of", "traces")

    def __init__(self, look_alikes: LookAlikes | None = None) -> None:
        self._look_alikes = catalogue_look_alikes() if look_alikes is None else look_alikes
        self.traces: list[MemoryTrace] = []
        self.look_alikes_of: dict[int, set[str]] = {}  # by parcel: look-alikes of all gifts it was believed to hold
        self._of_parcel: dict[int, list[MemoryTrace]] = {}

    def store(self, parcel: Parcel, gift: str, now: float) -> None:
        """Add a reference to the memory that a parcel holds a gift."""
        known = self.traces_of(parcel)
        for trace in known:
            if trace.gift == gift:
                trace.add_reference(now)
                return
        trace = MemoryTrace(parcel, gift, now)
        self.traces.append(trace)
        self._of_parcel[parcel.number] = [*known, trace]
        self.look_alikes_of.setdefault(parcel.number, set()).update(self._look_alikes.get(gift, ()))

    def store_only(self, parcel: Parcel, gift: str, now: float) -> None:
        """Store that a parcel holds a gift and delete contradicting traces: every gift exists once."""
        self._keep(trace for trace in self.traces if (trace.parcel is parcel) is (trace.gift == gift))
        self.store(parcel, gift, now)

    def traces_of(self, parcel: Parcel) -> Sequence[MemoryTrace]:
        """Return all traces of one parcel."""
        return self._of_parcel.get(parcel.number, ())

    def forget(self, gift: str) -> None:
        """Delete all traces of a gift that lies open for the rest of the round, and of the parcel that it was in."""
        self._keep(trace for trace in self.traces if trace.gift != gift and not trace.parcel.gone)

    def _keep(self, traces: Iterable[MemoryTrace]) -> None:
        self.traces = list(traces)
        self._of_parcel = {}
        for trace in self.traces:
            self._of_parcel.setdefault(trace.parcel.number, []).append(trace)


NOISE_SAMPLES = 4096
_MAX_TRACES = 512
# ACT-R's partial matching: how much activation a trace loses for each mismatch.
_HOLDER_MISMATCH = 0.5
_LEFT_LAST = 0.25  # instead of that, for a parcel that left this holder last
_BACK_MISMATCH = 0.3
LOST_TRACK = 0.8  # this parcel, if the player knows that it missed the last pass
_GIFT_MISMATCH = 0.1  # another parcel's gift that is no look-alike of what is remembered of this one
_IN_PLAIN_SIGHT = 1.5  # how much more a player avoids to name what it has just laid on top of its own column
_SLIP_MISMATCH = 4.5  # a look-alike that is in no trace at all
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
    """Return all traces' activations for a parcel: `placed` gifts are avoided, `on_top` more; its own lose `uncued`."""
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
