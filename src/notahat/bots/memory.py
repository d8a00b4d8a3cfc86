"""Memory that decays: ACT-R's declarative memory, where what was met often and lately comes to mind most easily.

Plain Python floats, not numpy: a player remembers a dozen traces of a handful of times each, and at that
size the calls into numpy cost more than the sums.
"""

from collections.abc import Iterable, Sequence
from math import log, sqrt

from notahat.bots.parcel import Parcel
from notahat.bots.similarity import Likeness, look_alikes

EXACT = 12  # that many last references are kept as they are; the older ones are summed up
_NEVER = float("-inf")
_AT_ONCE = 0.25  # nothing is remembered sooner than a blink after it happened
_STRONGEST = _AT_ONCE**-0.5


class Trace:
    """That a parcel holds a gift, and each time this came to mind."""

    __slots__ = ("_base_level", "_now", "first", "gift", "older", "parcel", "times")

    def __init__(self, parcel: Parcel, gift: str, now: float) -> None:
        self.parcel = parcel
        self.gift = gift
        self.first = now
        self.older = 0
        self.times = [now]
        self._now, self._base_level = _NEVER, 0.0  # the last answer, often asked for again at once

    def met(self, now: float) -> None:
        """It came to mind once more."""
        self._now = _NEVER
        self.times.append(now)
        if len(self.times) > EXACT:
            del self.times[0]
            self.older += 1

    def base_level(self, now: float) -> float:
        """How readily it comes to mind: ln of the sum of age^-0.5 over all references."""
        if now == self._now:
            return self._base_level
        total = 0.0
        if self.times[-1] < now - _AT_ONCE:
            for time in self.times:
                total += (now - time) ** -0.5
        else:
            for time in self.times:
                age = now - time
                total += age**-0.5 if age > _AT_ONCE else _STRONGEST
        if self.older:
            total += self._tail(now)
        self._now, self._base_level = now, log(total)
        return self._base_level

    def _tail(self, now: float) -> float:
        """Petrov's estimate for the older references, as if spread evenly since the first one."""
        oldest, youngest = sqrt(max(now - self.first, _AT_ONCE)), sqrt(max(now - self.times[0], _AT_ONCE))
        return 2.0 * self.older / (oldest + youngest)


def base_level(times: Iterable[float], now: float) -> float:
    """ACT-R's base level of something met at these times: ln of the sum of age^-0.5."""
    first, *rest = times
    trace = Trace(Parcel(), "", first)
    for time in rest:
        trace.met(time)
    return trace.base_level(now)


class Memory:
    """All traces of one player in one round."""

    __slots__ = ("_likeness", "_of_parcel", "alike", "traces")

    def __init__(self, likeness: Likeness | None = None) -> None:
        self._likeness = look_alikes() if likeness is None else likeness
        self.traces: list[Trace] = []
        self.alike: dict[int, set[str]] = {}  # by parcel: what looks like the gifts it was thought to hold
        self._of_parcel: dict[int, list[Trace]] = {}

    def store(self, parcel: Parcel, gift: str, now: float) -> None:
        """Take in, or take in again, that a parcel holds a gift."""
        known = self.of(parcel)
        for trace in known:
            if trace.gift == gift:
                trace.met(now)
                return
        trace = Trace(parcel, gift, now)
        self.traces.append(trace)
        self._of_parcel[parcel.number] = [*known, trace]
        self.alike.setdefault(parcel.number, set()).update(self._likeness.get(gift, ()))

    def believe(self, parcel: Parcel, gift: str, now: float) -> None:
        """Take in that a parcel holds a gift and give up all that speaks against it: every gift is there once."""
        self.traces = [trace for trace in self.traces if (trace.parcel is parcel) is (trace.gift == gift)]
        self._of_parcel = {}
        for trace in self.traces:
            self._of_parcel.setdefault(trace.parcel.number, []).append(trace)
        self.store(parcel, gift, now)

    def of(self, parcel: Parcel) -> Sequence[Trace]:
        """All that is remembered of one parcel."""
        return self._of_parcel.get(parcel.number, ())

    def settle(self, gift: str) -> None:
        """A gift lies open for the rest of the round: there is nothing left to remember about it."""
        self.traces = [trace for trace in self.traces if trace.gift != gift]
        self._of_parcel = {
            number: [trace for trace in known if trace.gift != gift] for number, known in self._of_parcel.items()
        }
