"""The gift of the day: the same deal and the same computer players for everybody. All of it follows from the date."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

from notahat.bots import CHARACTERS
from notahat.gifts import Edition
from notahat.rules import Illegal
from notahat.table import Options, TableReason
from notahat.table.events import BotSat, Entry, Opened
from notahat.table.options import change_options

OPPONENTS = 3
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


def open_daily_table(day: date, code: str, host: UUID, at: float, pace: object = "normal") -> Entry:
    """Return the first entry of a table for the gift of a day, with all computer players seated; raise `Illegal` for
    an unknown pace. The pace is the player's own: no deal or move depends on it.
    """
    rng = Random(f"gift of {day.isoformat()}")
    edition: Edition = rng.choice(("classic", "special"))
    characters = rng.sample(sorted(CHARACTERS), OPPONENTS)
    options = Options(edition=edition, starter=rng.randrange(OPPONENTS + 1), spectators=False)
    options = change_options(options, {"pace": pace})
    level = LEVELS[day.weekday()]
    opponents = (BotSat(CHARACTERS[character].name, level, character) for character in characters)
    return Entry(at, (Opened(code, host, options, day=day.isoformat()), *opponents))
