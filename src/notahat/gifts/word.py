"""A gift's word in one language: what people call it, and what grammar needs to know of it."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

LANGUAGES = ("en", "de", "fr", "it", "es", "pt", "nl")

Gender = Literal["m", "f", "n", "c"]  # masculine, feminine, neuter; common is the Dutch de-word
Sound = Literal["vowel", "consonant", "impure", "tonic_a"]


class Word(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A noun without its article, as it stands in the middle of a sentence.

    `sound` is given only where the spelling misleads: a silent h, an aspirated one, a stressed Spanish a.
    `accusative` is given only where a German noun changes: Elefant, einen Elefanten.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    gender: Gender | None = None
    plural: bool = False
    sound: Sound | None = None
    accusative: str | None = None


def data(name: str) -> dict[str, Any]:
    """A data file of this package."""
    return tomllib.loads(files("notahat.gifts").joinpath(name).read_text("utf-8"))


def known(lang: str) -> str:
    """The language, if it is one of ours."""
    if lang not in LANGUAGES:
        raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
    return lang


@cache
def words(lang: str) -> dict[str, Word]:
    """Every gift's word in a language, by key."""
    return msgspec.convert(data(f"words/{known(lang)}.toml"), dict[str, Word])


@cache
def others(lang: str) -> dict[str, tuple[str, ...]]:
    """What each gift could be taken for and is not: a wasp for a bee. Names in a language, by the gift's key."""
    return msgspec.convert(data(f"others/{known(lang)}.toml"), dict[str, tuple[str, ...]])
