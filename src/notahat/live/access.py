"""Access: who may enter, watch or read a table, and who needs only its code."""

from enum import StrEnum
from typing import Literal
from uuid import UUID

from notahat.table import Table, TableReason, admission_limit
from notahat.table.admission import is_member
from notahat.wire.reasons import ServerReason

Entrance = Literal["summary", "connection", "story", "deck", "deck upload"]


def may_enter(table: Table, guest: UUID | None, by: Entrance) -> StrEnum | None:
    """Return why a guest may not use an entrance, or None. The summary is public: it says what the guest may do."""
    if by == "summary":
        return None
    limit = admission_limit(table, guest)
    if limit == "removed":
        return TableReason.REMOVED
    members_only = limit == "no_spectators" or (by == "story" and not table.options.spectators)
    if guest is None and (members_only or by != "story"):
        return ServerReason.NO_GUEST
    if members_only and not (guest and is_member(table, guest)):
        return ServerReason.NO_SPECTATORS
    return None


def is_open(table: Table) -> bool:
    """Whether the code alone is enough for a stranger to enter."""
    return table.stage == "lobby" and not table.locked


def is_known(table: Table, guest: UUID) -> bool:
    """Whether the code alone is enough for this guest: a member, or let in after a knock.

    A removed guest is told why they stay out.
    """
    return is_member(table, guest) or guest in table.removed or guest in table.door.admitted
