"""Commands become events, or are refused. The guest comes from the connection, never from the command itself."""

from uuid import UUID

from msgspec import structs

from notahat.rules import Refuse
from notahat.table.commands import GUEST_COMMANDS, GuestCommands
from notahat.table.commands.command import Command, Context, GuestCommand, May, Rejection, require
from notahat.table.events import CrowdVoted, Entry, Opened, Played
from notahat.table.evolve import Step, steps
from notahat.table.options import NEW_TABLE, TableReason, change_options
from notahat.table.table import Table

_REMOVED = Rejection(TableReason.REMOVED, "the host removed you from this table")


def open_table(
    code: str,
    host: UUID,
    options: dict[str, object],
    at: float,
    screen: bool = False,
    study: bool = False,
    probe: float = 0.0,
) -> Entry:
    """Return the first entry of a table's log; raise `Illegal` for invalid options."""
    return Entry(at, (Opened(code, host, change_options(NEW_TABLE, options), screen, study=study, probe=probe),))


def decide(ctx: Context, command: Command) -> tuple[Entry, tuple[Step, ...]]:
    """Return the entry of a command and its steps, which play the move; raise `Illegal` if it is refused."""
    table = ctx.table
    if ctx.by in table.removed:
        require(_REMOVED)
    if isinstance(command, GuestCommand):
        ctx = _present(ctx, ctx.guest)
        require(command.rejection(ctx))
    events = command.events(ctx)
    if ctx.votes is not None and any(isinstance(one, Played) and isinstance(one.move, Refuse) for one in events):
        events = (*events, CrowdVoted(ctx.votes.believed, ctx.votes.doubted))
    entry = Entry(max(ctx.at, table.at), events)
    return entry, steps(table, entry)


def may(
    table: Table,
    guest: UUID,
    present: frozenset[UUID],
    away: frozenset[UUID] = frozenset(),
    idle_seat: int | None = None,
    commands: GuestCommands = GUEST_COMMANDS,
) -> tuple[May, ...]:
    """Return which commands a guest may send now. Of guests `away` for long and an `idle_seat` others may take care."""
    if guest in table.removed:
        return ()
    ctx = _present(Context(table, guest, present=present, away=away, idle_seat=idle_seat), guest)
    return tuple(one for command in commands for one in command.offers(ctx))


def _present(ctx: Context, guest: UUID) -> Context:
    """A guest who sends a command is present."""
    return ctx if guest in ctx.present else structs.replace(ctx, present=ctx.present | {guest})
