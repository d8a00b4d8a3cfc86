"""Default character and name of a new computer player. The table itself does not know the characters."""

from random import Random

from notahat.bots import CHARACTERS, LEVELS
from notahat.rules import Illegal
from notahat.table import Table, TableReason
from notahat.table.commands import AddBot


def fill_bot_defaults(command: AddBot, table: Table, seed: int) -> AddBot:
    """Return the command with character and name; raise `Illegal` for an unknown level or character."""
    if command.level not in LEVELS:
        raise Illegal(TableReason.UNKNOWN_LEVEL, f"the levels are {', '.join(LEVELS)}")
    character = command.character or _unseated_character(table, seed)
    if character not in CHARACTERS:
        raise Illegal(TableReason.UNKNOWN_CHARACTER, f"the characters are {', '.join(CHARACTERS)}")
    return AddBot(command.level, character, command.name or CHARACTERS[character].name)


def _unseated_character(table: Table, seed: int) -> str:
    """Choose a character that is not at the table yet, if there is one."""
    seated = {seat.character for seat in table.seats}
    return Random(seed).choice([key for key in CHARACTERS if key not in seated] or list(CHARACTERS))
