"""Sockets: one connection of one guest to one table."""

from collections import deque
from collections.abc import Mapping
from http import HTTPStatus
from random import Random
from time import monotonic
from uuid import UUID

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import Illegal, Reason
from notahat.server.door import Refusal, Socket, Visit
from notahat.server.guests import bearer, cookie, own_origin
from notahat.server.hall import NOT_WELCOME, SERVICE_RESTART, Hall, may_watch
from notahat.server.room import Room
from notahat.store import Unavailable
from notahat.table import GuestCommand, Table, TableReason, Unknown
from notahat.table.commands import AddBot
from notahat.wire.messages import Beat, Heartbeat, No, Unreadable, read_frame, write
from notahat.wire.reasons import ServerReason

MOST_WAITING = 32
MOST_PATIENCE = 300  # frames over the limit before somebody is shown the door
MOST_SOCKETS_OF_A_GUEST = 12

_BEAT = write(Beat())


class TableSocket(Socket):
    """Takes frames one by one, and answers every one of them."""

    def __init__(self, hall: Hall, room: Room, guest: UUID, address: str) -> None:
        super().__init__()
        self.guest = guest
        self._hall = hall
        self._room = room
        self._address = address
        self._waiting: deque[tuple[str, GuestCommand, float]] = deque()
        self._working = False
        self._over_limit = 0

    def opened(self) -> None:
        if self._hall.closing or self._hall.rooms.get(self._room.id) is not self._room:
            self.close(SERVICE_RESTART, ServerReason.GOING_AWAY.value)
            return
        self._hall.join(self._room, self)

    def gone(self) -> None:
        self._waiting.clear()
        self._hall.leave(self._room, self)

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
            return
        if len(self._waiting) >= MOST_WAITING:
            self._refuse(id_, ServerReason.TOO_FAST.value, "wait for an answer now and then")
            return
        self._waiting.append((id_, command, monotonic()))
        if not self._working:
            self._working = True
            self._hall.spawn(self._work())

    def _within_limits(self, id_: str | None) -> bool:
        """One guest's flood slows only that guest."""
        if self._hall.frames.allows(self.guest.int) and self._hall.frames_of_address.allows(self._address):
            self._over_limit = 0
            return True
        self._over_limit += 1
        if self._over_limit > MOST_PATIENCE:
            self.close(NOT_WELCOME, ServerReason.TOO_FAST.value)
        else:
            self._refuse(id_, ServerReason.TOO_FAST.value, "more than anyone can do")
        return False

    def _refuse(self, id_: str | None, reason: str, detail: str = "") -> None:
        self._hall.metrics.commands[reason] += 1
        self.send(write(No(id_, reason, detail[:200])))

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._answer(*self._waiting.popleft())
        finally:
            self._working = False

    async def _answer(self, id_: str, command: GuestCommand, came: float) -> None:
        try:
            happened = await self._room.order(introduced(command, self._room), self.guest, id_, self)
        except Illegal as illegal:
            self._refuse(id_, illegal.reason.value, illegal.detail)
        except (Unavailable, Unknown):
            # nobody knows whether it happened: they come back and send the same id again
            self._hall.evict(self._room)
            raise
        else:
            self._hall.metrics.commands["done" if happened else "repeated"] += 1
        self._hall.metrics.took(monotonic() - came)


def introduced(command: GuestCommand, room: Room) -> GuestCommand:
    """Who computer players are is no business of the table: here they get a character and its name."""
    if not isinstance(command, AddBot):
        return command
    if command.level not in LEVELS:
        raise Illegal(TableReason.UNKNOWN_LEVEL, f"the levels are {', '.join(LEVELS)}")
    character = command.character or _somebody_else(room.table, room.luck.of(room.table))
    if character not in CHARACTERS:
        raise Illegal(TableReason.UNKNOWN_CHARACTER, f"the characters are {', '.join(CHARACTERS)}")
    return AddBot(command.level, character, command.name or CHARACTERS[character].name)


def _somebody_else(table: Table, luck: int) -> str:
    """A character who does not sit here yet, if there is one."""
    seated = {seat.character for seat in table.seats}
    return Random(luck).choice([key for key in CHARACTERS if key not in seated] or list(CHARACTERS))


async def greet(hall: Hall, visit: Visit) -> Socket | Refusal:
    """Let somebody in to a table: a browser with our own page's origin, or a program with its token."""
    match visit.path.split("/"):
        case ["", "api", "tables", code, "socket"]:
            pass
        case _:
            return _no(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_PAGE)
    if hall.closing:
        return _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.GOING_AWAY)
    if "origin" in visit.headers and not own_origin(visit.headers, hall.settings.public_url):
        return _no(HTTPStatus.FORBIDDEN, ServerReason.BAD_ORIGIN)
    token = bearer(visit.headers)
    if token is None and "origin" in visit.headers:
        token = cookie(visit.headers)
    try:
        return await _admit(hall, visit, code, token)
    except (Unavailable, Unknown):
        return _no(HTTPStatus.SERVICE_UNAVAILABLE, ServerReason.BUSY)


async def _admit(hall: Hall, visit: Visit, code: str, token: str | None) -> Socket | Refusal:
    address = address_of(visit.headers, visit.address, hall.settings.behind_proxy)
    guest = await hall.guests.who(token)
    if guest is None:
        return _no(HTTPStatus.UNAUTHORIZED, ServerReason.NO_GUEST)
    room = await hall.find(code)
    at_home = room is not None and (guest == room.table.owner or room.table.held_by(guest))
    if not at_home and not hall.wrong_codes.has(address):
        return _no(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_MANY_TRIES)
    if room is None:
        hall.wrong_codes.allows(address)
        return _no(HTTPStatus.NOT_FOUND, ServerReason.NO_SUCH_TABLE)
    if guest in room.table.removed:
        return Refusal(HTTPStatus.FORBIDDEN, TableReason.REMOVED.value)
    if not may_watch(room.table, guest):
        return _no(HTTPStatus.FORBIDDEN, ServerReason.NO_SPECTATORS)
    if sum(listener.guest == guest for listener in room.listeners) >= MOST_SOCKETS_OF_A_GUEST:
        return _no(HTTPStatus.TOO_MANY_REQUESTS, ServerReason.TOO_FAST)
    return TableSocket(hall, room, guest, address)


def address_of(headers: Mapping[str, str], peer: str | None, behind_proxy: bool) -> str:
    """Where somebody comes from: only an operator's own proxy is believed about others."""
    if behind_proxy:
        forwarded = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
        if forwarded:
            return forwarded
    return peer or "?"


def _no(status: HTTPStatus, reason: ServerReason) -> Refusal:
    return Refusal(status.value, reason.value)
