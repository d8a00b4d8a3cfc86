"""How much of anything somebody may do: a bucket of tokens that fills up again with time."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

MOST_REMEMBERED = 50_000


class Limit:
    """`burst` times at once and then `per_second`, for each key by itself."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def allows(self, key: Hashable, cost: float = 1.0) -> bool:
        """Take from the key's bucket, if there is enough in it."""
        now = self._clock()
        left, since = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        enough = left >= cost
        self._buckets[key] = (left - cost if enough else left, now)
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)  # whoever was here least recently has the fullest bucket
        return enough

    def has(self, key: Hashable) -> bool:
        """Whether there is something in the bucket, without taking it."""
        left, since = self._buckets.get(key, (self._burst, 0.0))
        return min(self._burst, left + (self._clock() - since) * self._per_second) >= 1.0
