"""The catalogue: every gift with its drawing, look-alikes and words."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from notahat.gifts.grammar import lines
from notahat.gifts.word import LANGUAGES, Word, load_toml, words


class Gift(Struct, frozen=True):
    """One gift. `drawing` is an OpenMoji code point, or "own" for a drawing of this project.

    `number` identifies the gift for programs and is never reused.
    """

    key: str
    number: int
    drawing: str
    look_alikes: frozenset[str]
    words: Mapping[str, Word]


@cache
def catalogue() -> Mapping[str, Gift]:
    """Return every gift by its key, in alphabetical order."""
    source = load_toml("gifts.toml")
    groups = [frozenset(group) for group in source["look_alikes"]["groups"]]
    return MappingProxyType(
        {
            key: Gift(
                key=key,
                number=described["number"],
                drawing=described["drawing"],
                look_alikes=frozenset[str]().union(*(group for group in groups if key in group)) - {key},
                words=MappingProxyType({lang: words(lang)[key] for lang in LANGUAGES}),
            )
            for key, described in source["gifts"].items()
        }
    )


def name(key: str, lang: str) -> str:
    """Return a gift's name without an article."""
    return _word(key, lang).name


def offer(key: str, lang: str) -> str:
    """Return the giver's line, such as *I have a nice hat for you.*"""
    return lines(_word(key, lang), lang).offer


def denial(key: str, lang: str) -> str:
    """Return the doubting receiver's line, such as *That's not a hat!*"""
    return lines(_word(key, lang), lang).denial


def _word(key: str, lang: str) -> Word:
    word = words(lang).get(key)
    if word is None:
        raise LookupError(f"no gift {key!r} in the catalogue")
    return word
