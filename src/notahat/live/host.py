"""A host: all open tables of one process, without I/O.

`handle` takes the requests of guests and of the clock; the other methods take what the driver did for earlier effects.
All of them return effects for the table in question, in order. A table that is not open is loaded first, and a room
that fails is closed: its guests reconnect, and it is loaded anew.
"""

import logging
from collections.abc import Callable, Iterable
from enum import StrEnum
from operator import methodcaller
from typing import Generic
from uuid import UUID

from notahat.live.effects import (
    INTERNAL_ERROR,
    Append,
    Close,
    Connection,
    Effect,
    Load,
    ReadLog,
    Reply,
    Unload,
    close_code,
)
from notahat.live.presence import NOBODY
from notahat.live.requests import (
    Connect,
    Disconnect,
    Key,
    Open,
    ReadDeck,
    ReadStory,
    ReportKnock,
    Request,
    Submit,
    Summarise,
    Time,
)
from notahat.live.room import Commit, Room
from notahat.live.settings import DEFAULTS, RoomSettings, open_daily_table, parse_day
from notahat.rules import Illegal, Reason
from notahat.table import Entry, TableReason, Unknown, open_table, view
from notahat.table.admission import Entrance, admission_limit, entrance_limit
from notahat.table.events import decode, encode
from notahat.table.story import is_story_public, story
from notahat.wire.messages import ServerReason, deck_message_in, encode_message, summary

OPENED = "opened"
_REASONS: dict[str, StrEnum] = {
    "removed": TableReason.REMOVED,
    "no_guest": ServerReason.NO_GUEST,
    "no_spectators": ServerReason.NO_SPECTATORS,
}

log = logging.getLogger("notahat")


