"""Rate limits as token buckets, and the gate that applies the limits on frames to one connection, for every driver."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from enum import StrEnum
from time import monotonic
from typing import TypeVar

from notahat.rules import Reason
from notahat.table import GuestCommand
from notahat.wire.messages import Heartbeat, MalformedFrame, ServerReason, decode_frame

MAX_KEYS = 50_000

Clock = Callable[[], float]
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(OrderedDict[Key, Value]):
    """A dictionary of at most `size` items that drops the least recently used."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def touch(self, key: Key) -> Value | None:
        """Return the value of a key and mark it as used; None if it is not cached."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._size:
            self.popitem(last=False)


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

    def penalise(self, tokens: float) -> None:
        """Take so many tokens more than there are: they come back with time."""
        self._refill()
        self._tokens = -tokens

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

    def __init__(self, burst: float, per_second: float, clock: Clock = monotonic, keys: int = MAX_KEYS) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._buckets: LruCache[Hashable, TokenBucket] = LruCache(keys)  # the least recently used is the fullest

    def bucket(self, key: Hashable) -> TokenBucket:
        bucket = self._buckets.touch(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._burst, self._per_second, self._clock)
        return bucket

    def allows(self, key: Hashable) -> bool:
        """Take a token from the key's bucket if there is one."""
        return self.bucket(key).take()


MAX_FRAME_BYTES = 8 * 1024
MAX_FRAMES = 60
FRAMES_PER_SECOND = 15
MAX_PENDING = 32
MAX_STRIKES = 300
TOO_MANY_FRAMES = f"rate limit exceeded: at most {MAX_FRAMES} frames at once, then {FRAMES_PER_SECOND} per second"
TOO_MANY_PENDING = f"at most {MAX_PENDING} commands may wait for an answer"


class FrameRefused(Exception):  # noqa: N818 - an answer
    """A frame gets no further: answer it with id, reason and detail."""

    def __init__(self, id_: str | None, reason: StrEnum, detail: str) -> None:
        super().__init__(detail)
        self.id = id_
        self.reason = reason
        self.detail = detail


class TooManyStrikes(Exception):  # noqa: N818 - a result
    """The connection has to be closed."""


class FrameGate:
    """Decodes the frames of one connection. Each frame over the limits is a strike, and one within them removes one."""

    __slots__ = ("_buckets", "_max_strikes", "_strikes")

    def __init__(self, *buckets: TokenBucket, max_strikes: int = MAX_STRIKES) -> None:
        self._buckets = buckets
        self._max_strikes = max_strikes
        self._strikes = 0

    def allows(self) -> bool:
        """Take a token from every bucket, or count a strike. Too many empty the first bucket for other connections."""
        if all(bucket.take() for bucket in self._buckets):
            self._strikes = max(0, self._strikes - 1)
            return True
        self._strikes += 1
        if self.exceeded:
            self._buckets[0].penalise(self._max_strikes)
        return False

    @property
    def exceeded(self) -> bool:
        return self._strikes > self._max_strikes

    def read(self, frame: bytes, pending: Callable[[], int]) -> tuple[str, GuestCommand | Heartbeat]:
        """Return id and command of a frame, if not too many are `pending`. Raise `FrameRefused` or `TooManyStrikes`."""
        try:
            id_, command = decode_frame(frame)
        except MalformedFrame as error:
            self.count(error.id)
            raise FrameRefused(error.id, Reason.UNREADABLE, str(error)) from None
        self.count(id_)
        if not isinstance(command, Heartbeat) and pending() >= MAX_PENDING:
            raise FrameRefused(id_, ServerReason.TOO_FAST, TOO_MANY_PENDING)
        return id_, command

    def count(self, id_: str | None) -> None:
        """Count a frame. Raise `FrameRefused` over the rate limit, `TooManyStrikes` if that happens too often."""
        if self.allows():
            return
        if self.exceeded:
            raise TooManyStrikes
        raise FrameRefused(id_, ServerReason.TOO_FAST, TOO_MANY_FRAMES)
