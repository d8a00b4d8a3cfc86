"""Remarks: what slips out when something has happened.

A remark is made from what everyone saw, never from what the player remembers or believes, so it
tells nothing that the table does not know already.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from notahat.bots.character import character, lines
from notahat.gifts import LANGUAGES
from notahat.rules import Accepted, Ended, Event, Offered, Refused

Occasion = Literal["gave", "thanked", "doubted_rightly", "doubted_wrongly", "caught", "vindicated", "won", "lost"]
_SMALL_TALK = 0.4  # giving and thanking happen all the time: not every one is worth a word
OCCASIONS: tuple[Occasion, ...] = get_args(Occasion)


class Remark(Struct, frozen=True):
    """Which of a character's lines for an occasion is said; words come with the language."""

    character: str
    occasion: Occasion
    number: int

    def text(self, lang: str) -> str:
        """The words in a language. Every language has at least one line for each occasion."""
        if lang not in LANGUAGES:
            raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
        said = lines(lang)[self.character][self.occasion]
        return said[self.number % len(said)]


def remark(key: str, seat: int, events: Sequence[Event], turn: int, seed: int = 0) -> Remark | None:
    """What a character on a seat says to what has just happened, if anything; always the same for the same turn."""
    occasion = occasion_for(seat, events)
    if occasion is None:
        return None
    luck = Random(f"{seed}/{turn}/{seat}")
    talkative = character(key).talkativeness
    if luck.random() >= (talkative * _SMALL_TALK if occasion in ("gave", "thanked") else talkative):
        return None
    return Remark(key, occasion, luck.randrange(1000))


def occasion_for(seat: int, events: Sequence[Event]) -> Occasion | None:
    """What the last of these events is to somebody on a seat; the end of a round goes before all else."""
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
