"""What a room asks of whoever drives it. The order counts."""

from collections.abc import Hashable

from msgspec import Struct

Connection = Hashable  # whatever the driver knows a connection by


class Append(Struct, frozen=True, gc=False):
    """Make this entry durable as the version after `version`, then say `committed`, `overtaken` or `failed`."""

    version: int
    key: str
    entry: bytes


class Send(Struct, frozen=True):
    """Send this to a connection."""

    connection: Connection
    message: bytes


class Close(Struct, frozen=True):
    """Say goodbye to a connection."""

    connection: Connection
    code: int
    reason: str


class Wake(Struct, frozen=True, gc=False):
    """Call `woken` at this time and not before; None takes an earlier wish back."""

    at: float | None


class Keep(Struct, frozen=True, gc=False):
    """Keep this snapshot: it makes opening the table quicker, and can be thrown away."""

    version: int
    schema: int
    state: bytes


class Answered(Struct, frozen=True, gc=False):
    """An order was answered: done, repeated, or the reason of the refusal. `came` is when; None was the house's."""

    outcome: str
    came: float | None


Effect = Append | Send | Close | Wake | Keep | Answered
