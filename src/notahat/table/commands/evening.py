"""Commands around the rounds of an evening: emotes, being ready, and the next match."""

from collections.abc import Iterable

from notahat.rules import Illegal
from notahat.table import events as log
from notahat.table.commands.command import (
    NOT_SEATED,
    OF_THE_DAY,
    Context,
    GuestCommand,
    May,
    OtherSeatCommand,
    OwnSeatCommand,
    Rejection,
    SystemCommand,
    offer,
    require,
)
from notahat.table.commands.deal import next_match, next_round
from notahat.table.commands.setup import Start
from notahat.table.events import Events
from notahat.table.evolve import evolve
from notahat.table.table import EMOTES, MOST_APPLAUSE, MOST_EMOTES
from notahat.table.table_reasons import TableReason

_TOO_MANY_EMOTES = Rejection(TableReason.ENOUGH_FACES, f"at most {MOST_EMOTES} emotes until the next deal")


class Emote(OwnSeatCommand, frozen=True):
    """Send an emote."""

    emote: str

    def rejection(self, ctx: Context) -> Rejection | None:
        """Players may always send emotes, spectators if the options allow applause; both up to a limit."""
        table = ctx.table
        if not ctx.held and self.seat is None and table.options.applause:
            return _TOO_MANY_EMOTES if table.applause >= MOST_APPLAUSE else None
        if rejection := ctx.own_seat(self.seat):
            return rejection
        sender = table.seats[self.from_seat(ctx)]
        return _TOO_MANY_EMOTES if sender.emotes >= MOST_EMOTES else None

    def events(self, ctx: Context) -> Events:
        if self.emote not in EMOTES:
            raise Illegal(TableReason.UNKNOWN_EMOTE, f"the emotes are {', '.join(EMOTES)}")
        if not ctx.held:
            return (log.Applauded(self.emote),)
        return (log.Emoted(self.from_seat(ctx), self.emote),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        if not ctx.held:
            return offer(ctx, cls(""))
        return (one for one in super().offers(ctx) if cls("", seat=one.seat).rejection(ctx) is None)


class Ready(OwnSeatCommand, frozen=True):
    """Be ready for the next round, or for a computer player's first draw; without `seat`, all seats of this device."""

    def rejection(self, ctx: Context) -> Rejection | None:
        """Also allowed after the last round, to confirm its verdict."""
        wanted = ctx.table.is_first_look or (ctx.stage == "over" and ctx.table.correctable)
        return (None if wanted else ctx.in_stage("between")) or ctx.own_seat(self.seat)

    def events(self, ctx: Context) -> Events:
        table = ctx.table
        seats = ctx.held if self.seat is None else (self.seat,)
        newly_ready = tuple(seat for seat in seats if seat not in table.ready)
        missing = set(table.present_players(ctx.present)) - set(table.ready) - set(newly_ready)
        events = tuple(log.WasReady(seat) for seat in newly_ready)
        if missing or ctx.stage != "between":
            return events
        return (*events, *next_round(table, ctx.present, ctx.rng()))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        wanted = cls().rejection(ctx) is None
        return (one for one in super().offers(ctx) if one.seat not in ctx.table.ready) if wanted else ()


class Again(GuestCommand, frozen=True):
    """Return to the lobby after a match. With `deal`, vote for another match instead: it is dealt when all players who
    are present have voted.
    """

    deal: bool = False

    def rejection(self, ctx: Context) -> Rejection | None:
        takes_part = ctx.is_host or ctx.held or ctx.table.is_waiting(ctx.guest) or ctx.shows_the_room
        if not takes_part:
            return NOT_SEATED
        if ctx.table.day is not None:
            return OF_THE_DAY
        return ctx.in_stage("over")

    def events(self, ctx: Context) -> Events:
        if not self.deal:
            return (log.WentAgain(),)
        table, rng = ctx.table, ctx.rng()
        if ctx.shows_the_room:  # the people in the room decide in front of it
            nobody_plays = table.absent_players(ctx.present) or not table.present_players(ctx.present)
            return (log.WentAgain(),) if nobody_plays else next_match(table, ctx.present, rng)
        require(ctx.own_seat(None))
        new_votes = tuple(seat for seat in ctx.held if seat not in table.again)
        events = tuple(log.WantedAgain(seat) for seat in new_votes)
        missing = set(table.present_players(ctx.present)) - set(table.again) - set(new_votes)
        if missing or table.absent_players(ctx.present):
            return events
        return (*events, *next_match(table, ctx.present, rng))


class PlayWithout(OtherSeatCommand, frozen=True):
    """Play the next match without an absent player."""

    def rejection(self, ctx: Context) -> Rejection | None:
        """After a match every player may decide about an absent one, in the lobby the one who starts."""
        before: GuestCommand = Start() if ctx.stage == "lobby" else Again()
        if rejection := before.rejection(ctx) or ctx.existing_seat(self.seat):
            return rejection
        if self.seat in ctx.table.absent_players(ctx.present):
            return None
        return Rejection(TableReason.NOT_AWAY, "the player is present, or has left")

    def events(self, ctx: Context) -> Events:
        """The next match is dealt if all others have voted for it."""
        out = (log.LeftOut(self.seat), *_replace_absent_host(ctx, self.seat))
        after = ctx.table
        for event in out:
            after = evolve(after, event, after.at)
        if not after.all_want_another(ctx.present):
            return out
        return (*out, *next_match(after, ctx.present, ctx.rng()))


def _replace_absent_host(ctx: Context, number: int) -> Events:
    """Pass the role of a left out host to a player who is present."""
    table = ctx.table
    others = [guest for guest in table.host_candidates(ctx.present) if guest != table.owner]
    is_last_seat = table.seats_of(table.owner) == (number,)
    return (log.HandedOver(others[0]),) if is_last_seat and others else ()


class DealNext(SystemCommand, frozen=True):
    """Deal the next round, or the next match, as all players who are present are ready."""

    def events(self, ctx: Context) -> Events:
        table, rng = ctx.table, ctx.rng()
        if table.stage == "over" and table.all_want_another(ctx.present):
            return next_match(table, ctx.present, rng)
        require(ctx.in_stage("between"))
        if not table.all_ready(ctx.present):
            raise Illegal(TableReason.NOT_READY, "a player who is present is not ready")
        return next_round(table, ctx.present, rng)
