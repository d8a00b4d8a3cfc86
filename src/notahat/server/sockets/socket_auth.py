"""Who may open a socket: a browser on one of our own pages, or a program with a token; and until when they may stay."""

import asyncio
from enum import StrEnum
from http import HTTPStatus
from typing import cast

from notahat.live.effects import close_code
from notahat.rules import Illegal
from notahat.server.http.exchange import STATUS, require, strip_base
from notahat.server.http.guests import (
    Guests,
    bearer_token,
    cookie_token,
    hash_token,
    is_own_origin,
    protocol_token,
)
from notahat.server.limits.accounts import Accounts, client_address
from notahat.server.limits.budget import GUEST_SOCKETS
from notahat.server.limits.table_lookup import TableLookup
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.server.sockets.connection import ConnectionOptions, GuestConnection, RefusedConnection
from notahat.server.sockets.upgrade import Connection, UpgradeRefusal, UpgradeRequest
from notahat.store import Unavailable
from notahat.table import Unknown
from notahat.table.admission import is_member
from notahat.wire.messages import ServerReason


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
        gate = self._accounts.frame_gate(guest, address)
        require(gate.allows())  # who was cut off for too many frames comes back later
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
            gate=gate,
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


CHECK_SECONDS = 30.0
MIN_SECONDS = 3.0  # however fast the clocks are: every check reads all open tables and tokens
BATCH = 500  # tables or connections for each query


async def watch_revocations(node: Node, guests: Guests, pace: float) -> None:
    """Ask the store about every open table and connection, until cancelled."""
    while True:
        await asyncio.sleep(max(MIN_SECONDS, CHECK_SECONDS / pace))
        try:
            await close_forgotten(node, guests)
        except Unavailable as error:
            node.store_warning.log(error)


async def close_forgotten(node: Node, guests: Guests) -> None:
    """Close the rooms of deleted tables and the connections of ended tokens."""
    rooms = [(id_, room) for id_, room in node.host.rooms.items() if room.connections]
    connections = [cast("GuestConnection", one) for _, room in rooms for one in room.connections]
    for start in range(0, len(rooms), BATCH):
        batch = rooms[start : start + BATCH]
        tables = await node.store.tables_of([room.table.code for _, room in batch])
        for id_, room in batch:
            if tables.get(room.table.code) != id_:
                node.sync.evict(id_)
    for start in range(0, len(connections), BATCH):
        some = connections[start : start + BATCH]
        ended = await guests.ended([one.token_hash for one in some])
        for one in some:
            if one.token_hash in ended:
                one.close(close_code(ServerReason.NO_GUEST), ServerReason.NO_GUEST.value)
