"""The gift of the day: the same deal and the same computer players for everyone in the world. All of it follows from
the date; nobody keeps a secret, and no clock has a say in it.
"""

from datetime import UTC, date, datetime, timedelta
from random import Random
from uuid import UUID

from notahat.bots import CHARACTERS
from notahat.gifts import Edition
from notahat.rules import Illegal
from notahat.table import Options, Table, TableReason
from notahat.table.events import BotSat, Entry, Opened

OPPONENTS = 3
SECONDS = 2.0  # from one entry of the log to the next: nobody's machine or hesitation makes it another game
LEVELS = ("goldfish", "casual", "casual", "regular", "regular", "regular", "elephant")  # a week gets harder


def day_of(text: str, now: float) -> date:
    """The day that is meant, if it is today somewhere on earth."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise Illegal(TableReason.BAD_OPTIONS, "a day is written like 2026-11-16") from None
    if abs(day - datetime.fromtimestamp(now, UTC).date()) > timedelta(days=1):
        raise Illegal(TableReason.BAD_OPTIONS, "that day is over, or has not begun")
    return day


def day_opened(day: date, code: str, host: UUID, at: float) -> Entry:
    """The first entry of a table where the gift of a day is played: everybody but one is there already."""
    luck = Random(f"gift of {day.isoformat()}")
    edition: Edition = luck.choice(("classic", "special"))
    who = luck.sample(sorted(CHARACTERS), OPPONENTS)
    options = Options(edition=edition, starter=luck.randrange(OPPONENTS + 1), spectators=False)
    level = LEVELS[day.weekday()]
    opponents = (BotSat(CHARACTERS[character].name, level, character) for character in who)
    return Entry(at, (Opened(code, host, options, day=day.isoformat()), *opponents))


def luck_for(table: Table, chance: int) -> int:
    """The luck of an order: chance, or what the day brings."""
    return chance if table.day is None else Random(f"gift of {table.day}, round {table.dealt}").getrandbits(63)
