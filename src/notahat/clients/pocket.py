"""Drive rooms inside a browser. JavaScript calls the methods of `Pocket` by name (web/src/net/local/worker.ts) and
provides the clock, the timers and the log.
"""

import os
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Protocol
from uuid import UUID

import msgspec
from msgspec import Struct

from notahat.gifts import read_deck
from notahat.live.daily import open_daily_table, parse_day
from notahat.live.effects import Append, Close, Effect, SaveSnapshot, Send, Wake
from notahat.live.room import DEDUP_ENTRIES, Room
from notahat.rules import Illegal, Reason
from notahat.table import Table, Unknown, admission_limit, open_table, view
from notahat.table.commands import BringDeck
from notahat.table.events import decode, encode
from notahat.table.name import folded_name_keys
from notahat.table.snapshot import SNAPSHOT_SCHEMA
from notahat.table.story import is_story_public, story
from notahat.wire.deck_messages import deck_message_in, lines_message
from notahat.wire.messages import (
    AskLines,
    Beat,
    Heartbeat,
    MalformedFrame,
    decode_frame,
    encode_http_refusal,
    encode_message,
    encode_no,
    summary,
)
from notahat.wire.reasons import ServerReason

YOU = UUID(int=1)  # the one guest of this device; several people may share it


class Browser(Protocol):
    """What the browser does for a pocket, in the order of the calls."""

    def append(self, code: str, version: int, key: str, entry: str) -> None:
        """Write an entry after `version`, then call `handle_commit` or `handle_conflict`."""

    def save_snapshot(self, code: str, version: int, schema: int, state: str) -> None: ...
    def send(self, connection: str, message: str) -> None: ...
    def close(self, connection: str, close_code: int, reason: str) -> None: ...
    def schedule_wake(self, code: str, at: float | None) -> None:
        """Call `handle_wake` at this time, instead of any earlier request."""


class StoredEntry(Struct, frozen=True):
    """An entry as the browser returns it from its log."""

    version: int
    command: str
    entry: msgspec.Raw

    @property
    def events(self) -> bytes:
        return bytes(self.entry)


class Snapshot(Struct, frozen=True):
    """A table's state at one version."""

    version: int
    schema: int
    state: msgspec.Raw


_log = msgspec.json.Decoder(tuple[StoredEntry, ...])
_snapshot = msgspec.json.Decoder(Snapshot | None)
_word = msgspec.json.Decoder(AskLines)
_options = msgspec.json.Decoder(dict[str, object])


def random_seed(_: Table) -> int:
    return int.from_bytes(os.urandom(8), "big") >> 1


