"""Memory that decays: ACT-R's declarative memory, where what was met often and lately comes to mind most easily.

Plain Python floats, not numpy: a player remembers a dozen traces of a handful of times each, and at that
size the calls into numpy cost more than the sums.
"""

from collections.abc import Iterable
from math import log, sqrt

from notahat.bots.likeness import look_alikes
from notahat.bots.parcel import Parcel

EXACT = 12  # that many last references are kept as they are; the older ones are summed up
_AT_ONCE = 0.25  # nothing is remembered sooner than a blink after it happened


class Trace:
    """That a parcel holds a gift, and each time this came to mind."""

    __slots__ = ("first", "gift", "older", "parcel", "times")

    def __init__(self, parcel: Parcel, gift: str, now: float) -> None:
        self.parcel = parcel
        self.gift = gift
        self.first = now
        self.older = 0
        self.times = [now]

    def met(self, now: float) -> None:
        """It came to mind once more."""
        self.times.append(now)
        if len(self.times) > EXACT:
            del self.times[0]
            self.older += 1

    def strength(self, now: float) -> float:
        """e to the base level: the sum of age^-0.5 over all references."""
        latest = now - _AT_ONCE
        total = 0.0
        for time in self.times:
            total += 1.0 / sqrt(now - time if time < latest else _AT_ONCE)
        return total + self._tail(now) if self.older else total

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
    return log(trace.strength(now))


class Memory:
    """All traces of one player in one round."""

    __slots__ = ("_by_key", "alike", "traces")

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.alike: dict[int, set[str]] = {}  # by parcel: what looks like the gifts it was thought to hold
        self._by_key: dict[tuple[int, str], Trace] = {}

    def store(self, parcel: Parcel, gift: str, now: float) -> None:
        """Take in, or take in again, that a parcel holds a gift."""
        key = (parcel.number, gift)
        trace = self._by_key.get(key)
        if trace is None:
            self._by_key[key] = trace = Trace(parcel, gift, now)
            self.traces.append(trace)
            self.alike.setdefault(parcel.number, set()).update(look_alikes().get(gift, ()))
        else:
            trace.met(now)

    def settle(self, gift: str) -> None:
        """A gift lies open for the rest of the round: there is nothing left to remember about it."""
        self.traces = [trace for trace in self.traces if trace.gift != gift]
        self._by_key = {key: trace for key, trace in self._by_key.items() if trace.gift != gift}
