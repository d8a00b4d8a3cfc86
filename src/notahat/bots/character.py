"""Characters: tempers that have nothing to do with how well somebody remembers, and what they say."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a temper; `characters.toml` says what the numbers mean."""

    name: str
    suspicion: float = 0.0
    boldness: float = 0.0
    poker_face: float = 0.0
    talkativeness: float = 0.0


NOBODY = Character("")  # without a temper: what the laboratory measures levels with


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("notahat.bots").joinpath(name).read_text("utf-8"))


@cache
def characters() -> Mapping[str, Character]:
    """Every character by key."""
    return MappingProxyType(msgspec.convert(_data("characters.toml"), dict[str, Character]))


def character(key: str | None) -> Character:
    """A character by key, or nobody in particular."""
    if key is None:
        return NOBODY
    found = characters().get(key)
    if found is None:
        raise LookupError(f"no character {key!r}; there are {', '.join(characters())}")
    return found


@cache
def lines(lang: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """What everyone says in a language: by character, then by occasion."""
    return msgspec.convert(_data(f"remarks/{lang}.toml"), dict[str, dict[str, tuple[str, ...]]])
