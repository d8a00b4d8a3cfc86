"""What strangers learn of tables: open lobbies in this house, and that a player lets them in after a knock."""

import asyncio
from collections.abc import Mapping
from ipaddress import ip_network
from math import ceil
from time import monotonic
from uuid import UUID

from notahat.live.limits import Clock, LruCache, RateLimit
from notahat.live.requests import ReportKnock
from notahat.server.http.exchange import require
from notahat.server.http.guests import is_address, name_of
from notahat.server.limits.budget import ADDRESS_KNOCKS, ADDRESS_KNOCKS_PER_MINUTE, KNOCK_ANSWER_SECONDS
from notahat.server.limits.table_lookup import LOOKUPS, TableLookup
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.table_codes import split_code
from notahat.table.admission import is_known, is_open
from notahat.table.people import clean_name
from notahat.table.table import MOST_SEATS
from notahat.wire.messages import HouseTable, KnockAnswer, ServerReason

MAX_WAITING = 20_000


class Knocks:
    """Knocks of guests, from the first request until the time for an answer is over."""

    def __init__(self, node: Node, lookup: TableLookup, clock: Clock = monotonic) -> None:
        self._node = node
        self._lookup = lookup
        self._clock = clock
        self._requests = RateLimit(*LOOKUPS, clock)
        self._addresses = RateLimit(ADDRESS_KNOCKS.value, ADDRESS_KNOCKS_PER_MINUTE.value / 60, clock)
        self._began: LruCache[tuple[UUID, str], float] = LruCache(MAX_WAITING)

    async def knock(self, requested: str, guest: UUID, address: str, name: str) -> KnockAnswer:
        """Knock, or ask for the answer to a knock; raise `Illegal` for a name that is none, or over the limits.

        A knock counts as an attempted code and is never refunded, because that would tell whether a table exists.
        """
        name = clean_name(name)
        require(self._requests.allows(guest.int))
        code = split_code(requested)[0] or ""
        began = self._began.get((guest, code))
        is_new = began is None or self._clock() - began >= KNOCK_ANSWER_SECONDS.value
        require(not is_new or self._count(guest, address), ServerReason.TOO_MANY_TRIES)
        if is_new or began is None:
            began = self._began[guest, code] = self._clock()
        admitted = await self._try(code, guest, name if is_new else None)
        return KnockAnswer(admitted, max(0, ceil(KNOCK_ANSWER_SECONDS.value - (self._clock() - began))))

    def _count(self, guest: UUID, address: str) -> bool:
        """Count a new knock; return whether it is within the limits."""
        attempts = self._lookup.attempts
        by_guest = attempts.of_guest(guest)
        if not by_guest.count():
            return False
        if self._addresses.allows(address) and attempts.of_address(address).count():
            return True
        by_guest.refund()
        return False

    async def _try(self, code: str, guest: UUID, name: str | None) -> bool:
        """Return whether the guest may enter by the code now; else knock under the name, if one is given."""
        loop = asyncio.get_running_loop()
        respond_at = loop.time() + self._lookup.min_response_seconds
        id_ = await self._node.store.table_of(code) if code else None
        room = None if id_ is None else await self._node.room(id_)
        if id_ is not None and room is not None:
            if is_open(room.table) or is_known(room.table, guest):
                return True
            if name is not None:
                self._node.handle(ReportKnock(id_, name), guest)
        await asyncio.sleep(max(0.0, respond_at - loop.time()))
        return False


HOUSE_TAG = b'<meta name="house" content="yes" />'  # tells the web app to ask
MOST_TABLES = 8


def has_house(settings: Settings) -> bool:
    return settings.lan and settings.house


def is_in_house(address: str, headers: Mapping[str, str], settings: Settings) -> bool:
    """Return whether a client may see the tables: in the same network, behind no unknown tunnel, by an own name."""
    tunnelled = not settings.behind_proxy and ("x-forwarded-for" in headers or "forwarded" in headers)
    if tunnelled or not has_house(settings):
        return False
    name = name_of(f"//{headers.get('host', '')}")
    is_own = is_address(name) or "." not in name or name.endswith(".local") or name == name_of(settings.public_url)
    try:
        return is_own and ip_network(address, strict=False).network_address.is_private
    except ValueError:
        return False


def house_tables(node: Node) -> tuple[HouseTable, ...]:
    """Return the unlocked lobbies with a free seat whose host is there."""
    found = (
        HouseTable(table.code, names[0], len(table.seats))
        for room in node.host.rooms.values()
        if is_open(table := room.table) and table.day is None and table.host in room.presence.present
        if len(table.seats) < MOST_SEATS and (names := [seat.name for seat in table.seats if seat.guest is not None])
    )
    return tuple(table for table, _ in zip(found, range(MOST_TABLES), strict=False))
