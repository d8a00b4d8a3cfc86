"""The open connections of a room, and what is sent to each of them."""

from collections.abc import Iterator
from enum import StrEnum
from uuid import UUID

from msgspec import Struct

from notahat.live.broadcast import BroadcastEncoder
from notahat.live.effects import Close, Connection, Effect, Send
from notahat.live.game_state import Game
from notahat.live.presence import NOBODY
from notahat.live.schedule import Schedule
from notahat.table import Idle, Shown, Table
from notahat.table.admission import entry_limit
from notahat.wire.messages import encode_state
from notahat.wire.reasons import ServerReason

POLICY_VIOLATION = 1008
SERVICE_RESTART = 1012
TRY_AGAIN_LATER = 1013
_CODES = {
    ServerReason.GOING_AWAY: SERVICE_RESTART,
    ServerReason.BUSY: TRY_AGAIN_LATER,
    ServerReason.TOO_FAST: TRY_AGAIN_LATER,
    ServerReason.TOO_MANY_TRIES: TRY_AGAIN_LATER,
}


def close_code(reason: StrEnum) -> int:
    """Return the code that closes a connection for this reason: 1008 unless trying again may help."""
    return _CODES.get(reason, POLICY_VIOLATION)  # type: ignore[call-overload,no-any-return]


class GuestConnection(Struct, eq=False):
    """An open connection of a guest. `presence_id` is the guest, or a screen that the guest's browser is."""

    connection: Connection
    guest: UUID
    guest_key: str  # first part of the guest's command keys
    wants_deltas: bool
    presence_id: UUID
    last_personal: bytes = b""


class Connections:
    """All connections of a room, and the encoder for what they are sent."""

    def __init__(self, game: Game, schedule: Schedule) -> None:
        self._game = game
        self._schedule = schedule
        self._encoder = BroadcastEncoder()
        self._sent_long_away = NOBODY  # guests away for long, as of the last broadcast
        self._sent_idle: Idle | None = None
        self._connections: dict[Connection, GuestConnection] = {}

    def __bool__(self) -> bool:
        return bool(self._connections)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._connections)

    def get(self, connection: Connection) -> GuestConnection | None:
        return self._connections.get(connection)

    def open(self, connection: Connection, guest: UUID, wants_deltas: bool, presence_id: UUID) -> GuestConnection:
        opened = GuestConnection(connection, guest, guest.hex, wants_deltas, presence_id)
        self._connections[connection] = opened
        return opened

    def close(self, connection: Connection) -> GuestConnection | None:
        return self._connections.pop(connection, None)

    def count(self, guest: UUID) -> int:
        return sum(one.guest == guest for one in self._connections.values())

    def has(self, presence_id: UUID) -> bool:
        return any(one.presence_id == presence_id for one in self._connections.values())

    def broadcast(
        self,
        happened: tuple[Shown, ...],
        present: frozenset[UUID],
        now: float,
        out: list[Effect],
        sender: GuestConnection | None,
        ack: str | None,
    ) -> None:
        """Send the current state to all connections, and `ack` to the sender of the command."""
        self._update_encoder(present, now)
        encoder = self._encoder
        full = delta = b""
        for one in self._connections.values():
            personal = encoder.encode_personal(one.guest)
            own_ack = ack if one is sender else None
            if one.wants_deltas and one.last_personal:
                delta = delta or encoder.encode_delta(happened)
                message = encode_state(delta, personal if personal != one.last_personal else b"", own_ack)
            else:
                full = full or encoder.encode_full(happened)
                message = encode_state(full, personal, own_ack)
            one.last_personal = personal
            out.append(Send(one.connection, message))

    def send_current(
        self, one: GuestConnection, present: frozenset[UUID], now: float, out: list[Effect], ack: str | None = None
    ) -> None:
        """Send the current state without events to one connection."""
        if not self._encoder.has_state:
            self._update_encoder(present, now)
        one.last_personal = self._encoder.encode_personal(one.guest)
        current = self._encoder.encode_current(self._schedule.seconds_left(now))
        out.append(Send(one.connection, encode_state(current, one.last_personal, ack)))

    def have_other_absences(self, now: float) -> bool:
        """Whether others are away for long, or idle, than the last broadcast said."""
        schedule = self._schedule
        return schedule.long_away(now) != self._sent_long_away or schedule.idle.idle(now) != self._sent_idle

    def _update_encoder(self, present: frozenset[UUID], now: float) -> None:
        table, schedule = self._game.table, self._schedule
        schedule.idle.observe(table, present, now)
        self._sent_long_away, self._sent_idle = schedule.long_away(now), schedule.idle.idle(now)
        self._encoder.update(
            table,
            present,
            schedule.seconds_left(now),
            self._game.round_view,
            self._sent_long_away,
            schedule.speed,
            self._sent_idle,
        )

    def close_excluded(self, table: Table) -> list[Effect]:
        """Close the connections of guests who may no longer be at the table, with the reason."""
        limits = ((one, entry_limit(table, one.guest, "connection")) for one in self._connections.values())
        return [Close(one.connection, POLICY_VIOLATION, limit) for one, limit in limits if limit is not None]

    def close_all(self) -> list[Close]:
        """Close all connections; clients reconnect at once."""
        return [Close(connection, SERVICE_RESTART, "come back") for connection in self._connections]
