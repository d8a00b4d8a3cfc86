"""The gift of the day: the same deal and the same computer players for everybody. All of it follows from the date."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

from notahat.bots import CHARACTERS
from notahat.gifts import Edition
from notahat.rules import Illegal
from notahat.table import Options, Table, TableReason
from notahat.table.events import BotSat, Entry, Opened

OPPONENTS = 3
TICK_SECONDS = 2.0  # fixed time between two entries, so that neither clock nor hesitation changes the game
LEVELS = ("goldfish", "casual", "casual", "regular", "regular", "regular", "elephant")  # Monday to Sunday


def parse_day(text: str, now: float) -> date:
    """Return the date; raise `Illegal` unless it is the current date in some time zone."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise Illegal(TableReason.BAD_OPTIONS, "a day is written like 2026-11-16") from None
    if abs(day - datetime.fromtimestamp(now, UTC).date()) > timedelta(days=1):
        raise Illegal(TableReason.BAD_OPTIONS, "that day is over, or has not begun")
    return day


def open_daily_table(day: date, code: str, host: UUID, at: float) -> Entry:
    """Return the first entry of a table for the gift of a day, with all computer players seated."""
    rng = Random(f"gift of {day.isoformat()}")
    edition: Edition = rng.choice(("classic", "special"))
    characters = rng.sample(sorted(CHARACTERS), OPPONENTS)
    options = Options(edition=edition, starter=rng.randrange(OPPONENTS + 1), spectators=False)
    level = LEVELS[day.weekday()]
    opponents = (BotSat(CHARACTERS[character].name, level, character) for character in characters)
    return Entry(at, (Opened(code, host, options, day=day.isoformat()), *opponents))


def command_seed(table: Table, seed: int) -> int:
    """Return the seed of a command: the driver's, or the one of the day and round."""
    return seed if table.day is None else Random(f"gift of {table.day}, round {table.dealt}").getrandbits(63)
