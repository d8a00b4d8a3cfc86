"""Faces: each person at a table has one of sixteen drawn faces, and no two have the same."""

from collections.abc import Collection
from zlib import crc32

from notahat.rules import Illegal
from notahat.table.table import Table
from notahat.table.table_reasons import TableReason

# named after their hats; web/src/ui/faces.ts draws them
FACES = (
    "beret",
    "bicorne",
    "boater",
    "bobble",
    "bonnet",
    "bowler",
    "chef",
    "cowboy",
    "deerstalker",
    "fez",
    "jester",
    "mortarboard",
    "nightcap",
    "sailor",
    "ushanka",
    "wizard",
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
