"""Computer players: they see only the view and the shown events, and answer with a move."""

from notahat.bots.bot import Answer, Bot
from notahat.bots.character import Character, characters
from notahat.bots.character import character as _character
from notahat.bots.level import Level, levels
from notahat.bots.level import level as _level
from notahat.bots.player import Player
from notahat.bots.remark import Remark, remark
from notahat.bots.similarity import Likeness

LEVELS = tuple(levels())
CHARACTERS = characters()


def sit_down(level: str, seat: int, seed: int, character: str | None = None, likeness: Likeness | None = None) -> Bot:
    """A computer player of a level and character, fresh for one round. `likeness` is for decks with own gifts."""
    return Player(_level(level), seat, seed, _character(character), likeness)


__all__ = ["CHARACTERS", "LEVELS", "Answer", "Bot", "Character", "Level", "Remark", "remark", "sit_down"]
