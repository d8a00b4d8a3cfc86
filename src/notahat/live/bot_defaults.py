"""Who computer players are is no business of the table: where one sits down, it gets a character and its name here."""

from random import Random

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import Illegal
from notahat.table import Table, TableReason
from notahat.table.commands import AddBot, Command


def introduced(command: Command, table: Table, luck: int) -> Command:
    """The command with all that is to be known about whom it seats."""
    if not isinstance(command, AddBot):
        return command
    if command.level not in LEVELS:
        raise Illegal(TableReason.UNKNOWN_LEVEL, f"the levels are {', '.join(LEVELS)}")
    character = command.character or _somebody_else(table, luck)
    if character not in CHARACTERS:
        raise Illegal(TableReason.UNKNOWN_CHARACTER, f"the characters are {', '.join(CHARACTERS)}")
    return AddBot(command.level, character, command.name or CHARACTERS[character].name)


def _somebody_else(table: Table, luck: int) -> str:
    """A character who does not sit here yet, if there is one."""
    seated = {seat.character for seat in table.seats}
    return Random(luck).choice([key for key in CHARACTERS if key not in seated] or list(CHARACTERS))
