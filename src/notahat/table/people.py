"""People at a table: names that can be told apart, and sixteen drawn faces, of which no two have the same."""

import unicodedata
from collections.abc import Collection
from zlib import crc32

from notahat.gifts.hat_file import NameKeys
from notahat.gifts.word import is_invisible
from notahat.rules import Illegal
from notahat.table.options import TableReason
from notahat.table.table import Table

LONGEST_NAME = 20
MOST_CODE_POINTS = 60  # one visible character, such as a family emoji, may have a dozen code points

_JOINER = "\u200d"
_EMOJI = "\ufe0f"  # shows the character before it as an emoji
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_COMBINING = ("Mn", "Me")
_SKIN_TONES = "🏻🏼🏽🏾🏿"


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
        if _JOINER not in (c, before) and unicodedata.category(c) not in _COMBINING and c not in _SKIN_TONES
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
        while visible_length(name) + len(f" {number}") > LONGEST_NAME:
            name = name[:-1]
        candidate = f"{name.rstrip(_JOINER + ' ')} {number}"
    return candidate


def _is_kept(c: str) -> bool:
    if c in (_JOINER, _EMOJI) or c.isspace():
        return True
    return not is_invisible(c) and unicodedata.category(c) not in _INVISIBLE


# named after their hats; web/src/ui/inkDrawings.json has the drawings
FACES = (
    *["beret", "bicorne", "boater", "bobble", "bonnet", "bowler", "chef", "cowboy"],
    *["deerstalker", "fez", "jester", "mortarboard", "nightcap", "sailor", "ushanka", "wizard"],
)


def faces_taken(table: Table) -> tuple[str, ...]:
    """Return the faces of all people who have a seat or wait for one."""
    faces = (*(seat.face for seat in table.seats), *(seat.face for seat in table.waiting.values()))
    return tuple(face for face in faces if face is not None)


def free_face(wanted: str | None, name: str, taken: Collection[str]) -> str:
    """Return the wanted face if it is free, else the first free one from a start that follows from the name."""
    if wanted is not None and wanted not in taken:
        return wanted
    start = crc32(name.encode()) % len(FACES)
    return next(face for face in (*FACES[start:], *FACES[:start]) if face not in taken)


def known_face(face: str) -> str:
    """Return the face; raise `Illegal` if there is none of that name."""
    if face not in FACES:
        raise Illegal(TableReason.UNKNOWN_FACE, f"the faces are {', '.join(FACES)}")
    return face
