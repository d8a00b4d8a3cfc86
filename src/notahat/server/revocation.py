"""Close connections whose token or table an operator has deleted with `notahat forget`."""

import asyncio
from typing import cast

from notahat.live.connections import close_code
from notahat.server.http.guests import Guests
from notahat.server.node import Node
from notahat.server.sockets.connection import GuestConnection
from notahat.store import Unavailable
from notahat.wire.reasons import ServerReason

CHECK_SECONDS = 30.0


async def watch_revocations(node: Node, guests: Guests, pace: float) -> None:
    """Ask the store about every open table and connection, until cancelled."""
    while True:
        await asyncio.sleep(max(1.0, CHECK_SECONDS / pace))
        try:
            await close_forgotten(node, guests)
        except Unavailable as error:
            node.store_warning.log(error)


async def close_forgotten(node: Node, guests: Guests) -> None:
    """Close the rooms of deleted tables and the connections of ended tokens."""
    for id_, room in tuple(node.host.rooms.items()):
        if not room.connections:
            continue
        if await node.store.table_of(room.table.code) != id_:
            node.evict(id_)
            continue
        for connection in cast("tuple[GuestConnection, ...]", tuple(room.connections)):
            if await guests.recheck(connection.token_hash) is None:
                connection.close(close_code(ServerReason.NO_GUEST), ServerReason.NO_GUEST.value)
