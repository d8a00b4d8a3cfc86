"""Search for a gift by typed text: exact names first, then small typos, never a guess.

rapidfuzz is imported inside functions, because only the search for typos needs it.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from notahat.gifts.word import words, wrong_names

# Minimum lengths of the shorter and the longer word, and the typos allowed then. Words of five letters allow none,
# because one typo turns a house into a horse. The first letter must be right, or a jacket becomes a racket.
_ALLOWED_TYPOS = ((8, 8, 2), (5, 6, 1))
_MIN_SIMILARITY = 70.0
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
    """Return the gift that a text names, or None if it is unknown, too short or ambiguous."""
    spellings = _spellings(lang)
    for typed in _candidates(text, lang):
        if typed in spellings:
            return spellings[typed]
        if typed in _wrong_spellings(lang):
            return None
    distances = sorted(_close_matches(fold(text), spellings))
    if not distances:
        return None
    best, gift = distances[0]
    rivals = (distance for distance, other in distances[1:] if other != gift)
    return gift if best < next(rivals, best + 1) else None


def suggest(text: str, lang: str, limit: int = 8) -> tuple[str, ...]:
    """Return gifts whose names start with the text or resemble it, best first."""
    typed = fold(text)
    if not typed:
        return ()
    spellings = _spellings(lang)
    named = {fold(word.name): key for key, word in words(lang).items()}
    starting = sorted((s for s in named if s.startswith(typed)), key=lambda s: (len(s), s))
    synonyms = sorted((s for s in spellings if s.startswith(typed)), key=lambda s: (len(s), s))
    from rapidfuzz import fuzz, process

    alike = process.extract(typed, spellings.keys(), scorer=fuzz.ratio, score_cutoff=_MIN_SIMILARITY, limit=limit * 2)
    likely = [*starting, *synonyms, *(spelling for spelling, _, _ in alike)]
    return tuple(dict.fromkeys(spellings[spelling] for spelling in likely))[:limit]


@cache
def _spellings(lang: str) -> dict[str, str]:
    """Return the gift of every folded name and synonym. Tests ensure that none has two."""
    return {fold(spelling): key for key, word in words(lang).items() for spelling in (word.name, *word.synonyms)}


@cache
def _wrong_spellings(lang: str) -> frozenset[str]:
    """Return the folded names of things that are no gifts, so that they are not taken for typos."""
    return frozenset(fold(name) for names in wrong_names(lang).values() for name in names)


def _candidates(text: str, lang: str) -> Iterable[str]:
    """Yield the folded text, also without an article, and with German ae, oe, ue as umlauts."""
    texts = [text]
    first, *rest = re.split(r"[\s'’]+", text.strip(), maxsplit=1)
    if rest and first.casefold() in _ARTICLES[lang].split():
        texts.append(rest[0])
    for candidate in texts:
        yield fold(candidate)
        if lang == "de":
            yield re.sub("([aou])e", r"\1", fold(candidate))


def _close_matches(typed: str, spellings: dict[str, str]) -> Iterable[tuple[int, str]]:
    """Yield distance and gift of all spellings within the allowed number of typos."""
    from rapidfuzz.distance import OSA

    single = _collapse_doubles(typed)
    for spelling, gift in spellings.items():
        other = _collapse_doubles(spelling)
        allowed = _allowed_typos(single, other)
        if allowed:
            distance = OSA.distance(single, other, score_cutoff=allowed)
            if distance <= allowed:
                yield distance, gift


def _allowed_typos(typed: str, spelling: str) -> int:
    if typed[:1] != spelling[:1]:
        return 0
    shorter, longer = sorted((len(typed), len(spelling)))
    return next((typos for short, long, typos in _ALLOWED_TYPOS if shorter >= short and longer >= long), 0)


def _collapse_doubles(folded: str) -> str:
    """Make double letters single, because most typos happen there: gittare, brocolli."""
    return re.sub(r"(.)\1", r"\1", folded)


def fold(text: str) -> str:
    """Remove case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in plain if letter.isalnum())
