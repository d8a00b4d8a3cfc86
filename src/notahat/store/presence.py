"""Who is at which table just now, as one process knows it: leases that expire unless they are renewed."""

import time
from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

from notahat.store.store import Lease


class Presence:
    """Leases in memory: on one machine nobody else needs to know them, and after a crash they are worth nothing."""

    def __init__(self) -> None:
        self._until: defaultdict[UUID, dict[Lease, float]] = defaultdict(dict)
        self._held: dict[UUID, frozenset[UUID]] = {}

    def hold(self, held: Mapping[UUID, frozenset[UUID]]) -> None:
        """These guests are at these tables; nobody means that a table is let go."""
        for table, guests in held.items():
            if guests:
                self._held[table] = guests
            else:
                self._held.pop(table, None)

    def renew(self, table: UUID, lease: Lease, seconds: float) -> bool:
        """Hold a lease for so long from now. True if it was not held before."""
        now = time.monotonic()
        new = self._until[table].get(lease, now) <= now
        self._until[table][lease] = now + seconds
        return new

    def end(self, table: UUID, lease: Lease) -> bool:
        """Let a lease go. True if it was held."""
        return self._until[table].pop(lease, None) is not None

    def at(self, table: UUID) -> frozenset[Lease]:
        now = time.monotonic()
        return frozenset(lease for lease, until in self._until.get(table, {}).items() if until > now)

    def tables(self) -> set[UUID]:
        """The tables with somebody there; what has expired is dropped on the way."""
        now = time.monotonic()
        for table, leases in list(self._until.items()):
            if all(until <= now for until in leases.values()):
                del self._until[table]
        return {*self._until, *self._held}
