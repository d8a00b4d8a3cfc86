"""Computer players: they see only the view and the shown events, and answer with a move."""

from notahat.bots.bot import Answer, Bot
from notahat.bots.character import Character
from notahat.bots.level import level as _level
from notahat.bots.level import levels
from notahat.bots.player import Player

LEVELS = tuple(levels())


def sit_down(level: str, seat: int, seed: int, character: str | None = None) -> Bot:
    """A computer player of a level and character, fresh for one round."""
    return Player(_level(level), seat, seed, Character("x"))


__all__ = ["LEVELS", "Answer", "Bot", "sit_down"]
