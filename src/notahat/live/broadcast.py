"""Broadcast: encode a table's state once for all guests, and reuse what has not changed since the last state."""

from operator import attrgetter
from uuid import UUID

from msgspec import UNSET, Struct

from notahat.live.presence import NOBODY
from notahat.rules import Legal, View, legal
from notahat.table import Idle, Shown, Table, TableView, may, view
from notahat.table.view import after_move
from notahat.wire import messages

# the fields of the state that a move changes; if all others are equal, most of the last encoding can be reused
_MOVE_FIELDS = ("match", "dealt", "seeds", "since", "at", "version")
_unmoved = attrgetter("stage", "is_first_look", *(f for f in Table.__struct_fields__ if f not in _MOVE_FIELDS))
_MOVE_VIEW_FIELDS = ("match", "deadline", "round")
_NO_GUEST = -1
_WRAP_ONLY = ("wrap",)  # happens by itself, so no guest may send it


class BroadcastEncoder:
    """Encodes the current state for all guests and for each guest. Call `update` first."""

    def __init__(self) -> None:
        self._unmoved: tuple[object, ...] = ()
        self._last_view: TableView | None = None
        self._view: TableView | None = None
        self._personal: dict[int | tuple[int, Legal], bytes] = {}
        self._away: frozenset[UUID] = NOBODY
        self._idle_seat: int | None = None
        self._acting = _NO_GUEST

    def update(
        self,
        table: Table,
        present: frozenset[UUID],
        seconds_left: float | None,
        round_view: View | None = None,
        away: frozenset[UUID] = NOBODY,
        speed: float = 1.0,
        idle: Idle | None = None,
    ) -> None:
        """Set the current state and drop cached parts that are no longer valid. `away` are guests away for long."""
        unmoved = (present, away, idle, _unmoved(table))
        self._last_view = self._view
        self._only_moved = unmoved == self._unmoved and self._view is not None
        if self._only_moved and self._view is not None:
            self._view = after_move(self._view, table, seconds_left, round_view)
        else:
            self._unmoved = unmoved
            self._personal.clear()
            self._view = view(table, present, seconds_left, speed, idle)
        self._table, self._present, self._away = table, present, away
        self._idle_seat = idle.seat if idle is not None and idle.help else None
        self._due = due = legal(table.round) if table.round is not None else None
        self._acting = _NO_GUEST
        if due is not None and due.seat is not None and due.moves != _WRAP_ONLY:
            acting = table.seats[due.seat].guest
            self._acting = _NO_GUEST if acting is None else acting.int
        # permissions of all guests may change when any of them may judge, end the round or move for an absent player
        self._uncacheable = due is not None and (due.seat is None or due.correctable or table.spoken)

    @property
    def has_state(self) -> bool:
        return self._view is not None

    def encode_current(self, seconds_left: float | None) -> bytes:
        """Encode the last state again, with another remaining time, for a guest who connects now."""
        if self._view is None:
            raise AssertionError("update was not called")
        now = after_move(self._view, self._table, seconds_left, self._view.round)
        return messages.encode_shared(self._table.version, now, ())

    def encode_full(self, happened: tuple[Shown, ...] = ()) -> bytes:
        """Encode the part of a state message that is equal for all guests."""
        if self._view is None:
            raise AssertionError("update was not called")
        return messages.encode_shared(self._table.version, self._view, happened)

    def encode_delta(self, happened: tuple[Shown, ...]) -> bytes:
        """Encode what changed between the last two states; while a round goes on, field by field of the round."""
        before, now = self._last_view, self._view
        if now is None or before is None:
            raise AssertionError("there is no earlier state")
        changed = _changed(before, now, _MOVE_VIEW_FIELDS if self._only_moved else TableView.__struct_fields__)
        if now.deadline is not None:  # it counts from now, so an equal number is another time
            changed["deadline"] = now.deadline
        if before.round is None or now.round is None or "match" in changed:
            return messages.encode_delta(self._table.version, changed, {}, happened)
        changed.pop("round", None)
        round_ = _changed(before.round, now.round, View.__struct_fields__)
        return messages.encode_delta(self._table.version, changed, round_, happened)

    def encode_personal(self, guest: UUID) -> bytes:
        """Encode a guest's own seats and permissions. Cached while others move."""
        if self._uncacheable:
            return self._encode_personal(guest)
        number, due = guest.int, self._due
        key = number if due is None or number != self._acting else (number, due)
        encoded = self._personal.get(key)
        if encoded is None:
            encoded = self._personal[key] = self._encode_personal(guest)
        return encoded

    def _encode_personal(self, guest: UUID) -> bytes:
        permitted = may(self._table, guest, self._present, self._away, self._idle_seat)
        return messages.encode_personal(self._table.seats_of(guest), permitted)


def _changed(before: Struct, now: Struct, names: tuple[str, ...]) -> dict[str, object]:
    """Return the fields that differ; a field that is no longer set becomes null."""
    changed = {}
    for name in names:
        value = getattr(now, name)
        if value != getattr(before, name):
            changed[name] = None if value is UNSET else value
    return changed
