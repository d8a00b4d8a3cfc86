"""How many sockets this process may hold, and which share of them is reserved."""

from collections import Counter

RESERVED_FILES = 64  # for files, the store and listening sockets
UNLIMITED = 100_000
MAX_RESERVED = 2048


def files_limit() -> int | None:
    """Raise the limit on open files as far as the system allows, and return it; None without one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError):  # some systems report a hard limit that they do not grant
            pass
    return None if soft == resource.RLIM_INFINITY else soft


def connection_limit() -> int:
    """Return how many connections fit into the limit on open files."""
    files = min(files_limit() or UNLIMITED, UNLIMITED)
    return max(RESERVED_FILES, files - RESERVED_FILES)


class ConnectionQuota:
    """Open sockets in total and per address.

    A quarter of all connections (at most `MAX_RESERVED`) is reserved for HTTP, and as many for guests who belong to
    the table that they connect to. One address may hold half of all.
    """

    def __init__(self, limit: int) -> None:
        reserved = min(limit // 4, MAX_RESERVED)
        self.http_limit = reserved
        self._member_limit = limit - reserved
        self._stranger_limit = limit - 2 * reserved
        self._address_limit = limit // 2
        self._by_address: Counter[str] = Counter()
        self._total = 0

    def allows(self, address: str, is_member: bool) -> bool:
        limit = self._member_limit if is_member else self._stranger_limit
        return self._total < limit and self._by_address[address] < self._address_limit

    def acquire(self, address: str) -> None:
        self._by_address[address] += 1
        self._total += 1

    def release(self, address: str) -> None:
        self._total -= 1
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]


class Slot:
    """One connection's share of the quota, from opening to closing."""

    __slots__ = ("_acquired", "_address", "_quota")

    def __init__(self, quota: ConnectionQuota, address: str) -> None:
        self._quota = quota
        self._address = address
        self._acquired = False

    def acquire(self) -> None:
        self._acquired = True
        self._quota.acquire(self._address)

    def release(self) -> None:
        if self._acquired:
            self._acquired = False
            self._quota.release(self._address)
