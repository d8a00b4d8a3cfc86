"""Find a gift by typed text, as docs/words.md specifies and web/src/words/finder.ts does: `find` and `suggest`."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from notahat.gifts.word import facts, words, wrong_names

# Minimum lengths of the shorter and the longer word, and the typos allowed then. A claim allows none in words of five
# letters, because one typo turns a house into a horse. The first letter must be right, or a jacket becomes a racket.
_TYPOS_IN_CLAIM = ((8, 8, 2), (5, 6, 1))
_TYPOS_IN_SUGGESTION = ((7, 8, 2), (4, 5, 1))
_REPLACEABLE = 6  # letters from which a letter may be replaced by another one
_LONG_START = 7  # letters from which the start of a name may have a typo, too
_DISTINCT = 4  # letters that tell words apart
_INSIDE = 3  # letters from which later words and ends of compounds match
_LONGEST_QUERY = 60  # letters that are searched: the longest spelling has 35
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o"})


class _Term(NamedTuple):
    """A folded name or synonym, without a remark in brackets, and where its words start and the last one ends."""

    text: str
    bounds: tuple[int, ...]
    gift: str
    is_name: bool


def find(text: str, lang: str) -> str | None:
    """Return the gift that a text names, or None if it is unknown, too short or ambiguous."""
    spellings = _spellings(lang)
    text = _cut(text)
    typed = tuple(dict.fromkeys((*_variants(fold(text), lang), *_queries(text, lang))))
    for query in typed:
        if query in spellings:
            return spellings[query]
        if query in _refused(lang):
            return None
    distances = sorted(match for query in typed for match in _close_matches(query, spellings))
    if not distances:
        return None
    best, gift = distances[0]
    rivals = (distance for distance, other in distances[1:] if other != gift)
    return gift if best < next(rivals, best + 1) else None


def suggest(text: str, lang: str, limit: int = 8) -> tuple[str, ...]:
    """Return the gifts that a text may mean, best first."""
    matches = sorted((rank, len(term.text), term.text, term.gift) for rank, term in _matches(_cut(text), lang))
    return tuple(dict.fromkeys(gift for *_, gift in matches))[:limit]


def _cut(text: str) -> str:
    return text.strip()[:_LONGEST_QUERY]


def _matches(text: str, lang: str) -> list[tuple[int, _Term]]:
    """Return the terms that a text matches as it is, else with another silent h, else with typos, and their ranks."""
    queries = _queries(_without_remark(text), lang)
    if exact := _ranked(queries, lang, lambda query, term: _rank(query, term, lang)):
        return exact
    if any(_is_wrong_name(query, lang) for query in queries):
        return []
    long = [query for query in queries if facts(lang).silent_h and len(query) >= _DISTINCT]
    alike = tuple(query[1:] if query.startswith("h") else f"h{query}" for query in long)
    return _ranked(alike, lang, lambda query, term: _rank(query, term, lang)) or _ranked(
        (*queries, *alike), lang, _typo_rank
    )


def _ranked(queries: Iterable[str], lang: str, rank: Callable[[str, _Term], int | None]) -> list[tuple[int, _Term]]:
    found = ((rank(query, term), term) for query in queries for term in _terms(lang))
    return [(place, term) for place, term in found if place is not None]


def _rank(query: str, term: _Term, lang: str) -> int | None:
    """Return how well a term matches without a typo; lower is better."""
    text = term.text
    if text == query:
        return 0 if term.is_name else 1
    if not term.is_name and len(query) < _INSIDE:
        return None
    rank = _rank_inside(query, term, lang)
    return rank if rank is None or term.is_name else rank + 3


def _rank_inside(query: str, term: _Term, lang: str) -> int | None:
    """Return 2 for whole words and ends of compounds, 3 for the start of the term, 4 for that of a later word."""
    text = term.text
    if facts(lang).compounds and _ends_compound(query, term, lang):
        return 2
    later = [start for start, end in pairwise(term.bounds) if start and end - start >= _INSIDE]  # not "of"
    for start in (0, *later) if len(query) >= _INSIDE else (0,):
        if text.startswith(query, start) and not (start == 0 and _is_only_of(query, term, lang)):
            rank = 2 if start + len(query) in term.bounds else 3 if start == 0 else 4
            return None if rank == 4 and _is_only_about(query, term, lang) else rank
    return None


def _is_only_of(query: str, term: _Term, lang: str) -> bool:
    """Tell whether a text is no more than the first word of a synonym, and that word names another gift."""
    first = term.bounds[1]
    return (
        facts(lang).head == "last"
        and not term.is_name
        and len(query) <= first < len(term.text)
        and term.text[:first] in _names(lang)
    )


def _is_only_about(query: str, term: _Term, lang: str) -> bool:
    """Tell whether a later word of a synonym begins with a text that begins the name of another gift."""
    return facts(lang).head == "first" and not term.is_name and any(name.startswith(query) for name in _names(lang))


def _ends_compound(query: str, term: _Term, lang: str) -> bool:
    """Tell whether a word ends a longer one, and is not known as the name of another thing: Insel in Pinsel."""
    long_enough = len(query) > _INSIDE or (len(query) == _INSIDE and query in _words_alone(lang))
    return (
        long_enough
        and term.text.endswith(query)
        and len(term.text) - len(query) >= _INSIDE
        and query not in _wrong_spellings(lang).get(term.gift, ())
    )


def _typo_rank(typed: str, term: _Term) -> int | None:
    """Return a rank by the number of typos, swapped letters before others, names before synonyms, or None."""
    typos = [
        count
        for one, text in {(typed, term.text), (_collapse_doubles(typed), _collapse_doubles(term.text))}
        if (count := _count_typos(one, text)) is not None
    ]
    if not typos:
        return None
    swapped = sorted(typed) == sorted(term.text)
    return 4 * min(typos) + (0 if swapped else 2) + (0 if term.is_name else 1)


def _count_typos(typed: str, text: str) -> int | None:
    """Return the number of typos in a text or the start of it, or None if there are too many."""
    measure = _typing_distance()

    targets = [(text, _allowed_typos(typed, text, _TYPOS_IN_SUGGESTION))]
    if len(typed) >= _LONG_START and typed[0] == text[:1]:
        targets += [(text[: len(typed) + more], 1) for more in (-1, 0, 1)]
    targets = [(target, most) for target, most in targets if not _is_replaced(typed, target)]
    counted = [(measure(typed, target, score_cutoff=most), most) for target, most in targets]
    return min((count for count, most in counted if count <= most), default=None)


def _is_replaced(typed: str, text: str) -> bool:
    """Tell whether a short word differs by a replaced letter, which mostly makes another word: Kabel, Kübel."""
    return len(typed) == len(text) < _REPLACEABLE and sorted(typed) != sorted(text)


@cache
def _terms(lang: str) -> tuple[_Term, ...]:
    return tuple(
        _term(spelling, key, is_name=spelling == word.name)
        for key, word in words(lang).items()
        for spelling in (word.name, *word.synonyms)
    )


def _term(spelling: str, gift: str, *, is_name: bool) -> _Term:
    parts = [fold(part) for part in re.split(r"[\s'’-]+", _without_remark(spelling))]
    return _Term("".join(parts), (0, *accumulate(map(len, parts))), gift, is_name)


def _without_remark(text: str) -> str:
    """Return the word before a remark in brackets: Schloss of "Schloss (Burg)"."""
    return text.partition("(")[0].strip() or text


@cache
def _spellings(lang: str) -> dict[str, str]:
    """Return the gift of every folded name and synonym. Tests ensure that none has two."""
    return {fold(spelling): key for key, word in words(lang).items() for spelling in (word.name, *word.synonyms)}


@cache
def _wrong_spellings(lang: str) -> dict[str, frozenset[str]]:
    """Return the folded names of things that are no gifts, so that they are not taken for typos."""
    return {gift: frozenset(map(fold, names)) for gift, names in wrong_names(lang).items()}


@cache
def _refused(lang: str) -> frozenset[str]:
    """Return what names no gift for sure: other things, and generic words, whose synonyms have a remark."""
    return frozenset().union(*_wrong_spellings(lang).values(), _words_alone(lang) - set(_spellings(lang)))


@cache
def _words_alone(lang: str) -> frozenset[str]:
    return frozenset(term.text for term in _terms(lang))


@cache
def _names(lang: str) -> frozenset[str]:
    return frozenset(term.text for term in _terms(lang) if term.is_name)


def _is_wrong_name(query: str, lang: str) -> bool:
    """Tell whether a text is, or begins, the name of another thing, and thus no typo of a gift."""
    every = frozenset().union(*_wrong_spellings(lang).values())
    return any(name == query or (len(query) >= _DISTINCT and name.startswith(query)) for name in every)


def _queries(text: str, lang: str) -> tuple[str, ...]:
    """Return the folded text without its article, in German also with ae, oe, ue as umlauts."""
    typed = text.strip().lstrip("'’")
    first, *rest = re.split(r"[\s'’]+", typed, maxsplit=1)
    without_article = rest[0] if rest and first.casefold() in facts(lang).articles.split() and fold(rest[0]) else typed
    return tuple(_variants(fold(without_article), lang))


def _variants(folded: str, lang: str) -> Iterator[str]:
    if folded:
        yield folded
    umlauts = re.sub("([aou])e", r"\1", folded)
    if lang == "de" and umlauts != folded:
        yield umlauts


def _close_matches(typed: str, spellings: dict[str, str]) -> Iterable[tuple[int, str]]:
    """Yield distance and gift of all spellings within the typos that a claim allows."""
    measure = _typing_distance()

    single = _collapse_doubles(typed)
    for spelling, gift in spellings.items():
        other = _collapse_doubles(spelling)
        allowed = _allowed_typos(single, other, _TYPOS_IN_CLAIM)
        if allowed:
            distance = measure(single, other, score_cutoff=allowed)
            if distance <= allowed:
                yield distance, gift


def _allowed_typos(typed: str, spelling: str, limits: tuple[tuple[int, int, int], ...]) -> int:
    if typed[:1] != spelling[:1]:
        return 0
    shorter, longer = sorted((len(typed), len(spelling)))
    return next((typos for short, long, typos in limits if shorter >= short and longer >= long), 0)


def _collapse_doubles(folded: str) -> str:
    """Make double letters single, because most typos happen there: gittare, brocolli."""
    return re.sub(r"(.)\1", r"\1", folded)


def fold(text: str) -> str:
    """Remove case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(letter for letter in plain if letter.isalnum())


@cache
def _typing_distance() -> Callable[..., int]:
    """Return the measure of typos; raise `ModuleNotFoundError` with what to install if it is missing."""
    try:
        from rapidfuzz.distance import OSA
    except ModuleNotFoundError as missing:
        from notahat.optional_dependencies import install_command  # not packed for browsers

        message = f"forgiving typos needs {missing.name}: {install_command('terminal')}"
        raise ModuleNotFoundError(message, name=missing.name) from None
    return OSA.distance
