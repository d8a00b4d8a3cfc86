"""The pocket: drives rooms inside a browser, where nobody else is. The browser owns clock, timers and the log; like a
room the pocket is told what came in, and like every driver it decides nothing.
"""

import os
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

import msgspec
from msgspec import Struct

from notahat.gifts import read_deck
from notahat.live.daily import day_of, day_opened
from notahat.live.effects import Append, Close, Effect, Keep, Send, Wake
from notahat.live.room import READ_BACK, Room
from notahat.rules import Illegal, Reason
from notahat.table import Table, Unknown, open_table, view, welcome
from notahat.table.commands import BringDeck
from notahat.table.events import decode, encode
from notahat.table.name import folded
from notahat.table.snapshot import SNAPSHOT_SCHEMA
from notahat.table.story import finished, story
from notahat.wire.deck_messages import lines_told, told_in
from notahat.wire.messages import (
    AskLines,
    Beat,
    Heartbeat,
    Unreadable,
    read_frame,
    summary,
    write,
    write_no,
    write_refusal,
)
from notahat.wire.reasons import ServerReason

YOU = UUID(int=1)  # whoever holds this device; several people may share it


class Browser(Protocol):
    """What a browser does for its pocket, in the order it is asked."""

    def append(self, code: str, version: int, key: str, entry: str) -> None:
        """Make this durable as the version after `version`, then say `committed`, or `overtaken`."""

    def keep(self, code: str, version: int, schema: int, state: str) -> None: ...
    def send(self, line: str, message: str) -> None: ...
    def close(self, line: str, code: int, reason: str) -> None: ...
    def wake(self, code: str, at: float | None) -> None: ...


class Kept(Struct, frozen=True):
    """An entry of the log, as the browser gives it back."""

    version: int
    command: str
    entry: msgspec.Raw

    @property
    def events(self) -> bytes:
        return bytes(self.entry)


class Snapshot(Struct, frozen=True):
    """A table as it stood, so that its log need not be read from the start."""

    version: int
    schema: int
    state: msgspec.Raw


_log = msgspec.json.Decoder(tuple[Kept, ...])
_snapshot = msgspec.json.Decoder(Snapshot | None)
_lines = msgspec.json.Decoder(AskLines)
_options = msgspec.json.Decoder(dict[str, object])


def chance(_: Table) -> int:
    return int.from_bytes(os.urandom(8), "big") >> 1


