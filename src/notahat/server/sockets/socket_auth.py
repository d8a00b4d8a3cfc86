"""Who may open a socket: a browser on one of our own pages, or a program with a token."""

from enum import StrEnum
from http import HTTPStatus

from notahat.rules import Illegal
from notahat.server.http.base_path import strip_base
from notahat.server.http.guests import (
    Guests,
    bearer_token,
    cookie_token,
    hash_token,
    is_own_origin,
    protocol_token,
)
from notahat.server.http.refusal import STATUS, require
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.address import client_address
from notahat.server.limits.budget import GUEST_SOCKETS
from notahat.server.limits.table_lookup import TableLookup
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.sockets.connection import ConnectionOptions, GuestConnection, RefusedConnection
from notahat.server.sockets.upgrade import Connection, UpgradeRefusal, UpgradeRequest
from notahat.store import Unavailable
from notahat.table import Unknown
from notahat.table.admission import is_member
from notahat.wire.reasons import ServerReason


class SocketAuth:
    """Authorises upgrade requests and makes their connections."""

    def __init__(self, settings: Settings, node: Node, guests: Guests, lookup: TableLookup, accounts: Accounts) -> None:
        self._settings = settings
        self._node = node
        self._guests = guests
        self._lookup = lookup
        self._accounts = accounts

    async def authorise(self, request: UpgradeRequest) -> Connection | UpgradeRefusal:
        match strip_base(request.path, self._settings.base_path).split("/"):
            case ["", "api", "tables", code, "socket"]:
                pass
            case _:
                return _refuse(ServerReason.NO_SUCH_PAGE)
        if "origin" in request.headers and not is_own_origin(request.headers, self._settings.public_url):
            return _refuse(ServerReason.BAD_ORIGIN)
        token = bearer_token(request.headers) or protocol_token(request.headers)
        if token is None and "origin" in request.headers:
            token = cookie_token(request.headers)
        try:
            return await self._connect(request, code, token)
        except Illegal as illegal:
            return _refuse(illegal.reason)
        except (Unavailable, Unknown):
            return _refuse(ServerReason.BUSY)

    async def _connect(self, request: UpgradeRequest, code: str, token: str | None) -> Connection:
        """Return the connection of a guest; raise `Illegal` for a refusal, which is also a close reason."""
        require(not self._node.closing, ServerReason.GOING_AWAY)
        forwarded = request.headers.get("x-forwarded-for", "")
        address = client_address(forwarded, request.address, self._settings.behind_proxy)
        guest = await self._guests.identify(token)
        if guest is None or token is None:
            raise Illegal(ServerReason.NO_GUEST, "")
        strikes = self._accounts.strike_counter(guest, address)
        require(strikes.allows())  # who was cut off for too many frames comes back later
        found = await self._lookup.find(code, guest, address)
        if isinstance(found, ServerReason):
            raise Illegal(found, "")
        options = ConnectionOptions.parse(request.query)
        room = await self._node.room(found, options.version)
        if room is None:
            raise Illegal(ServerReason.NO_SUCH_TABLE, "")
        require(room.connection_count(guest) < GUEST_SOCKETS.value)
        reserve = 0 if is_member(room.table, guest) else self._accounts.reserve
        require(self._accounts.sockets.make_room(address, reserve=reserve), ServerReason.BUSY)
        return GuestConnection(
            self._node,
            found,
            guest,
            accounts=self._accounts,
            address=address,
            strikes=strikes,
            options=options,
            token_hash=hash_token(token),
        )


def _refuse(reason: StrEnum) -> Connection | UpgradeRefusal:
    """Close the connection with the reason. If this node cannot serve anyone, refuse the handshake instead, so that a
    proxy tries another node; a page of another origin learns nothing at all.
    """
    status = STATUS[reason]
    if status == HTTPStatus.SERVICE_UNAVAILABLE or reason in (ServerReason.BAD_ORIGIN, ServerReason.NO_SUCH_PAGE):
        return UpgradeRefusal(status.value, reason.value)
    return RefusedConnection(reason)
