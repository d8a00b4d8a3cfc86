"""Kinds of gifts, such as food or animals, for browsing."""

from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct

from notahat.gifts.word import load_toml


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind with its name in each language, and its gifts. Every gift has one kind."""

    names: Mapping[str, str]
    gifts: tuple[str, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by its key, in display order."""
    return msgspec.convert(load_toml("gifts.toml")["kinds"], dict[str, Kind])
