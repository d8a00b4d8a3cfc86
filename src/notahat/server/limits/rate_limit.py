"""Rate limits as token buckets, one bucket per key."""

from collections.abc import Callable, Hashable
from time import monotonic

from notahat.server.caches import LruCache

MAX_KEYS = 50_000

Clock = Callable[[], float]


class TokenBucket:
    """The tokens of one key."""

    __slots__ = ("_burst", "_clock", "_per_second", "_tokens", "_updated")

    def __init__(self, burst: float, per_second: float, clock: Clock) -> None:
        self._burst = self._tokens = burst
        self._per_second = per_second
        self._clock = clock
        self._updated = clock()

    def take(self, tokens: float = 1.0) -> bool:
        """Take tokens if there are so many."""
        self._refill()
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def refund(self) -> None:
        """Put one token back."""
        self._refill()
        self._tokens = min(self._burst, self._tokens + 1.0)

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._updated) * self._per_second)
        self._updated = now


class RateLimit:
    """`burst` events at once and then `per_second`, for each key by itself."""

    def __init__(self, burst: float, per_second: float, clock: Clock = monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._buckets: LruCache[Hashable, TokenBucket] = LruCache(MAX_KEYS)  # the least recently used is the fullest

    def bucket(self, key: Hashable) -> TokenBucket:
        bucket = self._buckets.touch(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._burst, self._per_second, self._clock)
        return bucket

    def allows(self, key: Hashable) -> bool:
        """Take a token from the key's bucket if there is one."""
        return self.bucket(key).take()


class StrikeCounter:
    """Strikes of one connection: each event over a limit adds one, each event within the limits removes one."""

    __slots__ = ("_buckets", "_max_strikes", "_strikes")

    def __init__(self, *buckets: TokenBucket, max_strikes: int) -> None:
        self._buckets = buckets
        self._max_strikes = max_strikes
        self._strikes = 0

    def allows(self) -> bool:
        """Take a token from every bucket; count a strike if one of them is empty."""
        if all(bucket.take() for bucket in self._buckets):
            self._strikes = max(0, self._strikes - 1)
            return True
        self._strikes += 1
        return False

    @property
    def exceeded(self) -> bool:
        return self._strikes > self._max_strikes
