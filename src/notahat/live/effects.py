"""Effects: what a room asks its driver to do, in this order."""

from collections.abc import Hashable

from msgspec import Struct

Connection = Hashable  # the driver's own key for a connection


class Append(Struct, frozen=True, gc=False):
    """Write this entry as the version after `version`, then call `committed`, `repeated`, `conflicted` or `failed`."""

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
    """Call `woken` at this time, instead of any time requested before; None: do not call it."""

    at: float | None


class SaveSnapshot(Struct, frozen=True, gc=False):
    """Save this snapshot. It only shortens loading, so it may be lost."""

    version: int
    schema: int
    state: bytes


class CommandOutcome(Struct, frozen=True, gc=False):
    """Count an answered command: `done`, `repeated` or the reason of its refusal. `received_at` is None for the room's
    own commands.
    """

    outcome: str
    received_at: float | None


Effect = Append | Send | Close | Wake | SaveSnapshot | CommandOutcome
