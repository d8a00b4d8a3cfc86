"""Levels: how well a computer player remembers. Temper is another matter, see `character`."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one level; `levels.toml` says what they mean."""

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
    """Every level by its name, from the most forgetful on."""
    text = files("notahat.bots").joinpath("levels.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Level])


def level(name: str) -> Level:
    """A level by its name."""
    found = levels().get(name)
    if found is None:
        raise LookupError(f"no level {name!r}; there are {', '.join(levels())}")
    return found
