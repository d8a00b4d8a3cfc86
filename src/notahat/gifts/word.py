"""A gift's word in one language: its name, synonyms and grammar."""

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

    `sound` is set only if the spelling misleads: a silent h, an aspirated one, a stressed Spanish a.
    `accusative` is set only if a German noun changes: Elefant, einen Elefanten.
    """

    name: str
    synonyms: tuple[str, ...] = ()
    gender: Gender | None = None
    plural: bool = False
    sound: Sound | None = None
    accusative: str | None = None


def load_toml(name: str) -> dict[str, Any]:
    """Return a data file of this package."""
    return tomllib.loads(files("notahat.gifts").joinpath(name).read_text("utf-8"))


def checked_language(lang: str) -> str:
    """Return the language. Raise `LookupError` for an unknown one."""
    if lang not in LANGUAGES:
        raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
    return lang


@cache
def words(lang: str) -> dict[str, Word]:
    """Return every gift's word in a language, by key."""
    return msgspec.convert(load_toml(f"words/{checked_language(lang)}.toml"), dict[str, Word])


@cache
def wrong_names(lang: str) -> dict[str, tuple[str, ...]]:
    """Return names of things that resemble a gift, by the gift's key: a wasp is not a bee."""
    return msgspec.convert(load_toml(f"wrong_names/{checked_language(lang)}.toml"), dict[str, tuple[str, ...]])
