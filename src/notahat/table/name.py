"""Player names: validation, and numbers that tell similar names at one table apart."""

import unicodedata
from collections.abc import Collection

from notahat.gifts.hat_file import NameKeys
from notahat.gifts.invisible import is_invisible
from notahat.rules import Illegal
from notahat.table.table_reasons import TableReason

LONGEST_NAME = 20
MOST_CODE_POINTS = 60  # one visible character, such as a family emoji, may have a dozen code points

_JOINER = "\u200d"
_EMOJI = "\ufe0f"  # shows the character before it as an emoji
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_COMBINING = ("Mn", "Me")


def clean_name(name: str) -> str:
    """Return the name without invisible characters, single-spaced; raise `Illegal` if it is too short or too long."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name[:1000]) if _is_kept(c))
    cleaned = " ".join(kept.split()).strip(_JOINER)
    if not 1 <= visible_length(cleaned) <= LONGEST_NAME or len(cleaned) > MOST_CODE_POINTS:
        raise Illegal(TableReason.BAD_NAME, f"a name has 1 to {LONGEST_NAME} visible characters")
    return cleaned


def visible_length(name: str) -> int:
    """Count visible characters: combining marks and joined characters belong to the character before."""
    return sum(
        1
        for before, c in zip(" " + name, name, strict=False)
        if c != _JOINER and before != _JOINER and unicodedata.category(c) not in _COMBINING and not _is_skin_tone(c)
    )


def casefold_name_keys(name: str) -> frozenset[str]:
    return frozenset((name.casefold(),))


def folded_name_keys(name: str) -> frozenset[str]:
    """Return keys that are equal for names that differ only in case, width or invisible characters."""
    plain = unicodedata.normalize("NFKC", name).replace(_JOINER, "").replace(_EMOJI, "")
    return frozenset((name.casefold(), plain.casefold()))


def unique_name(name: str, others: Collection[str], name_keys: NameKeys = casefold_name_keys) -> str:
    """Return the name, with the first number that makes its keys differ from those of all others if necessary."""
    used = frozenset(key for other in others for key in name_keys(other))
    candidate, number = name, 1
    while not used.isdisjoint(name_keys(candidate)):
        number += 1
        candidate = f"{_shorten(name, len(str(number)) + 1)} {number}"
    return candidate


def _shorten(name: str, reserved: int) -> str:
    while visible_length(name) + reserved > LONGEST_NAME:
        name = name[:-1]
    return name.rstrip(_JOINER + " ")


def _is_kept(c: str) -> bool:
    if c in (_JOINER, _EMOJI) or c.isspace():
        return True
    return not is_invisible(c) and unicodedata.category(c) not in _INVISIBLE


def _is_skin_tone(c: str) -> bool:
    return "\U0001f3fb" <= c <= "\U0001f3ff"
