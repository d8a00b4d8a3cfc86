"""Why somebody is not welcome at a table: it is asked at the door, where a refused socket could not say so."""

from typing import Literal
from uuid import UUID

from notahat.table import permissions as against
from notahat.table.table import MOST_SEATS, Table

Unwelcome = Literal["removed", "no_spectators", "locked", "full"]


def welcome(table: Table, guest: UUID | None) -> Unwelcome | None:
    """Why somebody may not come in (`removed`, `no_spectators`) or may only watch (`locked`, `full`); else None.

    A guest whom nobody knows yet is welcomed like anybody who has never been here.
    """
    if against.anything(table, guest):
        return "removed"
    if guest is not None and at_home(table, guest):
        return None
    if table.stage != "lobby" and not table.options.spectators:
        return "no_spectators"
    if table.locked:
        return "locked"
    return "full" if len(table.seats) + len(table.waiting) >= MOST_SEATS else None


def may_watch(table: Table, guest: UUID) -> bool:
    """Whether somebody may be connected: not when removed, and to watch a match only where that is agreed."""
    return welcome(table, guest) not in ("removed", "no_spectators")


def at_home(table: Table, guest: UUID) -> bool:
    """The host, the big screen, whoever sits here or has left a seat, who waits for one, and who may have something to
    take back (`study`).
    """
    return (
        guest in (table.owner, table.host, table.screen)
        or any(seat.guest == guest for seat in table.seats)
        or table.waits(guest)
        or table.agrees(guest)
    )
