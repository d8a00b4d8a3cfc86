"""Who is let in to a table: a browser with our own page's origin, or a program with its token."""

from collections.abc import Mapping
from http import HTTPStatus

from notahat.server.connection import FrameLimits, GuestConnection
from notahat.server.guests import Guests, bearer, cookie, own_origin
from notahat.server.limits import Limit
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.ws import Connection, TurnedAway, Visit
from notahat.store import Unavailable
from notahat.table import TableReason, Unknown
from notahat.table.welcome import may_watch
from notahat.wire.reasons import ServerReason

MOST_CONNECTIONS_OF_A_GUEST = 12
CHANGES = "changes=1"  # in the address: tell me only what changed


class Upgrade:
    """The way from a handshake to a connection."""

    def __init__(self, settings: Settings, node: Node, guests: Guests, wrong_codes: Limit) -> None:
        self._settings = settings
        self._node = node
        self._guests = guests
        self._wrong_codes = wrong_codes
        self._frames = FrameLimits(settings.pace)

    async def greet(self, visit: Visit) -> Connection | TurnedAway:
        match visit.path.split("/"):
            case ["", "api", "tables", code, "socket"]:
                pass
            case _:
                return _no(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE)
        if self._node.closing:
            return _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.GOING_AWAY)
        if "origin" in visit.headers and not own_origin(visit.headers, self._settings.public_url):
            return _no(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN)
        token = bearer(visit.headers)
        if token is None and "origin" in visit.headers:
            token = cookie(visit.headers)
        try:
            return await self._admit(visit, code, token)
        except (Unavailable, Unknown):
            return _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY)

    async def _admit(self, visit: Visit, code: str, token: str | None) -> Connection | TurnedAway:
        address = address_of(visit.headers, visit.address, self._settings.behind_proxy)
        guest = await self._guests.who(token)
        if guest is None:
            return _no(HTTPStatus.UNAUTHORIZED, ServerReason.NO_GUEST)
        hosted = await self._node.find(code)
        table = hosted.room.table if hosted else None
        at_home = table is not None and (guest == table.owner or table.held_by(guest))
        if not at_home and not self._wrong_codes.has(address):
            return _no(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_TRIES)
        if hosted is None or table is None:
            self._wrong_codes.allows(address)
            return _no(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_TABLE)
        if guest in table.removed:
            return TurnedAway(HTTPStatus.FORBIDDEN, TableReason.REMOVED.value)
        if not may_watch(table, guest):
            return _no(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS)
        if hosted.room.connections_of(guest) >= MOST_CONNECTIONS_OF_A_GUEST:
            return _no(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST)
        changes = CHANGES in visit.query.split("&")
        return GuestConnection(self._node, hosted, guest, self._frames.of(guest, address), changes)


def address_of(headers: Mapping[str, str], peer: str | None, behind_proxy: bool) -> str:
    """Where somebody comes from: only an operator's own proxy is believed about others."""
    if behind_proxy:
        forwarded = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        if forwarded:
            return forwarded
    return peer or "?"


def _no(status: HTTPStatus, reason: ServerReason) -> TurnedAway:
    return TurnedAway(status.value, reason.value)
