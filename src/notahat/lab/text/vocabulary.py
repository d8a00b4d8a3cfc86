"""The words for gifts in a text game: the catalogue's, or nonsense words that tell memory from knowledge."""

from collections.abc import Mapping
from random import Random

from notahat.gifts import catalogue, find
from notahat.gifts.grammar import lines
from notahat.gifts.word import Gender, Word, words

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


class Vocabulary:
    """Names and lines of all gifts in one language."""

    def __init__(self, lang: str, renamed: Mapping[str, str] | None = None) -> None:
        self._lang = lang
        self._renamed = renamed
        if renamed is None:
            self._words: Mapping[str, Word] = words(lang)
        else:
            gender: Gender = "c" if lang == "nl" else "m"
            self._words = {gift: Word(name, gender=gender, sound="consonant") for gift, name in renamed.items()}
        self._gifts = {word.name.casefold(): gift for gift, word in self._words.items()}

    def name(self, gift: str) -> str:
        return self._words[gift].name

    def offer(self, gift: str) -> str:
        return lines(self._words[gift], self._lang).offer

    def denial(self, gift: str) -> str:
        return lines(self._words[gift], self._lang).denial

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
