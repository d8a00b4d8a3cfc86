"""Kinds of gifts, such as food or animals, for browsing."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from notahat.gifts.word import LANGUAGES, facts, load_toml


class Kind(Struct, frozen=True):
    """A kind with its name in each language, and its gifts. Every gift has one kind."""

    names: Mapping[str, str]
    gifts: tuple[str, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by its key, in display order."""
    return {
        key: Kind({lang: facts(lang).kinds[key] for lang in LANGUAGES}, tuple(kind["gifts"]))
        for key, kind in load_toml("gifts.toml")["kinds"].items()
    }
