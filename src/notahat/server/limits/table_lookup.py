"""Who asks for a table, and whether they may know that it is there: decisions/0014.

People at their own table and whoever has its link come in. Four letters alone open a table only while people arrive
there, and nobody can try many of them.
"""

import asyncio
from collections import OrderedDict
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from time import monotonic
from uuid import UUID

from notahat.server.limits.rate_limit import Bucket, Clock, Limit
from notahat.server.node import Hosted, Node
from notahat.server.table_codes import key_of, split
from notahat.table import Table
from notahat.table.admission import at_home
from notahat.wire.reasons import ServerReason

# all 531,441 codes take 12 days from one address, and 29 hours from any number of addresses
OF_A_GUEST = (12, 1 / 30)
OF_AN_ADDRESS = (30, 0.5)
OF_ALL = (300, 5.0)
ASKING = (100, 10.0)  # anything about tables, for each guest, or for each address where nobody says who they are
NO_SOONER = 0.25  # seconds: a wrong code and a table that is closed to strangers are answered alike, the time included
MOST_KNOWN = 20_000
IPV6_OF_ONE = 64  # bits: whoever has one IPv6 address has all that begin like it


class Tries:
    """How many codes may be tried by a guest, from an address, and in all."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self._guests = Limit(*OF_A_GUEST, clock)
        self._addresses = Limit(*OF_AN_ADDRESS, clock)
        self._all = Bucket(*OF_ALL, clock)

    def own(self, guest: UUID | None) -> "Try":
        return Try(() if guest is None else (self._guests.of(guest.int),))

    def shared(self, address: str) -> "Try":
        return Try((self._addresses.of(address), self._all))


class Try:
    """One try: taken before anything is looked up, and given back where it was no wrong one."""

    def __init__(self, buckets: tuple[Bucket, ...]) -> None:
        self._buckets = buckets
        self.taken = False

    def take(self) -> bool:
        for number, bucket in enumerate(self._buckets):
            if not bucket.take():
                for taken in self._buckets[:number]:
                    taken.put()
                return False
        self.taken = True
        return True

    def give_back(self) -> None:
        if self.taken:
            self.taken = False
            for bucket in self._buckets:
                bucket.put()


class Doorman:
    """Finds tables for those who may find them."""

    def __init__(self, node: Node, pace: float = 1.0, clock: Clock = monotonic) -> None:
        self.tries = Tries(clock)
        self._node = node
        self._asking = Limit(*ASKING, clock)
        self._no_sooner = NO_SOONER / max(1.0, pace)
        self._known: OrderedDict[tuple[UUID, UUID], None] = OrderedDict()

    async def find(self, asked: str, guest: UUID | None, address: str) -> Hosted | ServerReason:
        """The table, or why not. Nothing is loaded for who tries too often."""
        if not self._asking.allows(address if guest is None else guest.int):
            return ServerReason.TOO_FAST
        code, key = split(asked)
        if code is not None and (key or guest):
            id_ = await self._node.store.table_of(code)
            if id_ is not None and (_fits(key, id_) or (id_, guest) in self._known):
                return self._let_in(await self._node.hosted(id_), guest)
        own, shared = self.tries.own(guest), self.tries.shared(address)
        if not own.take() or not (shared.take() or guest):
            return ServerReason.TOO_MANY_TRIES
        return await self._look(code, guest, own, shared)

    async def _look(self, code: str | None, guest: UUID | None, own: Try, shared: Try) -> Hosted | ServerReason:
        """Somebody has no more than a code. Where others tried too many from the same place, it must be their table."""
        answer_at = asyncio.get_running_loop().time() + self._no_sooner
        hosted = None if code is None else await self._node.find(code)
        if hosted is not None:
            table = hosted.room.table
            if (guest and _belongs(table, guest)) or (shared.taken and is_open(table)):
                own.give_back()
                shared.give_back()
                return self._let_in(hosted, guest)
        await asyncio.sleep(max(0.0, answer_at - asyncio.get_running_loop().time()))
        return ServerReason.NO_SUCH_TABLE if shared.taken else ServerReason.TOO_MANY_TRIES

    def _let_in(self, hosted: Hosted | None, guest: UUID | None) -> Hosted | ServerReason:
        """Whoever was let in finds the way again, also when the table has been closed to strangers."""
        if hosted is None:
            return ServerReason.NO_SUCH_TABLE
        if guest is not None:
            self._known[hosted.id, guest] = None
            self._known.move_to_end((hosted.id, guest))
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return hosted


def is_open(table: Table) -> bool:
    """Whether four letters are enough: while people arrive."""
    return table.stage == "lobby" and not table.locked


def _fits(key: str, table: UUID) -> bool:
    return compare_digest(key.encode(), key_of(table).encode())


def _belongs(table: Table, guest: UUID) -> bool:
    return at_home(table, guest) or guest in table.removed


def place(address: str) -> str:
    """Where an address is, as far as one person may have many: of IPv6 the network, of anything else itself."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, IPV6_OF_ONE), strict=False))
