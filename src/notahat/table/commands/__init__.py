"""Commands: what a guest or the room wants to happen. Each is one class, in the module of its family."""

from typing import Any, Union

from notahat.table.commands import bystanders, knocks, moves, rounds, seats, setup, studies
from notahat.table.commands.bystanders import *
from notahat.table.commands.command import *
from notahat.table.commands.command import GuestCommand
from notahat.table.commands.knocks import *
from notahat.table.commands.moves import *
from notahat.table.commands.rounds import *
from notahat.table.commands.seats import *
from notahat.table.commands.setup import *
from notahat.table.commands.studies import *

GUEST_COMMANDS: tuple[type[GuestCommand], ...] = tuple(
    kind
    for family in (seats, knocks, setup, moves, rounds, bystanders, studies)
    for kind in vars(family).values()
    if isinstance(kind, type) and issubclass(kind, GuestCommand) and kind.__module__ == family.__name__
    if not kind.__subclasses__()
)
ANY_GUEST_COMMAND: Any = Union[GUEST_COMMANDS]  # for decoders  # noqa: UP007
