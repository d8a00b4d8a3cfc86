"""Computer players: they see only the view and the shown events, and answer with a move."""

from notahat.bots.bot import Answer, Bot
from notahat.bots.novice import Novice

LEVELS = ("goldfish", "casual", "regular", "elephant")


def sit_down(level: str, seat: int, seed: int, character: str | None = None) -> Bot:  # noqa: ARG001
    """A computer player of a level and character, fresh for one round."""
    return Novice(level, seat, seed)


__all__ = ["LEVELS", "Answer", "Bot", "sit_down"]
