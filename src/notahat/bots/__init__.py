"""Computer players: they see only the view and the shown events, and answer with a move."""

from notahat.bots.bot import Answer, Bot
from notahat.bots.character import Character, characters
from notahat.bots.character import character as _character
from notahat.bots.level import Level, levels
from notahat.bots.level import level as _level
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.player import Player
from notahat.bots.remark import Remark, remark
from notahat.bots.similarity import LookAlikes

LEVELS = tuple(levels())
CHARACTERS = characters()


def sit_down(
    level: str, seat: int, seed: int, character: str | None = None, look_alikes: LookAlikes | None = None
) -> Bot:
    """Return a new computer player for one round. Pass `look_alikes` for decks with gifts outside the catalogue."""
    return Player(_level(level), seat, seed, _character(character), look_alikes)


__all__ = [
    "CHARACTERS",
    "LEVELS",
    "Answer",
    "Bot",
    "Character",
    "Level",
    "LookAlikes",
    "Parcel",
    "Parcels",
    "Remark",
    "remark",
    "sit_down",
]
