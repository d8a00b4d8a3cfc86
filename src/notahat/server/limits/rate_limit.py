"""Rate limits as token buckets, one bucket per key."""

from collections.abc import Hashable
from time import monotonic

from notahat.live.frame_gate import Clock, TokenBucket
from notahat.server.caches import LruCache

MAX_KEYS = 50_000


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
