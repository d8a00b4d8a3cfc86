"""Limits on the bytes of uploaded decks: in flight per address and in total, and per day and address."""

from collections import Counter
from time import monotonic
from types import TracebackType

from notahat.live.frame_gate import Clock
from notahat.server.limits.budget import ADDRESS_UPLOAD_BYTES, DAILY_UPLOAD_BYTES, TOTAL_UPLOAD_BYTES
from notahat.server.limits.rate_limit import RateLimit
from notahat.wire.reasons import ServerReason

A_DAY = 24 * 3600


class UploadBudget:
    """The bytes of all decks that are being uploaded or checked."""

    def __init__(self, guests_per_address: int, clock: Clock = monotonic) -> None:
        a_day = guests_per_address * DAILY_UPLOAD_BYTES.value
        self._daily = RateLimit(a_day, a_day / A_DAY, clock)
        self._by_address: Counter[str] = Counter()

    @property
    def bytes_in_flight(self) -> int:
        return self._by_address.total()

    def upload(self, address: str) -> "Upload":
        return Upload(self, address)

    def acquire(self, address: str, size: int) -> ServerReason | None:
        """Count received bytes; return the reason for a refusal if there are too many."""
        if self._by_address[address] + size > ADDRESS_UPLOAD_BYTES.value:
            return ServerReason.TOO_FAST
        if self.bytes_in_flight + size > TOTAL_UPLOAD_BYTES.value:
            return ServerReason.BUSY
        if not self._daily.bucket(address).take(size):
            return ServerReason.TOO_FAST
        self._by_address[address] += size
        return None

    def release(self, address: str, size: int) -> None:
        self._by_address[address] -= size
        if self._by_address[address] <= 0:
            del self._by_address[address]


class Upload:
    """The bytes of one upload, kept until the end of a `with` block."""

    def __init__(self, budget: UploadBudget, address: str) -> None:
        self._budget = budget
        self._address = address
        self._size = 0

    def add(self, size: int) -> ServerReason | None:
        """Count received bytes; return the reason for a refusal if there are too many."""
        reason = self._budget.acquire(self._address, size)
        if reason is None:
            self._size += size
        return reason

    def __enter__(self) -> "Upload":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.release(self._address, self._size)
