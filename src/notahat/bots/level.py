"""Levels: how well a computer player remembers."""

from functools import cache

import msgspec
from msgspec import Struct

from notahat.bots.data import load_toml


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one level; `levels.toml` explains them."""

    attention: float
    noise: float
    threshold: float
    confusion: float
    stands_by: float
    rehearses: int
    trust: float
    reads_others: bool
    fakes_tells: bool
    gives_credit: bool


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
