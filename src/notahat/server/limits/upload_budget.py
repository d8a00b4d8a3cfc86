"""Limits on the bytes of uploaded decks: in flight per address and in total, and per day and address."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from notahat.live.frame_gate import Clock
from notahat.server.limits.budget import ADDRESS_UPLOAD_BYTES, DAILY_UPLOAD_BYTES, TOTAL_UPLOAD_BYTES
from notahat.server.limits.rate_limit import RateLimit
from notahat.wire.reasons import ServerReason

A_DAY = 24 * 3600

Count = Callable[[int], ServerReason | None]


class UploadBudget:
    """The bytes of all decks that are being uploaded or checked."""

    def __init__(self, guests_per_address: int, clock: Clock = monotonic) -> None:
        a_day = guests_per_address * DAILY_UPLOAD_BYTES.value
        self._daily = RateLimit(a_day, a_day / A_DAY, clock)
        self._by_address: Counter[str] = Counter()

    @property
    def bytes_in_flight(self) -> int:
        return self._by_address.total()

    @contextmanager
    def upload(self, address: str) -> Iterator[Count]:
        """Give a function that counts the bytes of one upload, which are released at the end of the block."""
        size = 0

        def count(more: int) -> ServerReason | None:
            nonlocal size
            reason = self._acquire(address, more)
            size += more if reason is None else 0
            return reason

        try:
            yield count
        finally:
            self._by_address[address] -= size
            if self._by_address[address] <= 0:
                del self._by_address[address]

    def _acquire(self, address: str, size: int) -> ServerReason | None:
        """Count received bytes; return the reason for a refusal if there are too many."""
        if self._by_address[address] + size > ADDRESS_UPLOAD_BYTES.value:
            return ServerReason.TOO_FAST
        if self.bytes_in_flight + size > TOTAL_UPLOAD_BYTES.value:
            return ServerReason.BUSY
        if not self._daily.bucket(address).take(size):
            return ServerReason.TOO_FAST
        self._by_address[address] += size
        return None
