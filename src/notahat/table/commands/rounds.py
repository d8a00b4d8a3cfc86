"""Commands that deal, begin, stop and end rounds and matches."""

from collections.abc import Iterable
from random import Random
from uuid import UUID

from notahat.rules import Illegal, Reason
from notahat.table import events as log
from notahat.table.commands.command import (
    NOT_HOST,
    NOT_SEATED,
    OF_THE_DAY,
    Context,
    GuestCommand,
    May,
    OtherSeatCommand,
    OwnSeatCommand,
    Rejection,
    SystemCommand,
    require,
)
from notahat.table.events import Events
from notahat.table.evolve import evolve
from notahat.table.options import TableReason
from notahat.table.table import FEWEST_SEATS, Table


class Start(GuestCommand, frozen=True):
    """Start the match, or the next round without waiting until all are ready."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.is_host and ctx.guest != ctx.table.screen:
            return NOT_HOST
        if ctx.stage == "between":
            return None
        if ctx.stage != "lobby":
            return Rejection(TableReason.MATCH_RUNNING, "a match is running")
        if len(ctx.table.seats) < FEWEST_SEATS:
            return Rejection(Reason.TOO_FEW_PLAYERS, f"a match needs at least {FEWEST_SEATS} players")
        return ctx.enough_cards(len(ctx.table.seats))

    def events(self, ctx: Context) -> Events:
        rng = ctx.rng()
        return first_round(ctx.table, rng) if ctx.table.match is None else next_round(ctx.table, ctx.present, rng)


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


class Pause(GuestCommand, frozen=True):
    """Pause the match and its clock."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.held:
            return NOT_SEATED
        if rejection := ctx.in_stage("play"):
            return rejection
        return Rejection(TableReason.PAUSED, "the game is paused already") if ctx.table.paused else None

    def events(self, ctx: Context) -> Events:
        return (log.Paused(ctx.held[0]),)


class Resume(GuestCommand, frozen=True):
    """End a pause."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if not ctx.held:
            return NOT_SEATED
        return None if ctx.table.paused else Rejection(TableReason.NOT_PAUSED, "the game is not paused")

    def events(self, ctx: Context) -> Events:
        return (log.Resumed(ctx.held[0]),)


class EndMatch(GuestCommand, frozen=True):
    """End the match early."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return ctx.running_match() if ctx.is_host else NOT_HOST

    def events(self, ctx: Context) -> Events:
        return (log.MatchEnded(),)


class CallOff(SystemCommand, frozen=True):
    """End a match that only computer players play: it might never end (9.6)."""

    def events(self, ctx: Context) -> Events:
        require(ctx.running_match())
        if not all(seat.played_by_bot for seat in ctx.table.seats):
            raise Illegal(TableReason.MATCH_RUNNING, "a person still plays")
        return (log.MatchEnded(),)


class Again(GuestCommand, frozen=True):
    """Return to the lobby after a match; with `deal`, vote for another match, which all present players decide."""

    deal: bool = False

    def rejection(self, ctx: Context) -> Rejection | None:
        takes_part = ctx.is_host or ctx.held or ctx.guest in ctx.table.waiting or ctx.shows_the_room
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
    """Play the next match without a player who is absent, or does not answer."""

    def rejection(self, ctx: Context) -> Rejection | None:
        """Players decide about absent ones, a host who wants another match about present ones without answer, too."""
        before: GuestCommand = Start() if ctx.stage == "lobby" else Again()
        if rejection := before.rejection(ctx) or ctx.existing_seat(self.seat):
            return rejection
        table, again = ctx.table, ctx.table.again
        awaited = table.absent_players(ctx.present)
        if ctx.is_host and any(seat in again for seat in ctx.held):
            awaited += tuple(seat for seat in table.present_players(ctx.present) if seat not in again)
        return None if self.seat in awaited else Rejection(TableReason.NOT_AWAY, "nobody waits for this player")

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


def first_round(table: Table, rng: Random) -> Events:
    options, seats = table.options, len(table.seats)
    starter = rng.randrange(seats) if options.starter == "random" else options.starter
    return (log.Started(table.gifts_each(seats), options.rounds, starter), _deal(table, seats, rng))


def next_round(table: Table, present: frozenset[UUID], rng: Random, seats: int | None = None) -> Events:
    """Deal the next round, with the waiting guests who are present (8.3)."""
    joining = tuple(guest for guest in table.waiting if guest in present)
    seats = (len(table.seats) if seats is None else seats) + len(joining)
    dealt_in = (log.DealtIn(joining, table.gifts_each(seats)),) if joining else ()
    return (*dealt_in, _deal(table, seats, rng))


def next_match(table: Table, present: frozenset[UUID], rng: Random) -> Events:
    """Deal the next match without waiting guests who are away, or return to the lobby if too few players are left."""
    away = (log.Unqueued(guest) for guest in table.waiting if guest not in present)
    events: Events = (*away, log.WentAgain())
    for event in events:
        table = evolve(table, event, table.at)
    return events if len(table.seats) < FEWEST_SEATS else (*events, *first_round(table, rng))


def _deal(table: Table, seats: int, rng: Random) -> log.Dealt:
    deck = list(table.cards)
    rng.shuffle(deck)
    return log.Dealt(tuple(deck), tuple(rng.getrandbits(63) for _ in range(seats)))
