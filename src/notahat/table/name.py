"""What people are called: 1 to 20 visible characters, and nobody at a table like anybody else."""

import unicodedata
from collections.abc import Callable, Collection

from notahat.rules import Illegal
from notahat.table.illegal import TableReason

LONGEST_NAME = 20
# A family emoji is one visible character of up to a dozen code points; nobody needs more than this of them.
MOST_CODE_POINTS = 60

_JOINER = "\u200d"
_EMOJI = "\ufe0f"  # shows the character before it as an emoji
# letters and marks that nobody sees: fillers, the blank of braille, joiners of marks, and selectors of variants
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_SELECTORS = (("\ufe00", "\ufe0e"), ("\U000e0100", "\U000e01ef"))
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_ADDED = ("Mn", "Me")


def tidy(name: str) -> str:
    """A name without invisible characters, single-spaced; raises `Illegal` if too little or too much is left."""
    seen = "".join(c for c in unicodedata.normalize("NFC", name[:1000]) if _stays(c))
    tidied = " ".join(seen.split()).strip(_JOINER)
    if not 1 <= visible(tidied) <= LONGEST_NAME or len(tidied) > MOST_CODE_POINTS:
        raise Illegal(TableReason.BAD_NAME, f"a name has 1 to {LONGEST_NAME} visible characters")
    return tidied


def visible(name: str) -> int:
    """How many characters people see: marks and what a joiner joins belong to the character before."""
    return sum(
        1
        for before, c in zip(" " + name, name, strict=False)
        if c != _JOINER and before != _JOINER and unicodedata.category(c) not in _ADDED and not _is_tone(c)
    )


Looks = Callable[[str], frozenset[str]]


def cased(name: str) -> frozenset[str]:
    return frozenset((name.casefold(),))


def folded(name: str) -> frozenset[str]:
    """What a name looks like: capitals, wide letters and what nobody sees make no difference."""
    plain = unicodedata.normalize("NFKC", name).replace(_JOINER, "").replace(_EMOJI, "")
    return frozenset((name.casefold(), plain.casefold()))


def unique(name: str, others: Collection[str], looks: Looks = cased) -> str:
    """The name itself, or with the first number that makes it look different from all others'."""
    taken = frozenset(look for other in others for look in looks(other))
    candidate, number = name, 1
    while not taken.isdisjoint(looks(candidate)):
        number += 1
        candidate = f"{_cut(name, len(str(number)) + 1)} {number}"
    return candidate


def _cut(name: str, room: int) -> str:
    while visible(name) + room > LONGEST_NAME:
        name = name[:-1]
    return name.rstrip(_JOINER + " ")


def _stays(c: str) -> bool:
    if c in _BLANK or any(first <= c <= last for first, last in _SELECTORS):
        return False
    return c == _JOINER or c.isspace() or unicodedata.category(c) not in _INVISIBLE


def _is_tone(c: str) -> bool:
    """A skin tone colours the emoji before it."""
    return "\U0001f3fb" <= c <= "\U0001f3ff"
