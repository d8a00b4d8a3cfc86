"""Requests: what guests and the clock want of a host. Each names its table by the driver's own key."""

from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from notahat.live.effects import Connection
from notahat.table.commands import Command

Key = TypeVar("Key", bound=Hashable)


class Open(Struct, Generic[Key], eq=False):
    """Open a table with this code. With a `day` it plays the gift of that day, of whose options only
    `pace` can be chosen; `at` is the time of day.
    """

    table: Key
    code: str
    options: Mapping[str, Any]
    at: float
    screen: bool = False
    day: str | None = None


class Summarise(Struct, Generic[Key], eq=False):
    """Reply with the table's public summary."""

    table: Key


class Connect(Struct, Generic[Key], eq=False):
    """Send every state to this connection from now on: whole ones, or deltas. A `screen` only shows the table."""

    table: Key
    connection: Connection
    deltas: bool = False
    screen: bool = False


class Disconnect(Struct, Generic[Key], eq=False):
    """The connection is closed."""

    table: Key
    connection: Connection


class Submit(Struct, Generic[Key], eq=False, gc=False):
    """Carry out a guest's command once for each id. Without a connection, reply with the table's view."""

    table: Key
    connection: Connection | None
    id: str
    command: Command


class ReportKnock(Struct, Generic[Key], eq=False):
    """Let the players hear that a stranger knocks, under this name."""

    table: Key
    name: str


class ReadStory(Struct, Generic[Key], eq=False):
    """Reply with the story of a finished round."""

    table: Key
    round: int


class ReadDeck(Struct, Generic[Key], eq=False):
    """Reply with the deck that was put on the table with this version."""

    table: Key
    version: int


class Time(Struct, Generic[Key], eq=False):
    """The time of the last `Wake` has come."""

    table: Key


Request = (
    Open[Key]
    | Summarise[Key]
    | Connect[Key]
    | Disconnect[Key]
    | Submit[Key]
    | ReportKnock[Key]
    | ReadStory[Key]
    | ReadDeck[Key]
    | Time[Key]
)
