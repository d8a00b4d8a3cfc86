"""Commands that prepare a table: its order of seats, options, deck, host and lock, and the start of a match."""

from collections.abc import Iterable, Mapping
from typing import Any

from notahat.gifts import Deck, DeckReason, Hat, deck_of
from notahat.rules import Illegal
from notahat.table import events as log
from notahat.table.commands.command import (
    NO_BOTS,
    NOT_HOST,
    ArrangingCommand,
    Context,
    HostCommand,
    May,
    OtherSeatCommand,
    Rejection,
    SystemCommand,
    require,
)
from notahat.table.events import Events
from notahat.table.options import Pace, TableReason, change_options
from notahat.table.table import MOST_DECKS

_TOO_MANY_DECKS = Rejection(TableReason.ENOUGH_DECKS, f"at most {MOST_DECKS} decks per table")


class SetOptions(ArrangingCommand, frozen=True):
    """Change options; those left out stay."""

    options: Mapping[str, Any]

    def events(self, ctx: Context) -> Events:
        options = change_options(ctx.table.options, self.options)
        if options.claims == "spoken" and any(seat.guest is None for seat in ctx.table.seats):
            require(NO_BOTS)
        return (log.OptionsSet(options),)


class SetPace(HostCommand, frozen=True):
    """Change the pace, also during a match."""

    pace: Pace

    def events(self, ctx: Context) -> Events:
        changed = change_options(ctx.table.options, {"pace": self.pace})
        return (log.OptionsSet(changed),) if changed != ctx.table.options else ()


class PutDeck(ArrangingCommand, frozen=True):
    """Play with an own deck of the catalogue's gifts; null returns to the edition. Own gifts are uploaded as a file."""

    deck: Hat | None

    def rejection(self, ctx: Context) -> Rejection | None:
        return ctx.arranging() if self.deck is None else new_deck_rejection(ctx)

    def events(self, ctx: Context) -> Events:
        if self.deck is None:
            return (log.DeckPut(None),) if ctx.table.deck is not None else ()
        if self.deck.own:
            raise Illegal(DeckReason.PICTURE, "upload a deck with own gifts: POST /api/tables/{code}/deck")
        return (log.DeckPut(deck_of(self.deck, ctx.name_keys)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return () if new_deck_rejection(ctx) else (May("put_deck"),)


def new_deck_rejection(ctx: Context) -> Rejection | None:
    return ctx.arranging() or (_TOO_MANY_DECKS if ctx.table.decks >= MOST_DECKS else None)


class UploadDeck(SystemCommand, frozen=True):
    """Play with an uploaded deck, which the driver has validated; without one, ask whether a guest may upload one."""

    deck: Deck | None

    def events(self, ctx: Context) -> Events:
        require(new_deck_rejection(ctx))
        return () if self.deck is None else (log.DeckPut(self.deck),)


class HandOver(OtherSeatCommand, frozen=True):
    """Make another player the host."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.is_host:
            return NOT_HOST
        if ctx.table.deputy is not None:
            return Rejection(TableReason.NOT_HOST, "a deputy cannot hand over the host's role")
        if rejection := ctx.existing_seat(self.seat):
            return rejection
        to = ctx.table.seats[self.seat]
        if to.guest is None or to.gone:
            return Rejection(TableReason.NOT_A_PERSON, "only a person who plays here can be host")
        return Rejection(TableReason.NOT_A_PERSON, "you are the host") if to.guest == ctx.guest else None

    def events(self, ctx: Context) -> Events:
        guest = ctx.table.seats[self.seat].guest
        assert guest is not None, "the permission allowed a computer player as host"
        return (log.HandedOver(guest),)


class Lock(HostCommand, frozen=True):
    """Close the table to new players, or open it again."""

    locked: bool

    def events(self, ctx: Context) -> Events:
        return (log.LockTurned(self.locked),)


class PassHost(SystemCommand, frozen=True):
    """Give the role of an absent host to a deputy who is present."""

    def events(self, ctx: Context) -> Events:
        if ctx.table.host in ctx.present:
            raise Illegal(TableReason.NOT_AWAY, "the host is present")
        candidates = ctx.table.host_candidates(ctx.present)
        if not candidates:
            raise Illegal(TableReason.NOT_A_PERSON, "no player is present to take the host's role")
        return (log.HostPassed(candidates[0]),)


class ReturnHost(SystemCommand, frozen=True):
    """Return the role to a host who is present again."""

    def events(self, ctx: Context) -> Events:
        if ctx.table.deputy is None or ctx.table.owner not in ctx.present:
            raise Illegal(TableReason.NOT_AWAY, "the host is away, or has the role already")
        return (log.HostReturned(),)
