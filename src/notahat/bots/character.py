"""Characters: tempers and remarks of computer players. They do not affect how well a player remembers."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec
from msgspec import Struct

from notahat.bots.data import load_toml


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a temper; `characters.toml` explains the numbers."""

    name: str
    suspicion: float = 0.0
    boldness: float = 0.0
    poker_face: float = 0.0
    talkativeness: float = 0.0


NEUTRAL = Character("")  # the laboratory measures levels with it


@cache
def characters() -> Mapping[str, Character]:
    """Return all characters by key."""
    return MappingProxyType(msgspec.convert(load_toml("characters.toml"), dict[str, Character]))


def character(key: str | None) -> Character:
    """Return a character by key, or the neutral one without a key. Raise `LookupError` for an unknown key."""
    if key is None:
        return NEUTRAL
    found = characters().get(key)
    if found is None:
        raise LookupError(f"no character {key!r}; there are {', '.join(characters())}")
    return found


@cache
def remark_texts(lang: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return all remarks in a language, by character and occasion."""
    return msgspec.convert(load_toml(f"remarks/{lang}.toml"), dict[str, dict[str, tuple[str, ...]]])
