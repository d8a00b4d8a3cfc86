"""Close connections whose token or table an operator has deleted with `notahat forget`."""

import asyncio
from typing import cast

from notahat.live.effects import close_code
from notahat.server.http.guests import Guests
from notahat.server.node import Node
from notahat.server.sockets.connection import GuestConnection
from notahat.store import Unavailable
from notahat.wire.reasons import ServerReason

CHECK_SECONDS = 30.0
BATCH = 500  # tables or connections for each query


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
