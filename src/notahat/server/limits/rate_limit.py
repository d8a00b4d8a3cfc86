"""How much of anything somebody may do: a bucket of tokens that fills up again with time."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

MOST_REMEMBERED = 50_000

Clock = Callable[[], float]


class Bucket:
    """One key's tokens."""

    __slots__ = ("_burst", "_clock", "_left", "_per_second", "_since")

    def __init__(self, burst: float, per_second: float, clock: Clock) -> None:
        self._burst = self._left = burst
        self._per_second = per_second
        self._clock = clock
        self._since = clock()

    @property
    def left(self) -> float:
        """What is in it now."""
        return min(self._burst, self._left + (self._clock() - self._since) * self._per_second)

    def take(self, cost: float = 1.0) -> bool:
        """Take from it, if there is enough."""
        now = self._clock()
        left = self._left + (now - self._since) * self._per_second
        left = min(left, self._burst)
        self._since = now
        self._left = left - cost if left >= cost else left
        return left >= cost

    def put(self, cost: float = 1.0) -> None:
        """Give something back that was taken."""
        self._left = min(self._burst, self.left + cost)
        self._since = self._clock()


class Limit:
    """`burst` times at once and then `per_second`, for each key by itself."""

    def __init__(self, burst: float, per_second: float, clock: Clock = monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def of(self, key: Hashable) -> Bucket:
        """The bucket of a key, for whoever takes from it often."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._burst, self._per_second, self._clock)
            if len(self._buckets) > MOST_REMEMBERED:
                self._buckets.popitem(last=False)  # whoever was here least recently has the fullest bucket
        else:
            self._buckets.move_to_end(key)
        return bucket

    def allows(self, key: Hashable, cost: float = 1.0) -> bool:
        """Take from the key's bucket, if there is enough in it."""
        return self.of(key).take(cost)


class Patience:
    """With somebody who sends: each thing over a limit uses it up, each within the limits gives it back."""

    __slots__ = ("_buckets", "_left", "_most")

    def __init__(self, *buckets: Bucket, most: int) -> None:
        self._buckets = buckets
        self._left = self._most = most

    def allows(self) -> bool:
        """Take from every bucket, if there is enough in each."""
        for bucket in self._buckets:
            if not bucket.take():
                self._left -= 1
                return False
        self._left = min(self._most, self._left + 1)
        return True

    @property
    def over(self) -> bool:
        """Whether it is used up."""
        return self._left < 0
