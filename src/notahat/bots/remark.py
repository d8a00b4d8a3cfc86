"""Remarks of computer players about what has just happened.

A remark depends only on what everybody saw, never on what the player remembers, so it reveals nothing.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from notahat.bots.character import character, remark_texts
from notahat.gifts import LANGUAGES
from notahat.rules import Accepted, Ended, Event, Offered, Refused

Occasion = Literal["gave", "thanked", "doubted_rightly", "doubted_wrongly", "caught", "vindicated", "won", "lost"]
_SMALL_TALK = 0.4  # factor for giving and thanking, which happen all the time
OCCASIONS: tuple[Occasion, ...] = get_args(Occasion)


class Remark(Struct, frozen=True):
    """One of a character's texts for an occasion, independent of the language."""

    character: str
    occasion: Occasion
    number: int

    def text(self, lang: str) -> str:
        """Return the text in a language. Raise `LookupError` for an unknown language."""
        if lang not in LANGUAGES:
            raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
        texts = remark_texts(lang)[self.character][self.occasion]
        return texts[self.number % len(texts)]


def remark(key: str, seat: int, events: Sequence[Event], turn: int, seed: int = 0) -> Remark | None:
    """Return a character's remark about these events, if it makes one; the same seed and turn give the same remark."""
    occasion = occasion_for(seat, events)
    if occasion is None:
        return None
    rng = Random(f"{seed}/{turn}/{seat}")
    talkative = character(key).talkativeness
    if rng.random() >= (talkative * _SMALL_TALK if occasion in ("gave", "thanked") else talkative):
        return None
    return Remark(key, occasion, rng.randrange(1000))


def occasion_for(seat: int, events: Sequence[Event]) -> Occasion | None:
    """Return what the events mean for a seat; later events win, and the end of a round comes last."""
    for event in reversed(events):
        match event:
            case Ended(winners=winners):
                return "won" if seat in winners else "lost"
            case Refused(giver=giver, receiver=receiver, claim=claim, gift=gift):
                if seat == giver:
                    return "vindicated" if claim == gift else "caught"
                if seat == receiver:
                    return "doubted_wrongly" if claim == gift else "doubted_rightly"
            case Offered(giver=giver) if giver == seat:
                return "gave"
            case Accepted(receiver=receiver) if receiver == seat:
                return "thanked"
            case _:
                pass
    return None
