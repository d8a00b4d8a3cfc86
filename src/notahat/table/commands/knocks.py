"""Commands about strangers who knock at a running table (decision 0014). They learn nothing but being let in."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import structs

from notahat.rules import Illegal
from notahat.table import events as log
from notahat.table.admission import is_known
from notahat.table.commands.command import NOT_SEATED, Context, GuestCommand, May, Rejection, SystemCommand
from notahat.table.commands.seats import seat_rejection
from notahat.table.events import Events
from notahat.table.options import TableReason
from notahat.table.people import clean_name, unique_name
from notahat.table.table import Table

MOST_WAITING = 3  # at once, per table
MOST_PER_DEAL = 12  # as the log keeps each of them
KNOCK_SECONDS = 60


class AnswerKnock(GuestCommand, frozen=True):
    """Let a stranger who knocks in, to watch and to play from the next round on; or do not."""

    name: str
    admit: bool

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.held:
            return NOT_SEATED
        return None if ctx.table.knocks else Rejection(TableReason.NOT_KNOCKING, "no guest knocks")

    def events(self, ctx: Context) -> Events:
        """A guest who is let in waits for a seat if one is free."""
        table = ctx.table
        guest = next((guest for guest, knocking in table.knocks.items() if knocking.name == self.name), None)
        if guest is None:
            raise Illegal(TableReason.NOT_KNOCKING, "no guest of that name knocks")
        answered = log.KnockAnswered(guest, self.admit)
        if not self.admit or seat_rejection(structs.replace(ctx, by=guest)):
            return (answered,)
        return (answered, log.Queued(guest, unique_name(self.name, _other_names(table, guest), ctx.name_keys)))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        if ctx.held and ctx.table.knocks:
            yield May("answer_knock", names=tuple(one.name for one in ctx.table.knocks.values()))


class Knock(SystemCommand, frozen=True):
    """Tell the players that a stranger knocks. A stranger has no connection, so the driver reports it."""

    guest: UUID
    name: str

    def events(self, ctx: Context) -> Events:
        """Record the knock under a name that no other person at the table has, or nothing."""
        if not is_heard(ctx.table, self.guest, ctx.present):
            return ()
        name = unique_name(clean_name(self.name), _other_names(ctx.table, self.guest), ctx.name_keys)
        return (log.Knocked(self.guest, name),)


class ExpireKnock(SystemCommand, frozen=True):
    """Forget a stranger whom no player has answered."""

    guest: UUID

    def events(self, ctx: Context) -> Events:
        return (log.KnockAnswered(self.guest, None),) if self.guest in ctx.table.knocks else ()


def is_heard(table: Table, guest: UUID, present: frozenset[UUID]) -> bool:
    """Return whether a knock is shown to the players. Only the players can tell."""
    running = table.stage != "lobby" and table.day is None and table.options.spectators and not table.locked
    known = is_known(table, guest) or guest in table.declined or guest in table.knocks
    room = len(table.knocks) < MOST_WAITING and table.knocks_heard < MOST_PER_DEAL
    return running and not known and room and bool(table.present_players(present))


def _other_names(table: Table, guest: UUID) -> list[str]:
    """Return the names of all other people at the table, and of those who knock."""
    return [*table.names, *(one.name for other, one in table.knocks.items() if other != guest)]
