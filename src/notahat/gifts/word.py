"""A gift's word in one language: its name, synonyms and grammar; and characters that no name may have."""

import tomllib
from bisect import bisect
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


# Default_Ignorable_Code_Point of Unicode 17 (DerivedCoreProperties), which `unicodedata` does not have, and the empty
# pattern of braille; each range with its last character
_RANGES = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200F),  # zero width characters
    (0x202A, 0x202E),  # directions
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # braille blank
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),  # shorthand controls
    (0x1D173, 0x1D17A),  # musical controls
    (0xE0000, 0xE0FFF),  # tags and further selectors
)
_FIRSTS = [first for first, _ in _RANGES]


def is_invisible(character: str) -> bool:
    """Return whether a character has no visible shape of its own. Spaces have one."""
    code = ord(character)
    before = bisect(_FIRSTS, code)
    return before > 0 and code <= _RANGES[before - 1][1]