class Host(Generic[Key]):
    """Open rooms by their table's key, and the requests that wait for a table to be loaded."""

    def __init__(self, settings: RoomSettings = DEFAULTS, *, study: bool = False, probe: float = 0.0) -> None:
        self.rooms: dict[Key, Room] = {}
        self._settings = settings
        self._study, self._probe = study, probe
        self._waiting: dict[Key, list[tuple[Request[Key], UUID | None]]] = {}

    def handle(self, request: Request[Key], guest: UUID | None, now: float) -> list[Effect]:  # noqa: C901 - a case each
        """Handle a request of a guest (None: without identity) or of the clock."""
        if type(request) is Open:
            return [self._open(request, guest)]
        room = self.rooms.get(request.table)
        if room is None:
            return self._wait(request, guest)
        try:
            match request:
                case Submit(connection=None, id=id_, command=command):
                    return room.command_requested(request, _entering(room, guest, "deck"), id_, command, now)
                case Submit(connection=connection, id=id_, command=command):
                    return room.command_received(connection, id_, command, now)
                case Time():
                    return room.woken(now)
                case Disconnect(connection=connection):
                    return room.disconnected(connection, now)
                case Connect(connection=connection, deltas=deltas, screen=screen):
                    return room.connected(connection, _entering(room, guest, "connection"), now, deltas, screen)
                case ReportKnock(name=name):
                    return room.knocked(guest, name, now) if guest is not None else []
                case _:
                    return [_read(room, request, guest)]
        except Illegal as illegal:
            return [_refusal(request, illegal)]
        except Exception:
            log.exception("a room failed", extra={"table": str(request.table)})
            return [*_failure(request), *self.failed(request.table)]

    def _open(self, request: Open[Key], guest: UUID | None) -> Effect:
        """Return the first entry of a table, as an append; the table exists once it is durable."""
        at = 0.0 if self._settings.determinism.tick else round(request.at, 3)
        try:
            if guest is None:
                raise Illegal(ServerReason.NO_GUEST, "")
            entry: Entry
            if request.day is not None:
                day, pace = parse_day(request.day, request.at), request.options.get("pace", "normal")
                entry = open_daily_table(day, request.code, guest, at, pace)
            else:
                options = dict(request.options)
                study, probe = self._study, self._probe
                entry = open_table(request.code, guest, options, at, request.screen, study, probe)
        except Illegal as illegal:
            return Reply(request, illegal)
        return Append(0, OPENED, encode(entry))

    def _wait(self, request: Request[Key], guest: UUID | None) -> list[Effect]:
        """Keep a request until its table is loaded. A table with no connections needs no time."""
        waiting = self._waiting.get(request.table)
        if isinstance(request, Disconnect | Time):
            if waiting and isinstance(request, Disconnect):
                gone = request.connection
                waiting[:] = [one for one in waiting if getattr(one[0], "connection", None) is not gone]
            return []
        if waiting is not None:
            waiting.append((request, guest))
            return []
        self._waiting[request.table] = [(request, guest)]
        return [Load()]

    def loaded(
        self,
        table: Key,
        snapshot: tuple[int, bytes] | None,
        commits: Iterable[Commit],
        *,
        now: float,
        at: float,
        elsewhere: frozenset[UUID] = NOBODY,
    ) -> list[Effect]:
        """Open a table from its newest snapshot (schema and state) and log. `at` is the time of day, `elsewhere` the
        guests who are connected to other hosts.
        """
        room = Room.open(snapshot, commits, now, at, self._settings)
        if room is None:
            return self.not_loaded(table, ServerReason.NO_SUCH_TABLE)
        self.rooms[table] = room
        out = room.connected_elsewhere(elsewhere, now)
        for request, guest in self._waiting.pop(table, []):
            out += self.handle(request, guest, now)
        return out

    def not_loaded(self, table: Key, reason: ServerReason, detail: str = "") -> list[Effect]:
        """Refuse the requests for a table that does not exist, or whose log cannot be read."""
        illegal = Illegal(reason, detail)
        return [
            _refusal(request, illegal)
            for request, _ in self._waiting.pop(table, [])
            if not isinstance(request, Submit) or request.connection is None
        ]

    def committed(self, table: Key, append: Append, now: float) -> list[Effect]:
        return self._report(table, methodcaller("committed", append, now))

    def conflicted(self, table: Key, append: Append, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Another writer was first; `commits` are those after the room's version."""
        return self._report(table, methodcaller("conflicted", append, commits, now))

    def commits_received(self, table: Key, commits: Iterable[Commit], now: float) -> list[Effect]:
        """Other hosts have written."""
        return self._report(table, methodcaller("commits_received", commits, now))

    def connected_elsewhere(self, table: Key, guests: frozenset[UUID], now: float) -> list[Effect]:
        """The set of guests who are connected to other hosts has changed."""
        return self._report(table, methodcaller("connected_elsewhere", guests, now))

    def failed(self, table: Key) -> list[Effect]:
        """Close a room whose state may be wrong, or whose log cannot be written."""
        room = self.rooms.pop(table, None)
        return [] if room is None else [*room.failed(), Unload()]

    def pending_commands(self, table: Key, connection: Connection) -> int:
        """Return how many commands of a connection wait for an answer."""
        room = self.rooms.get(table)
        if room is not None:
            return room.pending_commands(connection)
        waiting = self._waiting.get(table, ())
        return sum(isinstance(one, Submit) and one.connection is connection for one, _ in waiting)

    def close_if_idle(self, table: Key) -> list[Effect]:
        room = self.rooms.get(table)
        return self.failed(table) if room is not None and room.idle else []

    def _report(self, table: Key, inform: Callable[[Room], list[Effect]]) -> list[Effect]:
        room = self.rooms.get(table)
        if room is None:
            return []
        try:
            return inform(room)
        except Unknown as error:
            log.warning("the log is newer than this program", extra={"error": str(error), "table": str(table)})
        except Exception:
            log.exception("a room failed", extra={"table": str(table)})
        return self.failed(table)


def _entering(room: Room, guest: UUID | None, by: Entrance) -> UUID:
    """Return the guest; raise `Illegal` if they may not enter."""
    limit = entrance_limit(room.table, guest, by)
    if limit is not None or guest is None:
        raise Illegal(_REASONS[limit or "no_guest"], "")
    return guest


def _read(room: Room, request: Request[Key], guest: UUID | None) -> Effect:
    """Answer a request that changes nothing."""
    table = room.table
    match request:
        case Summarise():
            seen = view(table, room.presence.present)
            return Reply(request, summary(seen, admission_limit(table, guest)))
        case ReadDeck(version=version):
            _entering(room, guest, "deck")
            if not 1 <= version <= table.version:
                raise Illegal(ServerReason.NO_SUCH_DECK, "")
            return ReadLog(request, version, version, ServerReason.NO_SUCH_DECK)
        case ReadStory(round=number):
            if (limit := entrance_limit(table, guest, "story")) is not None:
                raise Illegal(_REASONS[limit], "")
            if not 1 <= number <= table.dealt:
                raise Illegal(ServerReason.NO_SUCH_ROUND, "")
            if not is_story_public(table, number):
                raise Illegal(Reason.ROUND_RUNNING, "")
            return ReadLog(request, (number, table.dealt), None, ServerReason.NO_SUCH_ROUND)
        case _:
            raise AssertionError(request)


def answer_from_log(request: object, commits: Iterable[Commit]) -> bytes | None:
    """Return the answer to a request for a story or a deck; None if the log has none."""
    if not isinstance(request, ReadStory):
        return next((deck_message_in(commit.events) for commit in commits), None)
    found = story((decode(commit.events) for commit in commits), request.round)
    return None if found is None else encode_message(found)


def _failure(request: Request[Key]) -> list[Effect]:
    """Close the connection whose request made a room fail, so that a client does not send it for ever; or reply."""
    match request:
        case Time() | Disconnect() | ReportKnock():
            return []
        case Submit(connection=connection) | Connect(connection=connection) if connection is not None:
            return [Close(connection, INTERNAL_ERROR, "internal")]
        case _:
            return [Reply(request, Illegal(ServerReason.BUSY, "internal"))]


def _refusal(request: Request[Key], illegal: Illegal) -> Effect:
    if isinstance(request, Connect):
        return Close(request.connection, close_code(illegal.reason), illegal.reason.value)
    return Reply(request, illegal)
