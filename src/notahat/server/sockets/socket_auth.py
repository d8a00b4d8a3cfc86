"""Who is let in to a table: a browser with our own page's origin, or a program with its token."""

from http import HTTPStatus

from notahat.server.http.guests import Guests, bearer, cookie, own_origin
from notahat.server.limits.connection_quota import Crowd
from notahat.server.limits.table_lookup import Doorman, place
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.sockets.connection import Asks, FrameLimits, GuestConnection
from notahat.server.sockets.upgrade import Connection, TurnedAway, Visit
from notahat.store import Unavailable
from notahat.table import TableReason, Unknown
from notahat.table.admission import at_home, may_watch
from notahat.wire.reasons import ServerReason

MOST_CONNECTIONS_OF_A_GUEST = 12
STATUS = {
    ServerReason.NO_SUCH_TABLE: HTTPStatus.NOT_FOUND,
    ServerReason.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    ServerReason.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
}


class Upgrade:
    """The way from a handshake to a connection."""

    def __init__(self, settings: Settings, node: Node, guests: Guests, doorman: Doorman, crowd: Crowd) -> None:
        self._settings = settings
        self._node = node
        self._guests = guests
        self._doorman = doorman
        self._crowd = crowd
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
        address = address_of(visit.headers.get("x-forwarded-for", ""), visit.address, self._settings.behind_proxy)
        guest = await self._guests.who(token)
        if guest is None:
            return _no(HTTPStatus.UNAUTHORIZED, ServerReason.NO_GUEST)
        hosted = await self._doorman.find(code, guest, address)
        if isinstance(hosted, ServerReason):
            return _no(STATUS[hosted], hosted)
        table = hosted.room.table
        if guest in table.removed:
            return TurnedAway(HTTPStatus.FORBIDDEN, TableReason.REMOVED.value)
        if not may_watch(table, guest):
            return _no(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS)
        if hosted.room.connections_of(guest) >= MOST_CONNECTIONS_OF_A_GUEST:
            return _no(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST)
        if not self._crowd.has_room(address, at_home(table, guest)):
            return _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY)
        patience, its_place = self._frames.of(guest, address), self._crowd.place(address)
        return GuestConnection(self._node, hosted, guest, patience, Asks.of(visit.query), its_place)


def address_of(forwarded: str, peer: str | None, behind_proxy: bool) -> str:
    """Where somebody comes from. Only an operator's own proxy is believed about others, and only its own word, which
    is the last of all that the lines of `X-Forwarded-For` say.
    """
    said = forwarded.rpartition(",")[2].strip() if behind_proxy else ""
    return place(said or peer or "?")


def _no(status: HTTPStatus, reason: ServerReason) -> TurnedAway:
    return TurnedAway(status.value, reason.value)
