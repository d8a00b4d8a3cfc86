"""Levels: how well a computer player remembers."""

from functools import cache
from math import log

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from notahat.bots.data import load_toml

FEW_CARDS = 5  # what a level's numbers are meant for: four players with one gift each, and the card in hand


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one level; `levels.toml` explains them."""

    attention: float
    noise: float
    threshold: float
    confusion: float
    load: float
    firm: float
    self_doubt: float
    decision_noise: float
    rehearses: int
    trust: float
    reads_others: bool
    fakes_tells: bool
    gives_credit: bool

    def with_load(self, cards: int) -> "Level":
        """Return the level at a table of so many cards: each one gets a smaller share of the attention (ACT-R's fan).

        The share lowers the activation of all traces alike, which is the same as a higher threshold.
        """
        load = self.load * log(max(1.0, cards / FEW_CARDS))
        return replace(self, threshold=self.threshold + load, confusion=self.confusion - load)


@cache
def levels() -> dict[str, Level]:
    """Return all levels by name, the most forgetful first."""
    return msgspec.convert(load_toml("levels.toml"), dict[str, Level])


def level(name: str) -> Level:
    """Return a level by name. Raise `LookupError` for an unknown name."""
    found = levels().get(name)
    if found is None:
        raise LookupError(f"no level {name!r}; there are {', '.join(levels())}")
    return found
