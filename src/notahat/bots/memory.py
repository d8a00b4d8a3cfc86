"""Declarative memory after ACT-R: what was met often and recently has a high activation.

It uses Python floats because the traces are few and short: at that size numpy's call overhead is larger than the sums.
"""

from collections.abc import Iterable, Sequence
from math import log, sqrt

from notahat.bots.parcel import Parcel
from notahat.bots.similarity import LookAlikes, catalogue_look_alikes

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
        if self.older:
            total += self._older_terms(now)
        self._now, self._base_level = now, log(total)
        return self._base_level

    def _older_terms(self, now: float) -> float:
        """Estimate the older references' sum after Petrov, as if they were spread evenly since the first one."""
        oldest, youngest = sqrt(max(now - self.first, _MIN_AGE)), sqrt(max(now - self.times[0], _MIN_AGE))
        return 2.0 * self.older / (oldest + youngest)


def base_level(times: Iterable[float], now: float) -> float:
    """Return ACT-R's base-level activation of something met at these times."""
    first, *rest = times
    trace = MemoryTrace(Parcel(), "", first)
    for time in rest:
        trace.add_reference(time)
    return trace.base_level(now)


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
        self.traces = [trace for trace in self.traces if (trace.parcel is parcel) is (trace.gift == gift)]
        self._of_parcel = {}
        for trace in self.traces:
            self._of_parcel.setdefault(trace.parcel.number, []).append(trace)
        self.store(parcel, gift, now)

    def traces_of(self, parcel: Parcel) -> Sequence[MemoryTrace]:
        """Return all traces of one parcel."""
        return self._of_parcel.get(parcel.number, ())

    def forget(self, gift: str) -> None:
        """Delete all traces of a gift, which lies open for the rest of the round."""
        self.traces = [trace for trace in self.traces if trace.gift != gift]
        self._of_parcel = {
            number: [trace for trace in known if trace.gift != gift] for number, known in self._of_parcel.items()
        }
