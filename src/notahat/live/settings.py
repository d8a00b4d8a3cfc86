"""Settings that all rooms of a host share, where seeds and times come from, and defaults of computer players."""

import os
from random import Random
from struct import unpack

from msgspec import Struct

from notahat.bots import CHARACTERS, LEVELS
from notahat.gifts.hat_file import NameKeys
from notahat.rules import Illegal
from notahat.table import Table, TableReason
from notahat.table.commands import AddBot
from notahat.table.name import folded_name_keys

TICK_SECONDS = 2.0  # so that neither machine, clock nor hesitation changes what computer players remember
BATCH = 256


class Determinism:
    """Seeds that follow from the text `seed` (None: from the operating system), and seconds of table time per log entry
    (0: as the clock says).
    """

    def __init__(self, seed: str | None = None, tick: float = 0.0) -> None:
        self.seed = seed
        self.tick = tick
        self._batch: list[int] = []  # seeds of the operating system: every call is slow

    @classmethod
    def seeded(cls, seed: int | None) -> "Determinism":
        """Return a repeatable one for a seed, for tests and demonstrations: every table plays the same rounds."""
        return cls() if seed is None else cls(f"{seed}.", TICK_SECONDS)

    def of(self, table: Table) -> "Determinism":
        """Return what a table plays with: the gift of a day follows from its date on every machine."""
        return self if table.day is None else Determinism(f"gift of {table.day}, round ", TICK_SECONDS)

    def seed_for(self, table: Table) -> int:
        """Return the seed of a command: shuffles, starters and computer players depend on it."""
        if self.seed is not None:
            return Random(f"{self.seed}{table.dealt}").getrandbits(63)
        if not self._batch:
            self._batch.extend(unpack(f"{BATCH}Q", os.urandom(8 * BATCH)))
        return self._batch.pop() >> 1


SYSTEM = Determinism()


class RoomSettings(Struct, frozen=True, kw_only=True):
    """What all rooms of a host have in common. `stagger` delays plans, differently on each node, so that not all of
    them try at once.
    """

    speed: float = 1.0
    stagger: float = 0.0
    determinism: Determinism = SYSTEM
    name_keys: NameKeys = folded_name_keys


DEFAULTS = RoomSettings()


def fill_bot_defaults(command: AddBot, table: Table, seed: int) -> AddBot:
    """Return the command with character and name; raise `Illegal` for an unknown level or character. The table itself
    does not know the characters.
    """
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
