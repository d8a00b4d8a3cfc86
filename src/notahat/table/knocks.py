"""Knocking at a running table: who waits for an answer, and who was let in. Decision 0014.

A stranger who knows only the code of a running table knocks. Any seated player may answer. The stranger learns nothing
but being let in.
"""

from uuid import UUID

from msgspec import structs

from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table import events as log
from notahat.table import permissions
from notahat.table.events import Events
from notahat.table.name import clean_name, unique_name
from notahat.table.permissions import GuestContext, Rejection, require
from notahat.table.table import Door, Knocking, Table
from notahat.table.table_reasons import TableReason

MOST_WAITING = 3  # at once, per table
MOST_PER_DEAL = 12  # as the log keeps each of them
MOST_ADMITTED = 32  # the last ones
KNOCK_SECONDS = 60


def is_heard(table: Table, guest: UUID, present: frozenset[UUID]) -> bool:
    """Return whether a knock is shown to the players. Only the players can tell."""
    door = table.door
    running = table.stage != "lobby" and table.day is None and table.options.spectators and not table.locked
    known = guest in table.removed or guest in door.declined or any(one.guest == guest for one in door.knocks)
    room = len(door.knocks) < MOST_WAITING and door.heard < MOST_PER_DEAL
    return running and not known and room and bool(table.present_players(present))


def knock(table: Table, command: do.Knock, issued: do.IssuedCommand) -> Events:
    """Record a knock under a name that no other person at the table has, or nothing."""
    if not is_heard(table, command.guest, issued.present):
        return ()
    name = unique_name(clean_name(command.name), _names(table, command.guest), issued.name_keys)
    return (log.Knocked(command.guest, name),)


def answer_knock(ctx: GuestContext, command: do.AnswerKnock) -> Events:
    """Let a guest in, who then waits for a seat if one is free; or do not."""
    require(permissions.answer_knock(ctx))
    table = ctx.table
    found = next((one for one in table.door.knocks if one.name == command.name), None)
    if found is None:
        raise Illegal(TableReason.NOT_KNOCKING, "no guest of that name knocks")
    answered = log.KnockAnswered(found.guest, command.admit)
    if not command.admit or _seat_rejection(ctx, found.guest):
        return (answered,)
    name = unique_name(found.name, _names(table, found.guest), ctx.name_keys)
    return (answered, log.Queued(found.guest, name))


def expire_knock(table: Table, command: do.ExpireKnock) -> Events:
    knocking = any(one.guest == command.guest for one in table.door.knocks)
    return (log.KnockAnswered(command.guest, None),) if knocking else ()


def evolve_knocked(table: Table, event: log.Knocked, at: float) -> Table:
    door = table.door
    knocks = (*door.knocks, Knocking(event.guest, event.name, at))
    return structs.replace(table, door=structs.replace(door, knocks=knocks, heard=door.heard + 1))


def evolve_answered(table: Table, event: log.KnockAnswered) -> Table:
    door = table.door
    door = structs.replace(door, knocks=tuple(one for one in door.knocks if one.guest != event.guest))
    if event.admitted:
        door = structs.replace(door, admitted=(*door.admitted, event.guest)[-MOST_ADMITTED:])
    elif event.admitted is False:
        door = structs.replace(door, declined=(*door.declined, event.guest))
    return structs.replace(table, door=door)


def reset_counts(table: Table) -> Table:
    """Forget at a deal how many have knocked and who was declined."""
    door = table.door
    return structs.replace(table, door=Door(door.knocks, admitted=door.admitted)) if door.heard else table


def _seat_rejection(ctx: GuestContext, guest: UUID) -> Rejection | None:
    return permissions.sit(permissions.guest_context(ctx.table, guest, ctx.present, ctx.away, ctx.name_keys))


def _names(table: Table, guest: UUID) -> list[str]:
    """Return the names of all other people at the table and its door."""
    knocking = [one.name for one in table.door.knocks if one.guest != guest]
    return [seat.name for seat in table.seats] + [waiting.name for waiting in table.waiting] + knocking
