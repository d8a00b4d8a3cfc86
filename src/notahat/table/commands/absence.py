"""Commands about pauses and absent players: stand-ins, moves for others, and the early end of a match."""

from collections.abc import Iterable
from typing import get_args

from notahat import rules
from notahat.rules import Illegal, Reason
from notahat.table import events as log
from notahat.table.commands.command import (
    NO_BOTS,
    NOT_HOST,
    NOT_SEATED,
    AbsentMove,
    Context,
    GuestCommand,
    May,
    OtherSeatCommand,
    OwnSeatCommand,
    Rejection,
    SystemCommand,
    require,
)
from notahat.table.commands.deal import next_round
from notahat.table.commands.moves import played
from notahat.table.events import Events
from notahat.table.table import FEWEST_SEATS, MOST_STALLS, STAND_IN_LEVEL
from notahat.table.table_reasons import TableReason

_BOTS_CAN_PLAY = Rejection(TableReason.BOTS_CAN_PLAY, "a computer player can sit in at this table")


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


class SitIn(OtherSeatCommand, frozen=True):
    """Let a computer player play for an absent player until they are back; or for a present one who has stalled the
    table before, until they act.
    """

    def rejection(self, ctx: Context) -> Rejection | None:
        absent = None if self._has_stalled(ctx) else _not_absent(ctx, self.seat)
        return absent or (NO_BOTS if ctx.table.spoken else None)

    def events(self, ctx: Context) -> Events:
        idle = ctx.table.seats[self.seat].guest in ctx.present
        return (log.SatIn(self.seat, STAND_IN_LEVEL, idle=idle),)

    def _has_stalled(self, ctx: Context) -> bool:
        """Whether moves were made for this present player again and again, and another player asks."""
        if ctx.existing_seat(self.seat) or ctx.running_match() or all(seat == self.seat for seat in ctx.held):
            return False
        player = ctx.table.seats[self.seat]
        return player.stalls >= MOST_STALLS and not player.stand_in and player.guest in ctx.present


class TakeBack(OwnSeatCommand, frozen=True):
    """Take the seat back from a stand-in."""

    def rejection(self, ctx: Context) -> Rejection | None:
        if rejection := ctx.own_seat(self.seat):
            return rejection
        played_for = ctx.table.seats[self.from_seat(ctx)].stand_in
        return None if played_for else Rejection(TableReason.NOT_AWAY, "no stand-in plays for you")

    def events(self, ctx: Context) -> Events:
        return (log.TookBack(self.from_seat(ctx)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return (one for one in super().offers(ctx) if cls(seat=one.seat).rejection(ctx) is None)


class MoveFor(GuestCommand, frozen=True):
    """Make the move of an absent player at a spoken table."""

    turn: int
    seat: int
    move: AbsentMove
    to: int | None = None

    def rejection(self, ctx: Context) -> Rejection | None:
        table = ctx.table
        if rejection := ctx.same_turn(self.turn) or ctx.open_to_moves() or _no_bot_can_play(ctx, self.seat):
            return rejection
        if table.due.seat != self.seat:
            return Rejection(Reason.NOT_YOUR_TURN, "it is not that player's turn")
        wraps = table.due.moves == ("wrap",)
        return Rejection(Reason.WRONG_PHASE, "cards wrap by themselves") if wraps else None

    def events(self, ctx: Context) -> Events:
        moves: dict[AbsentMove, rules.Move] = {
            "draw": rules.Draw(self.seat),
            "give": rules.Give(self.seat, None, self.to),
            "accept": rules.Accept(self.seat),
            "refuse": rules.Refuse(self.seat),
        }
        moved = log.MovedFor(self.seat, next(iter(ctx.held), None))
        return (moved, *played(ctx.table, moves[self.move], "another"))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        round_, due = ctx.table.round, ctx.table.due
        if round_ is not None and due.seat is not None and cls(round_.turn, due.seat, "draw").rejection(ctx) is None:
            moves: tuple[AbsentMove, ...] = tuple(move for move in get_args(AbsentMove) if move in due.moves)
            yield May("move_for", seats=(due.seat,), to=due.receivers or None, moves=moves)


class DealAgain(OtherSeatCommand, frozen=True):
    """Deal again without an absent player at a spoken table (8.4)."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return _no_bot_can_play(ctx, self.seat)

    def events(self, ctx: Context) -> Events:
        seats = len(ctx.table.seats) - 1
        if seats < FEWEST_SEATS:
            return (log.MatchEnded(),)
        out = log.DealtOut(self.seat, ctx.table.gifts_each(seats))
        return (out, *next_round(ctx.table, ctx.present, ctx.rng(), seats))


def _not_absent(ctx: Context, number: int) -> Rejection | None:
    """Require an absent player. The host may act for them at once, other players after a while."""
    if not ctx.is_host and not (ctx.held and _is_long_away(ctx, number)):
        return NOT_HOST
    if rejection := ctx.existing_seat(number) or ctx.running_match():
        return rejection
    player = ctx.table.seats[number]
    if player.guest is None or player.stand_in:
        return Rejection(TableReason.NOT_A_PERSON, "a computer player plays from this seat")
    if player.guest in ctx.present and not player.gone:
        return Rejection(TableReason.NOT_AWAY, "the player is present")
    return None


def _no_bot_can_play(ctx: Context, number: int) -> Rejection | None:
    """Require an absent player at a spoken table."""
    return _not_absent(ctx, number) or (None if ctx.table.spoken else _BOTS_CAN_PLAY)


def _is_long_away(ctx: Context, number: int) -> bool:
    """Whether a player left on purpose, or has been disconnected for long."""
    if not 0 <= number < len(ctx.table.seats):
        return False
    player = ctx.table.seats[number]
    return player.gone or player.guest in ctx.away


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
