"""Broadcast: encode a table's state once for all guests, and reuse what has not changed since the last state."""

from operator import attrgetter
from uuid import UUID

from msgspec import UNSET, Struct, structs

from notahat.live.presence import NOBODY
from notahat.rules import Legal, View
from notahat.rules import view as view_round
from notahat.table import Deadline, Idle, Shown, Table, TableView, may, view
from notahat.table.commands import AFTER_MOVES, BEFORE_MOVES, GUEST_COMMANDS, MOVES, GuestCommands
from notahat.wire import messages

# what a move changes of the state; if the rest is equal, most of the last encoding can be reused
_MOVE_FIELDS = ("match", "since", "at", "version")
_unmoved = attrgetter("stage", *(field for field in Table.__struct_fields__ if field not in _MOVE_FIELDS))
_MOVE_VIEW_FIELDS = ("deadline", "round")
_NO_GUEST = -1
_WRAP_ONLY = ("wrap",)  # happens by itself, so no guest may send it


class BroadcastEncoder:
    """Encodes the current state for all guests and for each guest. Call `update` first."""

    def __init__(self) -> None:
        self._unmoved: tuple[object, ...] = ()
        self._last_view: TableView | None = None
        self._view: TableView | None = None
        self._personal: dict[int | tuple[int, Legal], bytes] = {}
        self._beside_moves: dict[int, tuple[bytes, bytes]] = {}  # what `may` lists before and after moves
        self._away: frozenset[UUID] = NOBODY
        self._idle_seat: int | None = None
        self._acting = _NO_GUEST

    def update(
        self,
        table: Table,
        present: frozenset[UUID],
        deadline: Deadline | None,
        round_view: View | None = None,
        away: frozenset[UUID] = NOBODY,
        speed: float = 1.0,
        idle: Idle | None = None,
    ) -> None:
        """Set the current state and drop cached parts that are no longer valid. `away` are guests away for long."""
        round_, due = table.round, table.due
        is_first_turn = round_ is not None and round_.turn == 0  # after it, nobody can be ready any more
        unmoved = (present, away, idle, is_first_turn, _unmoved(table))
        self._last_view = last = self._view
        self._only_moved = last is not None and table.stage == "play" and unmoved == self._unmoved
        if last is not None and self._only_moved and round_ is not None:
            self._view = structs.replace(last, deadline=deadline, round=round_view or view_round(round_))
        else:
            self._unmoved = unmoved
            self._personal.clear()
            self._beside_moves.clear()
            self._view = view(table, present, deadline, speed, idle)
        self._table, self._present, self._away, self._due = table, present, away, due
        self._idle_seat = idle.seat if idle is not None and idle.help else None
        acting = None if due.seat is None or due.moves == _WRAP_ONLY else table.seats[due.seat].guest
        self._acting = _NO_GUEST if acting is None else acting.int
        # permissions of all guests may change when any of them may judge, end the round or move for an absent player
        self._uncacheable = round_ is not None and (due.seat is None or due.correctable or table.spoken)

    @property
    def has_state(self) -> bool:
        return self._view is not None

    def encode_current(self, deadline: Deadline | None) -> bytes:
        """Encode the last state again, with another deadline, for a guest who connects now."""
        assert self._view is not None, "update was not called"
        return messages.encode_shared(self._table.version, structs.replace(self._view, deadline=deadline), ())

    def encode_full(self, happened: tuple[Shown, ...] = ()) -> bytes:
        """Encode the part of a state message that is equal for all guests."""
        assert self._view is not None, "update was not called"
        return messages.encode_shared(self._table.version, self._view, happened)

    def encode_delta(self, happened: tuple[Shown, ...]) -> bytes:
        """Encode what changed between the last two states; while a round goes on, field by field of the round."""
        before, now = self._last_view, self._view
        assert now is not None and before is not None, "there is no earlier state"  # noqa: PT018
        changed = _changed(before, now, _MOVE_VIEW_FIELDS if self._only_moved else TableView.__struct_fields__)
        if now.deadline is not None:  # it counts from now, so an equal number is another time
            changed["deadline"] = now.deadline
        if before.round is None or now.round is None or "match" in changed:
            return messages.encode_delta(self._table.version, changed, {}, happened)
        changed.pop("round", None)
        round_ = _changed(before.round, now.round, View.__struct_fields__)
        return messages.encode_delta(self._table.version, changed, round_, happened)

    def encode_personal(self, guest: UUID) -> bytes:
        """Encode a guest's own seats and permissions. Cached while others move, and for equal decisions."""
        if self._uncacheable:
            return messages.encode_personal(self._table.seats_of(guest), self._may(guest, GUEST_COMMANDS))
        number = guest.int
        key = number if number != self._acting else (number, self._due)
        encoded = self._personal.get(key)
        if encoded is None:
            if number not in self._beside_moves:
                self._beside_moves[number] = self._may(guest, BEFORE_MOVES), self._may(guest, AFTER_MOVES)
            before, after = self._beside_moves[number]
            permitted = (before, self._may(guest, MOVES), after)
            encoded = self._personal[key] = messages.encode_personal(self._table.seats_of(guest), *permitted)
        return encoded

    def _may(self, guest: UUID, commands: GuestCommands) -> bytes:
        permitted = may(self._table, guest, self._present, self._away, self._idle_seat, commands)
        return messages.encode_may(permitted)


def _changed(before: Struct, now: Struct, names: tuple[str, ...]) -> dict[str, object]:
    """Return the fields that differ; a field that is no longer set becomes null."""
    changed = {}
    for name in names:
        value = getattr(now, name)
        if value != getattr(before, name):
            changed[name] = None if value is UNSET else value
    return changed