class Pocket:
    """All rooms of one browser's tab. `luck` and `tick` are for those who want the same game again."""

    def __init__(
        self, browser: Browser, pace: float = 1.0, luck: Callable[[Table], int] = chance, tick: float = 0.0
    ) -> None:
        self._browser = browser
        self._pace = pace
        self._luck = luck
        self._tick = tick
        self._rooms: dict[str, Room] = {}

    def first_entry(self, code: str, options: str, at: float, day: str = "") -> str:
        """What the log of a new table begins with, of a `day`'s gift where one is asked for; or a refusal."""
        at = round(at, 3)
        try:
            if day:
                return encode(day_opened(day_of(day, at), code, YOU, at)).decode()
            return encode(open_table(code, YOU, _options.decode(options), at)).decode()
        except Illegal as illegal:
            return _refusal(illegal.reason.value, illegal.detail)
        except msgspec.DecodeError as error:
            return _refusal(Reason.UNREADABLE.value, str(error))

    def holds(self, code: str) -> bool:
        return code in self._rooms

    def version(self, code: str) -> int:
        return self._rooms[code].table.version

    def read_from(self, snapshot: str) -> int:
        """After which version the log is wanted to open a table that has this snapshot."""
        kept = _snapshot.decode(snapshot)
        return max(0, kept.version - READ_BACK) if kept is not None and kept.schema == SNAPSHOT_SCHEMA else 0

    def open(self, code: str, snapshot: str, log: str, now: float, at: float) -> str:
        """Take a table out of the browser's log; an empty text, or a refusal."""
        kept = _snapshot.decode(snapshot)
        start = (kept.schema, bytes(kept.state)) if kept is not None and kept.schema == SNAPSHOT_SCHEMA else None
        try:
            room = Room.open(start, _log.decode(log), now, at, self._pace, tick=self._tick)
        except Unknown as unknown:
            return _refusal(ServerReason.BUSY.value, str(unknown))
        if room is None:
            return _refusal(ServerReason.NO_SUCH_TABLE.value)
        self._rooms[code] = room
        return ""

    def put_away(self, code: str) -> None:
        """Nobody looks at this table any more."""
        if self._rooms[code].idle:
            del self._rooms[code]
            self._browser.wake(code, None)

    def arrived(self, code: str, line: str, now: float, changes: bool = False, guest: UUID = YOU) -> None:
        self._carry_out(code, self._rooms[code].arrived(line, guest, now, changes))

    def left(self, code: str, line: str, now: float) -> None:
        self._carry_out(code, self._rooms[code].left(line, now))

    def received(self, code: str, line: str, frame: str, now: float) -> None:
        """A frame as docs/protocol.md has it."""
        try:
            id_, command = read_frame(frame.encode())
        except Unreadable as error:
            self._browser.send(line, write_no(error.id, Reason.UNREADABLE.value, str(error)).decode())
            return
        if isinstance(command, Heartbeat):
            self._browser.send(line, write(Beat()).decode())
            return
        room = self._rooms[code]
        self._carry_out(code, room.ordered(line, id_, command, now, self._luck(room.table)))

    def put_deck(self, code: str, line: str, id_: str, hat: str, now: float) -> None:
        """A `.hat` file for this table: larger than a frame, and read as a server reads it."""
        try:
            command = BringDeck(read_deck(hat.encode(), folded))
        except Illegal as illegal:
            self._browser.send(line, write_no(id_, illegal.reason.value, illegal.detail).decode())
            return
        room = self._rooms[code]
        self._carry_out(code, room.ordered(line, id_, command, now, self._luck(room.table)))

    def woken(self, code: str, now: float) -> None:
        room = self._rooms.get(code)
        if room is not None:
            self._carry_out(code, room.woken(now, self._luck(room.table)))

    def committed(self, code: str, version: int, now: float) -> None:
        self._carry_out(code, self._rooms[code].committed(version, now))

    def overtaken(self, code: str, version: int, news: str, now: float) -> None:
        """Another tab wrote first, or has carried out the same order: `news` is what this one does not know yet."""
        room, commits = self._rooms[code], _log.decode(news)
        self._carry_out(code, room.overtaken(version, commits, now) if commits else room.repeated(version, now))

    def news(self, code: str, news: str, now: float) -> None:
        """Another tab has written."""
        self._carry_out(code, self._rooms[code].news(_log.decode(news), now))

    def failed(self, code: str) -> None:
        """The log could not be written: lines come back in a moment, to a table that is read anew."""
        room = self._rooms.pop(code)
        self._browser.wake(code, None)
        self._carry_out(code, room.failed())

    def summary(self, code: str) -> str:
        room = self._rooms[code]
        seen = view(room.table, room.presence.everybody)
        return write(summary(seen, welcome(room.table, YOU))).decode()

    def story(self, code: str, number: int, log: str) -> str:
        """The whole story of a finished round, from the whole log."""
        table = self._rooms[code].table
        if not 1 <= number <= table.dealt:
            return _refusal(ServerReason.NO_SUCH_ROUND.value)
        if not finished(table, number):
            return _refusal(Reason.ROUND_RUNNING.value)
        told = story((decode(kept.events) for kept in _log.decode(log)), number)
        return _refusal(ServerReason.NO_SUCH_ROUND.value) if told is None else write(told).decode()

    def deck(self, log: str) -> str:
        """The gifts of a deck, pictures and all, from the entry of the log that it came with."""
        told = next((told_in(kept.events) for kept in _log.decode(log)), None)
        return _refusal(ServerReason.NO_SUCH_DECK.value) if told is None else told.decode()

    def lines(self, asked: str) -> str:
        """What people will say of an own gift that somebody thinks of."""
        try:
            return write(lines_told(_lines.decode(asked))).decode()
        except Illegal as illegal:
            return _refusal(illegal.reason.value, illegal.detail)
        except msgspec.DecodeError as error:
            return _refusal(Reason.UNREADABLE.value, str(error))

    def _carry_out(self, code: str, effects: list[Effect]) -> None:
        browser = self._browser
        for effect in effects:
            match effect:
                case Send(connection=str(line), message=message):
                    browser.send(line, message.decode())
                case Append(version=version, key=key, entry=entry):
                    browser.append(code, version, key, entry.decode())
                case Wake(at=at):
                    browser.wake(code, at)
                case Close(connection=str(line), code=how, reason=reason):
                    browser.close(line, how, reason)
                case Keep(version=version, schema=schema, state=state):
                    browser.keep(code, version, schema, state.decode())
                case _:
                    pass


def _refusal(reason: str, detail: str = "") -> str:
    return write_refusal(reason, detail).decode()
