"""What people are called: 1 to 20 visible characters, and nobody at a table like anybody else."""

import unicodedata
from collections.abc import Collection

from notahat.rules import Illegal
from notahat.table.illegal import TableReason

LONGEST_NAME = 20
# A family emoji is one visible character of up to a dozen code points; nobody needs more than this of them.
MOST_CODE_POINTS = 60

_JOINER = "\u200d"
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


def unique(name: str, others: Collection[str]) -> str:
    """The name itself, or with the first number that makes it different from all others'."""
    taken = {other.casefold() for other in others}
    candidate, number = name, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{_cut(name, len(str(number)) + 1)} {number}"
    return candidate


def _cut(name: str, room: int) -> str:
    while visible(name) + room > LONGEST_NAME:
        name = name[:-1]
    return name.rstrip(_JOINER + " ")


def _stays(c: str) -> bool:
    return c == _JOINER or c.isspace() or unicodedata.category(c) not in _INVISIBLE


def _is_tone(c: str) -> bool:
    """A skin tone colours the emoji before it."""
    return "\U0001f3fb" <= c <= "\U0001f3ff"
