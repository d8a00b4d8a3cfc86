"""Identity of a big screen that shows a table: it is present, but neither a player nor a spectator."""

from uuid import UUID

_VERSION_SHIFT = 76  # position of a UUID's version field
_SCREEN_VERSION = 8  # the custom version of RFC 9562; guests have another one


def screen_id(guest: UUID) -> UUID:
    """Return the id under which a guest's browser is present while it only shows the table."""
    return UUID(int=guest.int & ~(0xF << _VERSION_SHIFT) | _SCREEN_VERSION << _VERSION_SHIFT)


def is_screen(id_: UUID) -> bool:
    return id_.int >> _VERSION_SHIFT & 0xF == _SCREEN_VERSION
