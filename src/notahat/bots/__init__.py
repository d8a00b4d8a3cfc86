"""Computer players: they see only the view and the shown events, and answer with a move."""

from notahat.bots.memory import LookAlikes
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.player import Answer, Bot, Player
from notahat.bots.presets import AS_PRESET, Character, Dials, Level, Remark, characters, levels, remark
from notahat.bots.presets import character as _character
from notahat.bots.presets import level as _level

LEVELS = tuple(levels())
CHARACTERS = characters()


def sit_down(
    level: str,
    seat: int,
    seed: int,
    character: str | None = None,
    look_alikes: LookAlikes | None = None,
    *,
    dials: Dials = AS_PRESET,
) -> Bot:
    """Return a new computer player for one round. Own gifts need `look_alikes`; `dials` change its presets."""
    return Player(dials.level(_level(level)), seat, seed, dials.character(_character(character)), look_alikes)


__all__ = [
    "CHARACTERS",
    "LEVELS",
    "Answer",
    "Bot",
    "Character",
    "Dials",
    "Level",
    "LookAlikes",
    "Parcel",
    "Parcels",
    "Remark",
    "remark",
    "sit_down",
]
