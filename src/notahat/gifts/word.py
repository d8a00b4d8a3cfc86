"""A gift's word in one language: its name, synonyms and grammar."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

Language = Literal["en", "de", "fr", "it", "es", "pt", "nl"]
LANGUAGES: tuple[str, ...] = get_args(Language)

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


class Facts(Struct, frozen=True, forbid_unknown_fields=True, rename={"and_": "and"}):
    """What is particular to a language; `languages.toml` explains the fields."""

    name: str
    articles: str
    quoted: str
    and_: str
    kinds: dict[str, str]
    genders: dict[Gender, str] = {}
    sounds: dict[Sound, str] = {}
    head: Literal["first", "last"] | None = None
    compounds: bool = False
    silent_h: bool = False
    plural_without_gender: bool = False


def load_toml(name: str) -> dict[str, Any]:
    """Return a data file of this package."""
    return tomllib.loads(files("notahat.gifts").joinpath(name).read_text("utf-8"))


def checked_language(lang: str) -> str:
    """Return the language. Raise `LookupError` for an unknown one."""
    if lang not in LANGUAGES:
        raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
    return lang


@cache
def facts(lang: str) -> Facts:
    return msgspec.convert(load_toml("languages.toml")[checked_language(lang)], Facts)


@cache
def words(lang: str) -> dict[str, Word]:
    """Return every gift's word in a language, by key."""
    return msgspec.convert(load_toml(f"words/{checked_language(lang)}.toml"), dict[str, Word])


@cache
def wrong_names(lang: str) -> dict[str, tuple[str, ...]]:
    """Return names of things that resemble a gift, by the gift's key: a wasp is not a bee."""
    return msgspec.convert(load_toml(f"wrong_names/{checked_language(lang)}.toml"), dict[str, tuple[str, ...]])
