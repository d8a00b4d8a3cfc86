"""The limits on a guest's frames, and the gate that applies them to one connection, for every driver."""

from collections.abc import Callable
from enum import StrEnum

from notahat.rules import Reason
from notahat.table import GuestCommand
from notahat.wire.messages import Heartbeat, MalformedFrame, decode_frame
from notahat.wire.reasons import ServerReason

MAX_FRAME_BYTES = 8 * 1024
MAX_FRAMES = 60
FRAMES_PER_SECOND = 15
MAX_PENDING = 32
MAX_STRIKES = 300
TOO_MANY_FRAMES = f"rate limit exceeded: at most {MAX_FRAMES} frames at once, then {FRAMES_PER_SECOND} per second"
TOO_MANY_PENDING = f"at most {MAX_PENDING} commands may wait for an answer"

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


class StrikeCounter:
    """Strikes of one connection: each event over a limit adds one, each event within the limits removes one.

    Too many strikes also empty the first bucket for a while, so that another connection does not help.
    """

    __slots__ = ("_buckets", "_max_strikes", "_strikes")

    def __init__(self, *buckets: TokenBucket, max_strikes: int = MAX_STRIKES) -> None:
        self._buckets = buckets
        self._max_strikes = max_strikes
        self._strikes = 0

    def allows(self) -> bool:
        """Take a token from every bucket; count a strike if one of them is empty."""
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
    """Decodes the frames of one connection and applies the limits."""

    __slots__ = ("_strikes",)

    def __init__(self, strikes: StrikeCounter) -> None:
        self._strikes = strikes

    def read(self, frame: bytes, pending: Callable[[], int]) -> tuple[str, GuestCommand | Heartbeat]:
        """Return id and command of a frame. Raise `FrameRefused` or `TooManyStrikes`.

        `pending` returns how many commands of the connection wait for an answer.
        """
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
        if self._strikes.allows():
            return
        if self._strikes.exceeded:
            raise TooManyStrikes
        raise FrameRefused(id_, ServerReason.TOO_FAST, TOO_MANY_FRAMES)
