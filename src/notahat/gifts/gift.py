"""The catalogue: every gift there is, with its drawing, its look-alikes and its words."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from notahat.gifts.grammar import lines
from notahat.gifts.word import LANGUAGES, Word, data, known, words


class Gift(Struct, frozen=True):
    """One thing that can be given. `drawing` is an OpenMoji code point, or "own" for a drawing of ours.

    `number` is for programs that would rather count than read; no other gift ever gets it.
    """

    key: str
    number: int
    drawing: str
    look_alikes: frozenset[str]
    words: Mapping[str, Word]

    def article(self, lang: str) -> str:
        """The indefinite article, empty where a language has none."""
        return lines(self.words[known(lang)], lang).article


@cache
def catalogue() -> Mapping[str, Gift]:
    """Every gift by its key, in alphabetical order."""
    source = data("gifts.toml")
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
    """What people call a gift, without an article."""
    return _word(key, lang).name


def offer(key: str, lang: str) -> str:
    """What a giver says, such as *I have a nice hat for you.*"""
    return lines(_word(key, lang), lang).offer


def denial(key: str, lang: str) -> str:
    """What a doubting receiver says, such as *That's not a hat!*"""
    return lines(_word(key, lang), lang).denial


def _word(key: str, lang: str) -> Word:
    word = words(known(lang)).get(key)
    if word is None:
        raise LookupError(f"no gift {key!r} in the catalogue")
    return word
