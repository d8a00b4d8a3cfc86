"""The words for gifts in sentences: the catalogue's, those of a table's own deck, or nonsense words."""

from collections.abc import Mapping
from functools import cached_property
from random import Random
from types import MappingProxyType

from notahat.gifts import catalogue, find
from notahat.gifts.find import fold
from notahat.gifts.grammar import lines
from notahat.gifts.word import Word, facts, words

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


class Vocabulary:
    """Names and lines of all gifts in one language. `own` are name, offer and denial of gifts that people made."""

    def __init__(
        self,
        lang: str,
        renamed: Mapping[str, str] | None = None,
        own: Mapping[str, tuple[str, str, str]] = MappingProxyType({}),
    ) -> None:
        self._lang, self._own = lang, own
        self._renamed = renamed
        if renamed is None:
            self._words: Mapping[str, Word] = words(lang)
        else:
            gender = next(iter(facts(lang).genders), None)
            self._words = {gift: Word(name, gender=gender, sound="consonant") for gift, name in renamed.items()}
        self._gifts = {word.name.casefold(): gift for gift, word in self._words.items()}
        self._gifts |= {name.casefold(): gift for gift, (name, _, _) in own.items()}

    def name(self, gift: str) -> str:
        return self._own[gift][0] if gift in self._own else self._words[gift].name

    def offer(self, gift: str) -> str:
        return self._own[gift][1] if gift in self._own else lines(self._words[gift], self._lang).offer

    def offered(self, text: str) -> str | None:
        """Return the gift that the words of an offer name."""
        return self._offers.get(fold(text))

    @cached_property
    def _offers(self) -> dict[str, str]:
        return {fold(self.offer(gift)): gift for gift in (*self._words, *self._own)}

    def denial(self, gift: str) -> str:
        return self._own[gift][2] if gift in self._own else lines(self._words[gift], self._lang).denial

    def find(self, text: str) -> str | None:
        """Return the gift that a text names. Nonsense words must be exact, others may have small typos."""
        exact = self._gifts.get(text.casefold())
        return find(text, self._lang) if exact is None and self._renamed is None else exact


def nonsense_names(rng: Random) -> dict[str, str]:
    """Return a different nonsense word for every gift of the catalogue."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for gift in catalogue():
        while (name := _nonsense(rng)) in used:
            pass
        used.add(name)
        names[gift] = name
    return names


def _nonsense(rng: Random) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(3))
