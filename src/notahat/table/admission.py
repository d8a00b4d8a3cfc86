"""Admission: the one policy for who may enter, watch or read a table, and for whom its code alone is enough."""

from typing import Literal
from uuid import UUID

from notahat.table.table import MOST_SEATS, Table

AdmissionLimit = Literal["removed", "no_spectators", "locked", "full"]
Entrance = Literal["connection", "story", "deck"]


def admission_limit(table: Table, guest: UUID | None) -> AdmissionLimit | None:
    """Return why a guest may not enter (`removed`, `no_spectators`) or may only watch (`locked`, `full`), or None.

    A guest without a token (None) is treated like a guest who has never been at this table.
    """
    if guest is not None and guest in table.removed:
        return "removed"
    if is_member(table, guest):
        return None
    if table.stage != "lobby" and not table.options.spectators:
        return "no_spectators"
    if table.locked:
        return "locked"
    return "full" if len(table.seats) + len(table.waiting) >= MOST_SEATS else None


def entry_limit(
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
    """Whether a guest is the host or the big screen, has, left or waits for a seat, or has agreed to the study.

    A guest who agreed must be able to come back and withdraw.
    """
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
    """Whether the code alone is enough for this guest: a member, or let in after a knock.

    A removed guest is told why they stay out.
    """
    return is_member(table, guest) or guest in table.removed or guest in table.admitted
