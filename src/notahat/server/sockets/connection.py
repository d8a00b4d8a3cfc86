"""One connection of one guest to one table: frames come in, and every one of them is answered."""

from uuid import UUID

from msgspec import Struct

from notahat.live.connections import NOT_WELCOME, SERVICE_RESTART
from notahat.rules import Reason
from notahat.server.limits.connection_quota import Place
from notahat.server.limits.rate_limit import Limit, Patience
from notahat.server.node import Hosted, Node
from notahat.server.sockets.upgrade import Connection
from notahat.wire.messages import Beat, Heartbeat, Unreadable, read_frame, write, write_no
from notahat.wire.reasons import ServerReason

MOST_WAITING = 32
MOST_PATIENCE = 300  # so many more frames over the limit than within it, and somebody is shown the door

_BEAT = write(Beat())


class FrameLimits:
    """How many frames come from one guest, and from one address: a party shares one address."""

    def __init__(self, pace: float) -> None:
        hurry = max(1.0, pace)  # where everything is faster, so are the people
        self._guests = Limit(burst=60 * hurry, per_second=15 * hurry)
        self._addresses = Limit(burst=2000 * hurry, per_second=500 * hurry)

    def of(self, guest: UUID, address: str) -> Patience:
        return Patience(self._guests.of(guest.int), self._addresses.of(address), most=MOST_PATIENCE)


class Asks(Struct, frozen=True):
    """What an address asks for: to be told only what changed, and to be a screen for a whole room."""

    changes: bool = False
    screen: bool = False

    @classmethod
    def of(cls, query: str) -> "Asks":
        asked = query.split("&")
        return cls("changes=1" in asked, "screen=1" in asked)


class GuestConnection(Connection):
    """Takes frames one by one."""

    __slots__ = ("_asks", "_hosted", "_node", "_patience", "_place", "guest")

    def __init__(self, node: Node, hosted: Hosted, guest: UUID, patience: Patience, asks: Asks, place: Place) -> None:
        super().__init__()
        self.guest = guest
        self._node = node
        self._hosted = hosted
        self._patience = patience
        self._asks = asks
        self._place = place

    def opened(self) -> None:
        self._place.take()
        if not self._node.arrived(self._hosted, self, self._asks.changes, self._asks.screen):
            self.close(SERVICE_RESTART, ServerReason.GOING_AWAY.value)

    def gone(self) -> None:
        self._place.leave()
        self._node.left(self._hosted, self)

    def pinged(self) -> bool:
        return self._within_limits(None)

    def received(self, message: bytes) -> None:
        try:
            id_, command = read_frame(message)
        except Unreadable as error:
            if self._within_limits(error.id):
                self._refuse(error.id, Reason.UNREADABLE.value, str(error))
            return
        if not self._within_limits(id_):
            return
        if isinstance(command, Heartbeat):
            self.send(_BEAT)
        elif self._hosted.room.in_line(self) >= MOST_WAITING:
            self._refuse(id_, ServerReason.TOO_FAST.value, "wait for an answer now and then")
        else:
            self._node.ordered(self._hosted, self, id_, command)

    def _within_limits(self, id_: str | None) -> bool:
        """One guest's flood slows only that guest."""
        if self._patience.allows():
            return True
        if self._patience.over:
            self.close(NOT_WELCOME, ServerReason.TOO_FAST.value)
        else:
            self._refuse(id_, ServerReason.TOO_FAST.value, "more than anyone can do")
        return False

    def _refuse(self, id_: str | None, reason: str, detail: str = "") -> None:
        self._node.metrics.commands[reason] += 1
        self.send(write_no(id_, reason, detail))
