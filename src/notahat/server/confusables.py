"""Letters that look like others, as the Unicode security mechanisms list them (UTS 39), for names at one table."""

import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs.confusables import confusables_data

from notahat.table.name import folded

MOST_REMEMBERED = 4096


@lru_cache(MOST_REMEMBERED)
def looks(name: str) -> frozenset[str]:
    """What a name could be read as; two names that have one of these in common look alike."""
    plain = unicodedata.normalize("NFKC", name)
    return folded(name) | {*(word for read in (plain, plain.casefold()) for word in folded(_drawn(read)))}


def _drawn(word: str) -> str:
    """A word in which every letter is the first of all that look like it."""
    first = _first_of_all()
    drawn = "".join(first.get(letter, letter) for letter in word)
    return drawn.replace("rn", "m").replace("vv", "w")


@cache
def _first_of_all() -> dict[str, str]:
    """For each letter the plainest of those that look like it."""
    found: dict[str, str] = {}
    for letter in confusables_data:
        if len(letter) == 1 and letter not in found:
            together = _together(letter)
            plainest = min(together, key=ord)
            found |= dict.fromkeys(together, plainest)
    return found


def _together(letter: str) -> set[str]:
    """All letters that look like one, and those that look like these."""
    seen, open_ = {letter}, [letter]
    while open_:
        for other in confusables_data.get(open_.pop(), ()):
            alike = other["c"].strip("\u200e")
            if len(alike) == 1 and alike not in seen:
                seen.add(alike)
                open_.append(alike)
    return seen
