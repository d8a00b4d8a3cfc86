"""A big screen that shows a table: it is part of the room, and nobody who watches."""

from uuid import UUID

_VERSION = 76  # where a UUID says of which kind it is
_OWN = 8  # the kind whose meaning is one's own (RFC 9562); guests are of another


def screen_of(guest: UUID) -> UUID:
    """Who is here when somebody's browser shows a table to a room. The somebody is not: nobody can act on a wall."""
    return UUID(int=guest.int & ~(0xF << _VERSION) | _OWN << _VERSION)


def is_screen(who: UUID) -> bool:
    return who.int >> _VERSION & 0xF == _OWN
