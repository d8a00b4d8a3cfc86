"""Admission: whether a guest may enter a table, and the reason if not."""

from typing import Literal
from uuid import UUID

from notahat.table.table import MOST_SEATS, Table

AdmissionLimit = Literal["removed", "no_spectators", "locked", "full"]


def admission_limit(table: Table, guest: UUID | None) -> AdmissionLimit | None:
    """Return why a guest may not enter (`removed`, `no_spectators`) or may only watch (`locked`, `full`), or None.

    A guest without a token (None) is treated like a guest who has never been at this table.
    """
    if guest in table.removed:
        return "removed"
    if guest is not None and is_member(table, guest):
        return None
    if table.stage != "lobby" and not table.options.spectators:
        return "no_spectators"
    if table.locked:
        return "locked"
    return "full" if len(table.seats) + len(table.waiting) >= MOST_SEATS else None


def is_member(table: Table, guest: UUID) -> bool:
    """Whether a guest is the host or the big screen, has, left or waits for a seat, or has agreed to the study.

    A guest who agreed must be able to come back and withdraw.
    """
    return (
        guest in (table.owner, table.host, table.screen)
        or any(seat.guest == guest for seat in table.seats)
        or table.is_waiting(guest)
        or table.has_agreed(guest)
    )