class Pocket:
    """All rooms of one browser tab. With a fixed `seed` and `tick` the same calls give the same bytes."""

    def __init__(
        self, browser: Browser, pace: float = 1.0, seed: Callable[[Table], int] = random_seed, tick: float = 0.0
    ) -> None:
        self._browser = browser
        self._pace = pace
        self._seed = seed
        self._tick = tick
        self._rooms: dict[str, Room] = {}

    def opening_entry(self, code: str, options: str, at: float, day: str = "") -> str:
        """Return the first log entry of a new table, or of the daily table of `day`; or a refusal."""
        at = round(at, 3)

        def entry() -> bytes:
            if day:
                return encode(open_daily_table(parse_day(day, at), code, YOU, at))
            return encode(open_table(code, YOU, _options.decode(options), at))

        return _or_refusal(entry)

    def is_open(self, code: str) -> bool:
        return code in self._rooms

    def version(self, code: str) -> int:
        return self._rooms[code].table.version

    def replay_after(self, snapshot: str) -> int:
        """Return the version after which the log is needed to open a table that has this snapshot."""
        usable = _read_snapshot(snapshot)
        return max(0, usable.version - DEDUP_ENTRIES) if usable is not None else 0

    def open(self, code: str, snapshot: str, log: str, now: float, at: float) -> str:
        """Open a table from the browser's log. Return an empty text, or a refusal."""
        usable = _read_snapshot(snapshot)
        start = (usable.schema, bytes(usable.state)) if usable is not None else None
        try:
            room = Room.open(start, _log.decode(log), now, at, speed=self._pace, tick=self._tick)
        except Unknown as unknown:
            return _refusal(ServerReason.BUSY, str(unknown))
        if room is None:
            return _refusal(ServerReason.NO_SUCH_TABLE)
        self._rooms[code] = room
        return ""

    def close_if_idle(self, code: str) -> None:
        if self._rooms[code].idle:
            del self._rooms[code]
            self._browser.schedule_wake(code, None)

    def connect(self, code: str, connection: str, now: float, changes: bool = False, guest: UUID = YOU) -> None:
        self._carry_out(code, self._rooms[code].connected(connection, guest, now, changes))

    def disconnect(self, code: str, connection: str, now: float) -> None:
        self._carry_out(code, self._rooms[code].disconnected(connection, now))

    def receive(self, code: str, connection: str, frame: str, now: float) -> None:
        """Handle a frame of docs/protocol.md."""
        try:
            id_, command = decode_frame(frame.encode())
        except MalformedFrame as error:
            self._browser.send(connection, encode_no(error.id, Reason.UNREADABLE.value, str(error)).decode())
            return
        if isinstance(command, Heartbeat):
            self._browser.send(connection, encode_message(Beat()).decode())
            return
        room = self._rooms[code]
        self._carry_out(code, room.command_received(connection, id_, command, now, self._seed(room.table)))

    def put_deck(self, code: str, connection: str, id_: str, hat: str, now: float) -> None:
        """Put a `.hat` file on this table. It is too large for a frame."""
        try:
            command = BringDeck(read_deck(hat.encode(), folded_name_keys))
        except Illegal as illegal:
            self._browser.send(connection, encode_no(id_, illegal.reason.value, illegal.detail).decode())
            return
        room = self._rooms[code]
        self._carry_out(code, room.command_received(connection, id_, command, now, self._seed(room.table)))

    def handle_wake(self, code: str, now: float) -> None:
        room = self._rooms.get(code)
        if room is not None:
            self._carry_out(code, room.woken(now, self._seed(room.table)))

    def handle_commit(self, code: str, version: int, now: float) -> None:
        self._carry_out(code, self._rooms[code].committed(version, now))

    def handle_conflict(self, code: str, version: int, log: str, now: float) -> None:
        """Another tab wrote first (`log` has its entries), or has carried out the same command (`log` is empty)."""
        room, commits = self._rooms[code], _log.decode(log)
        self._carry_out(code, room.conflicted(version, commits, now) if commits else room.repeated(version, now))

    def apply_commits(self, code: str, log: str, now: float) -> None:
        """Apply what another tab has written."""
        self._carry_out(code, self._rooms[code].commits_received(_log.decode(log), now))

    def handle_failure(self, code: str) -> None:
        """Close a table whose log could not be written. Its connections are closed and may reconnect."""
        room = self._rooms.pop(code)
        self._browser.schedule_wake(code, None)
        self._carry_out(code, room.failed())

    def summary(self, code: str) -> str:
        room = self._rooms[code]
        seen = view(room.table, room.presence.present)
        return encode_message(summary(seen, admission_limit(room.table, YOU))).decode()

    def story(self, code: str, number: int, log: str) -> str:
        """Return the story of a finished round, from the whole log; or a refusal."""
        table = self._rooms[code].table
        if not 1 <= number <= table.dealt:
            return _refusal(ServerReason.NO_SUCH_ROUND)
        if not is_story_public(table, number):
            return _refusal(Reason.ROUND_RUNNING)
        found = story((decode(stored.events) for stored in _log.decode(log)), number)
        return _refusal(ServerReason.NO_SUCH_ROUND) if found is None else encode_message(found).decode()

    def deck(self, log: str) -> str:
        """Return the gifts and pictures of a deck, from the log entry that brought it; or a refusal."""
        found = next((deck_message_in(stored.events) for stored in _log.decode(log)), None)
        return _refusal(ServerReason.NO_SUCH_DECK) if found is None else found.decode()

    def spoken_lines(self, word: str) -> str:
        """Return the spoken lines of an own gift with this word, or a refusal."""
        return _or_refusal(lambda: encode_message(lines_message(_word.decode(word))))

    def _carry_out(self, code: str, effects: Sequence[Effect]) -> None:
        browser = self._browser
        for effect in effects:
            match effect:
                case Send(connection=str(connection), message=message):
                    browser.send(connection, message.decode())
                case Append(version=version, key=key, entry=entry):
                    browser.append(code, version, key, entry.decode())
                case Wake(at=at):
                    browser.schedule_wake(code, at)
                case Close(connection=str(connection), code=close_code, reason=reason):
                    browser.close(connection, close_code, reason)
                case SaveSnapshot(version=version, schema=schema, state=state):
                    browser.save_snapshot(code, version, schema, state.decode())
                case _:
                    pass


def _read_snapshot(text: str) -> Snapshot | None:
    """Return None if there is no snapshot or its schema is another one."""
    snapshot = _snapshot.decode(text)
    return snapshot if snapshot is not None and snapshot.schema == SNAPSHOT_SCHEMA else None


def _or_refusal(make: Callable[[], bytes]) -> str:
    try:
        return make().decode()
    except Illegal as illegal:
        return _refusal(illegal.reason, illegal.detail)
    except msgspec.DecodeError as error:
        return _refusal(Reason.UNREADABLE, str(error))


def _refusal(reason: Enum, detail: str = "") -> str:
    return encode_http_refusal(reason.value, detail).decode()
