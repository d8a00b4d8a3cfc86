"""What a room tells its guests: what all see is encoded once, each guest's own beside it, and what did not change is
kept.
"""

from operator import attrgetter
from uuid import UUID

from msgspec import UNSET, Struct

from notahat.live.presence import NOBODY
from notahat.rules import Legal, View, legal
from notahat.table import Shown, Table, TableView, may, view
from notahat.table.view import after_move
from notahat.wire.messages import write_changes, write_personal, write_shared

# what a move changes; while everything else about a table is as it was, so is most of what is told
MOVED = ("match", "dealt", "seeds", "since", "at", "version")
everything_else = attrgetter("stage", "looking", *(name for name in Table.__struct_fields__ if name not in MOVED))


MOVED_VIEW = ("match", "deadline", "round")
NO_ONE = -1
WRAPS = ("wrap",)  # by itself: nobody may do anything about it


class Telling:
    """The present of a table in bytes, for all and for each. `look` at it first."""

    def __init__(self) -> None:
        self._kept: tuple[object, ...] = ()
        self._before: TableView | None = None
        self._view: TableView | None = None
        self._personal: dict[int | tuple[int, Legal], bytes] = {}
        self._away: frozenset[UUID] = NOBODY
        self._acting = NO_ONE

    def look(
        self,
        table: Table,
        present: frozenset[UUID],
        seconds_left: float | None,
        round_view: View | None = None,
        away: frozenset[UUID] = NOBODY,
        speed: float = 1.0,
    ) -> None:
        """Take in the present, and forget what is not true any more. `away` are those who are missed for long."""
        kept = (present, away, everything_else(table))
        self._before = self._view
        if kept == self._kept and self._view is not None:
            self._view = after_move(self._view, table, seconds_left, round_view)
            self._only_moved = True
        else:
            self._only_moved = False
            self._kept = kept
            self._personal.clear()
            self._view = view(table, present, seconds_left, speed)
        self._table, self._present, self._away = table, present, away
        self._due = due = legal(table.round) if table.round is not None else None
        self._acting = NO_ONE
        if due is not None and due.seat is not None and due.moves != WRAPS:
            acting = table.seats[due.seat].guest
            self._acting = NO_ONE if acting is None else acting.int
        # judging is everybody's, so is the end of a round, and so is moving for who is away
        self._for_all = due is not None and (due.seat is None or due.correctable or table.spoken)

    @property
    def looked(self) -> bool:
        return self._view is not None

    def present(self, seconds_left: float | None) -> bytes:
        """The same as at the last look, for somebody who comes now: only the time left is another."""
        if self._view is None:
            raise AssertionError("look before you tell")
        now = after_move(self._view, self._table, seconds_left, self._view.round)
        return write_shared(self._table.version, now, ())

    def whole(self, happened: tuple[Shown, ...] = ()) -> bytes:
        """All that is the same for all."""
        if self._view is None:
            raise AssertionError("look before you tell")
        return write_shared(self._table.version, self._view, happened)

    def changes(self, happened: tuple[Shown, ...]) -> bytes:
        """The part of it that is not as it was at the last look: of a round that goes on, what changed in it."""
        before, now = self._before, self._view
        if now is None or before is None:
            raise AssertionError("nothing was told before")
        changed = _changed(before, now, MOVED_VIEW if self._only_moved else TableView.__struct_fields__)
        if now.deadline is not None:  # seconds from now on: as many as before are still other ones
            changed["deadline"] = now.deadline
        if before.round is None or now.round is None or "match" in changed:
            return write_changes(self._table.version, changed, {}, happened)
        changed.pop("round", None)
        round_ = _changed(before.round, now.round, View.__struct_fields__)
        return write_changes(self._table.version, changed, round_, happened)

    def personal(self, guest: UUID) -> bytes:
        """What is a guest's own: their seats, and what they may do. While others move it stays the same."""
        if self._for_all:
            return self._write_personal(guest)
        number, due = guest.int, self._due
        key = number if due is None or number != self._acting else (number, due)
        told = self._personal.get(key)
        if told is None:
            told = self._personal[key] = self._write_personal(guest)
        return told

    def _write_personal(self, guest: UUID) -> bytes:
        return write_personal(self._table.held_by(guest), may(self._table, guest, self._present, self._away))


def _changed(before: Struct, now: Struct, names: tuple[str, ...]) -> dict[str, object]:
    """Those of the fields that are not as they were; what is left out from now on is null."""
    changed = {}
    for name in names:
        value = getattr(now, name)
        if value != getattr(before, name):
            changed[name] = None if value is UNSET else value
    return changed
