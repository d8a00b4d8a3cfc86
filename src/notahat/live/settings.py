"""What all rooms share, where seeds and times come from, defaults of computer players, and the gift of the day."""

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from random import Random
from struct import unpack
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from notahat.bots import CHARACTERS, LEVELS, Dials
from notahat.gifts import Edition
from notahat.gifts.hat_file import NameKeys
from notahat.rules import Illegal
from notahat.table import Options, Table, TableReason
from notahat.table.commands import AddBot
from notahat.table.events import BotSat, Entry, Opened
from notahat.table.options import change_options
from notahat.table.people import folded_name_keys

TICK_SECONDS = 2.0  # so that neither machine, clock nor hesitation changes what computer players remember
BATCH = 256


class Determinism:
    """Seeds from the text `seed` (None: from the system), and seconds of table time per entry (0: by the clock)."""

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
    """What all rooms of a host have in common. `stagger` delays plans, on each node by another time."""

    speed: float = 1.0
    stagger: float = 0.0
    determinism: Determinism = SYSTEM
    name_keys: NameKeys = folded_name_keys


DEFAULTS = RoomSettings()


def fill_bot_defaults(command: AddBot, table: Table, seed: int) -> AddBot:
    """Return the command with character and name; raise `Illegal` for an unknown level, character or dial."""
    if command.level not in LEVELS:
        raise Illegal(TableReason.UNKNOWN_LEVEL, f"the levels are {', '.join(LEVELS)}")
    seated = {seat.character for seat in table.seats}
    free = [key for key in CHARACTERS if key not in seated] or list(CHARACTERS)
    character = command.character or Random(seed).choice(free)
    if character not in CHARACTERS:
        raise Illegal(TableReason.UNKNOWN_CHARACTER, f"the characters are {', '.join(CHARACTERS)}")
    try:
        dials_from(command.dials)
    except msgspec.ValidationError as error:
        raise Illegal(TableReason.BAD_OPTIONS, f"the dials are memory, honesty and trust: {error}") from None
    return structs.replace(command, character=character, name=command.name or CHARACTERS[character].name)


def dials_from(numbers: Mapping[str, float] | None) -> Dials:
    """Return the dials of a computer player; raise `ValidationError` for an unknown one, or one outside 0 to 1."""
    return msgspec.convert(numbers or {}, Dials)


OPPONENTS = 3
LEVEL_OF_DAY = ("goldfish", "casual", "casual", "regular", "regular", "regular", "elephant")  # Monday to Sunday


def parse_day(text: str, now: float) -> date:
    """Return the date; raise `Illegal` unless it is the current date in some time zone."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise Illegal(TableReason.BAD_OPTIONS, "a day is written like 2026-11-16") from None
    if abs(day - datetime.fromtimestamp(now, UTC).date()) > timedelta(days=1):
        raise Illegal(TableReason.BAD_OPTIONS, "that day is over, or has not begun")
    return day


def open_daily_table(day: date, code: str, host: UUID, at: float, pace: object = "normal") -> Entry:
    """Return the first entry of a table for the gift of a day; raise `Illegal` for an unknown pace, the only choice."""
    rng = Random(f"gift of {day.isoformat()}")
    edition: Edition = rng.choice(("classic", "special"))
    characters = rng.sample(sorted(CHARACTERS), OPPONENTS)
    options = Options(edition=edition, starter=rng.randrange(OPPONENTS + 1), spectators=False)
    options = change_options(options, {"pace": pace})
    level = LEVEL_OF_DAY[day.weekday()]
    opponents = (BotSat(CHARACTERS[character].name, level, character) for character in characters)
    return Entry(at, (Opened(code, host, options, day=day.isoformat()), *opponents))
