"""Admission: who may enter, watch or read a table. A big screen is neither player nor spectator: it has its own id."""

from typing import Literal
from uuid import UUID

from notahat.table.table import MOST_SEATS, Table

AdmissionLimit = Literal["removed", "no_spectators", "locked", "full"]
Entrance = Literal["connection", "story", "deck"]


def admission_limit(table: Table, guest: UUID | None) -> AdmissionLimit | None:
    """Return why a guest (None: a stranger) may not enter (`removed`, `no_spectators`), or only watch, or None."""
    if guest is not None and guest in table.removed:
        return "removed"
    if is_member(table, guest):
        return None
    if table.stage != "lobby" and not table.options.spectators:
        return "no_spectators"
    if table.locked:
        return "locked"
    return "full" if len(table.seats) + len(table.waiting) >= MOST_SEATS else None


def entrance_limit(
    table: Table, guest: UUID | None, by: Entrance
) -> Literal["removed", "no_guest", "no_spectators"] | None:
    """Return why a guest may not use an entrance, or None. Stories of a table with spectators are public."""
    limit = admission_limit(table, guest)
    if limit == "removed":
        return limit
    members_only = limit == "no_spectators" or (by == "story" and not table.options.spectators)
    if guest is None and (members_only or by != "story"):
        return "no_guest"
    return "no_spectators" if members_only and not is_member(table, guest) else None


def is_member(table: Table, guest: UUID | None) -> bool:
    """Whether a guest is host or big screen, has, left or waits for a seat, or may withdraw from a study."""
    return guest is not None and (
        guest in (table.owner, table.host, table.screen)
        or any(seat.guest == guest for seat in table.seats)
        or guest in table.waiting
        or guest in table.agreed
    )


def is_open(table: Table) -> bool:
    """Whether the code alone is enough for a stranger to enter."""
    return table.stage == "lobby" and not table.locked


def is_known(table: Table, guest: UUID) -> bool:
    """Whether the code alone is enough for this guest: a member, let in after a knock, or removed, to be told why."""
    return is_member(table, guest) or guest in table.removed or guest in table.admitted


_VERSION_SHIFT = 76  # position of a UUID's version field
_SCREEN_VERSION = 8  # the custom version of RFC 9562; guests have another one


def screen_id(guest: UUID) -> UUID:
    """Return the id under which a guest's browser is present while it only shows the table."""
    return UUID(int=guest.int & ~(0xF << _VERSION_SHIFT) | _SCREEN_VERSION << _VERSION_SHIFT)


def is_screen(id_: UUID) -> bool:
    return id_.int >> _VERSION_SHIFT & 0xF == _SCREEN_VERSION
