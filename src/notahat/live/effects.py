"""Effects: what a host asks its driver to do for a table, in this order."""

from collections.abc import Hashable
from enum import StrEnum

from msgspec import Struct

from notahat.table import Shown
from notahat.wire.messages import ServerReason

Connection = Hashable  # the driver's own key for a connection

POLICY_VIOLATION = 1008
INTERNAL_ERROR = 1011
SERVICE_RESTART = 1012
TRY_AGAIN_LATER = 1013
_CODES: dict[StrEnum, int] = {
    ServerReason.GOING_AWAY: SERVICE_RESTART,
    ServerReason.BUSY: TRY_AGAIN_LATER,
    ServerReason.TOO_FAST: TRY_AGAIN_LATER,
    ServerReason.TOO_MANY_TRIES: TRY_AGAIN_LATER,
}


def close_code(reason: StrEnum) -> int:
    """Return the code that closes a connection for this reason: 1008 unless trying again may help."""
    return _CODES.get(reason, POLICY_VIOLATION)


class Append(Struct, frozen=True, gc=False):
    """Write this entry as the version after `version`, then call `committed`, `conflicted` or `failed` with
    this effect.
    """

    version: int
    key: str
    entry: bytes


class Send(Struct, frozen=True):
    """Send this message to a connection."""

    connection: Connection
    message: bytes


class Close(Struct, frozen=True):
    """Close a connection."""

    connection: Connection
    code: int
    reason: str


class Wake(Struct, frozen=True, gc=False):
    """Request `Time` at this time, instead of any time before; None: do not request it."""

    at: float | None


class SaveSnapshot(Struct, frozen=True, gc=False):
    """Save this snapshot. It only shortens loading, so it may be lost."""

    version: int
    schema: int
    state: bytes


class CommandOutcome(Struct, frozen=True, gc=False):
    """Count an answered command: `done`, `repeated` or the reason of its refusal. `received_at` is None for the room's
    own commands. `happened` is what a command that is done shows to everyone, reported by one node alone.
    """

    outcome: str
    received_at: float | None
    happened: tuple[Shown, ...] = ()


class Load(Struct, frozen=True):
    """Read the table's snapshot and log, then call `loaded`, or `not_loaded`."""


class Unload(Struct, frozen=True):
    """The table is no longer open: cancel its wake and what else belongs to it."""


class ReadLog(Struct, frozen=True):
    """Read one version of the log (None: all), and reply with `answer_from_log`, or `missing` if that is None.

    Answers of a table with the same `key` are equal.
    """

    request: object
    key: Hashable
    version: int | None
    missing: StrEnum


class Reply(Struct, frozen=True):
    """Answer a request; the result is `Illegal` for a refusal."""

    request: object
    result: object


Effect = Append | Send | Close | Wake | SaveSnapshot | CommandOutcome | Load | Unload | ReadLog | Reply
