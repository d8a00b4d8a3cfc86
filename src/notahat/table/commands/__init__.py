"""Commands: what a guest or the room wants to happen. Each is one class, in the module of its family."""

from types import ModuleType
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

GuestCommands = tuple[type[GuestCommand], ...]


def _of(*families: ModuleType) -> GuestCommands:
    """Return the commands of guests in these modules."""
    found = ((kind, family) for family in families for kind in vars(family).values() if isinstance(kind, type))
    return tuple(
        kind
        for kind, family in found
        if issubclass(kind, GuestCommand) and kind.__module__ == family.__name__ and not kind.__subclasses__()
    )


# in the order of `may`; what it lists of the others does not depend on whose move it is
BEFORE_MOVES, MOVES, AFTER_MOVES = _of(seats, knocks, setup), _of(moves), _of(rounds, bystanders, studies)
GUEST_COMMANDS = (*BEFORE_MOVES, *MOVES, *AFTER_MOVES)
ANY_GUEST_COMMAND: Any = Union[GUEST_COMMANDS]  # for decoders  # noqa: UP007
