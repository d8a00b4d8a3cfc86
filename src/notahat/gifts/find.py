"""From what somebody typed to a gift: exact words first, then small typos, never a wild guess.

Only typos need rapidfuzz, and only here; so it is imported where they are, and the catalogue does without.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from notahat.gifts.word import known, others, words

# How many slips of the finger we forgive, by the lengths of the shorter and the longer word. Among five letters
# none: one slip turns a house into a horse. And the first letter must be right, or a jacket becomes a racket.
_FORGIVEN = ((8, 8, 2), (5, 6, 1))
_ALIKE_ENOUGH = 70.0
_ARTICLES = {
    "en": "a an the some",
    "de": "ein eine einen einem einer der die das den",
    "fr": "un une des le la les l de d",
    "it": "un uno una dei degli delle il lo la l i gli le",
    "es": "un una unos unas el la los las",
    "pt": "um uma uns umas o a os as",
    "nl": "een de het",
}
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o"})


def find(text: str, lang: str) -> str | None:
    """The gift that a text names, or None where it is unknown, too short to guess or could be two gifts."""
    spellings = _spellings(lang)
    for typed in _readings(text, lang):
        if typed in spellings:
            return spellings[typed]
        if typed in _other_things(lang):
            return None
    distances = sorted(_nearest(_folded(text), spellings))
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
    from rapidfuzz import fuzz, process

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
def _other_things(lang: str) -> frozenset[str]:
    """Names of things that are no gifts, folded: a toad is not a carrot with a slip in it, in any language."""
    return frozenset(_folded(name) for names in others(lang).values() for name in names)


def _readings(text: str, lang: str) -> Iterable[str]:
    """The text as it stands, without an article in front, and with German umlauts that were typed as ae, oe, ue."""
    readings = [text]
    first, *rest = re.split(r"[\s'’]+", text.strip(), maxsplit=1)
    if rest and first.casefold() in _ARTICLES[lang].split():
        readings.append(rest[0])
    for reading in readings:
        yield _folded(reading)
        if lang == "de":
            yield re.sub("([aou])e", r"\1", _folded(reading))


def _nearest(typed: str, spellings: dict[str, str]) -> Iterable[tuple[int, str]]:
    from rapidfuzz.distance import OSA

    single = _single(typed)
    for spelling, gift in spellings.items():
        other = _single(spelling)
        forgiven = _forgiven(single, other)
        if forgiven:
            distance = OSA.distance(single, other, score_cutoff=forgiven)
            if distance <= forgiven:
                yield distance, gift


def _forgiven(typed: str, spelling: str) -> int:
    if typed[:1] != spelling[:1]:
        return 0
    shorter, longer = sorted((len(typed), len(spelling)))
    return next((slips for least, most, slips in _FORGIVEN if shorter >= least and longer >= most), 0)


def _single(folded: str) -> str:
    """With double letters made single, for that is where most slips happen: gittare, brocolli."""
    return re.sub(r"(.)\1", r"\1", folded)


def _folded(text: str) -> str:
    """Without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in plain if letter.isalnum())
