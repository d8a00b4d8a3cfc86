"""From what somebody typed to a gift: exact words first, then small typos, never a wild guess."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from notahat.gifts.grammar import lines
from notahat.gifts.word import known, words

# How many slips of the finger we forgive, by the length of the longer word. Five letters are too
# few to forgive any: one slip turns a house into a horse.
_FORGIVEN = ((8, 2), (6, 1))
_ALIKE_ENOUGH = 70.0
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o"})


def find(text: str, lang: str) -> str | None:
    """The gift that a text names, or None where it is unknown, too short to guess or could be two gifts."""
    spellings = _spellings(lang)
    for typed in _readings(text, lang):
        if typed in spellings:
            return spellings[typed]
    typed = _folded(text)
    distances = sorted(_nearest(typed, spellings))
    if not distances:
        return None
    best, gift = distances[0]
    rivals = (distance for distance, other in distances[1:] if other != gift)
    return gift if best < next(rivals, best + 1) else None


def suggest(text: str, lang: str, limit: int = 8) -> tuple[str, ...]:
    """Gifts that a text may be the start or a misspelling of, the likeliest first."""
    typed = _folded(text)
    if not typed:
        return ()
    spellings = _spellings(lang)
    named = {_folded(word.name): key for key, word in words(lang).items()}
    starting = sorted((s for s in named if s.startswith(typed)), key=lambda s: (len(s), s))
    synonyms = sorted((s for s in spellings if s.startswith(typed)), key=lambda s: (len(s), s))
    alike = process.extract(typed, spellings.keys(), scorer=fuzz.ratio, score_cutoff=_ALIKE_ENOUGH, limit=limit * 2)
    likely = [*starting, *synonyms, *(spelling for spelling, _, _ in alike)]
    return tuple(dict.fromkeys(spellings[spelling] for spelling in likely))[:limit]


@cache
def _spellings(lang: str) -> dict[str, str]:
    """Every name and synonym in a language, folded, with its gift. Tests see to it that none has two."""
    return {
        _folded(spelling): key for key, word in words(known(lang)).items() for spelling in (word.name, *word.synonyms)
    }


@cache
def _articles(lang: str) -> frozenset[str]:
    return frozenset(_folded(lines(word, lang).article) for word in words(lang).values()) - {""}


def _readings(text: str, lang: str) -> Iterable[str]:
    """The text as it stands, and without an article in front."""
    yield _folded(text)
    first, *rest = re.split(r"[\s']+", text.strip(), maxsplit=1)
    if rest and _folded(first) in _articles(lang):
        yield _folded(rest[0])


def _nearest(typed: str, spellings: dict[str, str]) -> Iterable[tuple[int, str]]:
    for spelling, gift in spellings.items():
        longer = max(len(typed), len(spelling))
        forgiven = next((slips for length, slips in _FORGIVEN if longer >= length), None)
        if forgiven is None:
            continue
        distance = OSA.distance(_single(typed), _single(spelling), score_cutoff=forgiven)
        if distance <= forgiven:
            yield distance, gift


def _single(folded: str) -> str:
    """With double letters made single, for that is where most slips happen: gittare, brocolli."""
    return re.sub(r"(.)\1", r"\1", folded)


def _folded(text: str) -> str:
    """Without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in plain if letter.isalnum())
