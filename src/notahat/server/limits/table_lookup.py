"""Find tables by code or link without revealing which codes exist: decisions/0014."""

import asyncio
from hmac import compare_digest
from time import monotonic
from uuid import UUID

from notahat.live.limits import Clock, LruCache, RateLimit, TokenBucket
from notahat.server.node import Node
from notahat.server.table_codes import link_key, split_code
from notahat.table.admission import is_known, is_open
from notahat.wire.messages import ServerReason

# burst and attempts per second: all 531,441 codes take 12 days from one address, and 29 hours from many
GUEST_ATTEMPTS = (12, 1 / 30)
ADDRESS_ATTEMPTS = (30, 0.5)
TOTAL_ATTEMPTS = (300, 5.0)
LOOKUPS = (100, 10.0)  # requests about tables per guest, or per address without a guest
MIN_RESPONSE_SECONDS = 0.25  # so that the time does not tell a wrong code from a table that is closed to strangers
MAX_KNOWN = 20_000


class AttemptLimits:
    """Limits on attempted codes per guest, per address and in total."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self._guests = RateLimit(*GUEST_ATTEMPTS, clock)
        self._addresses = RateLimit(*ADDRESS_ATTEMPTS, clock)
        self._total = TokenBucket(*TOTAL_ATTEMPTS, clock)

    def of_guest(self, guest: UUID | None) -> "Attempt":
        return Attempt(() if guest is None else (self._guests.bucket(guest.int),))

    def of_address(self, address: str) -> "Attempt":
        return Attempt((self._addresses.bucket(address), self._total))


class Attempt:
    """One attempt, counted before the lookup and refunded if it was right."""

    def __init__(self, buckets: tuple[TokenBucket, ...]) -> None:
        self._buckets = buckets
        self.counted = False

    def count(self) -> bool:
        """Take one token from every bucket, or none; return whether it was possible."""
        for number, bucket in enumerate(self._buckets):
            if not bucket.take():
                for taken in self._buckets[:number]:
                    taken.refund()
                return False
        self.counted = True
        return True

    def refund(self) -> None:
        if self.counted:
            self.counted = False
            for bucket in self._buckets:
                bucket.refund()


class TableLookup:
    """Finds the table of a code or link, if the guest may know that it exists."""

    def __init__(self, node: Node, pace: float = 1.0, clock: Clock = monotonic) -> None:
        self.attempts = AttemptLimits(clock)
        self._node = node
        self._lookups = RateLimit(*LOOKUPS, clock)
        self.min_response_seconds = MIN_RESPONSE_SECONDS / max(1.0, pace)
        self._known: LruCache[tuple[UUID, UUID], None] = LruCache(MAX_KNOWN)  # table and guest

    async def find(self, requested: str, guest: UUID | None, address: str) -> UUID | ServerReason:
        """Return the table, or the reason for a refusal. A request over the limits loads nothing."""
        if not self._lookups.allows(address if guest is None else guest.int):
            return ServerReason.TOO_FAST
        code, key = split_code(requested)
        if code is not None and (key or guest):
            id_ = await self._node.store.table_of(code)
            key_matches = id_ is not None and compare_digest(key.encode(), link_key(id_).encode())
            if id_ is not None and (key_matches or (id_, guest) in self._known):
                return self._admit(id_, guest)
        by_guest, by_address = self.attempts.of_guest(guest), self.attempts.of_address(address)
        if not by_guest.count() or not (by_address.count() or guest):
            return ServerReason.TOO_MANY_TRIES
        return await self._find_by_code(code, guest, by_guest, by_address)

    async def _find_by_code(
        self, code: str | None, guest: UUID | None, by_guest: Attempt, by_address: Attempt
    ) -> UUID | ServerReason:
        """Find a table by code alone. If its address has no attempts left, a guest finds only their own table."""
        respond_at = asyncio.get_running_loop().time() + self.min_response_seconds
        id_ = None if code is None else await self._node.store.table_of(code)
        room = None if id_ is None else await self._node.room(id_)
        table = None if room is None else room.table
        if id_ and table and ((guest and is_known(table, guest)) or (by_address.counted and is_open(table))):
            by_guest.refund()
            by_address.refund()
            return self._admit(id_, guest)
        await asyncio.sleep(max(0.0, respond_at - asyncio.get_running_loop().time()))
        return ServerReason.NO_SUCH_TABLE if by_address.counted else ServerReason.TOO_MANY_TRIES

    def _admit(self, table: UUID, guest: UUID | None) -> UUID:
        """Remember the guest, who can then find the table also when it is closed to strangers."""
        if guest is not None:
            self._known[table, guest] = None
        return table
