"""Commands about the move of somebody else: reminding and helping an idle player, and voting on a claim."""

from collections.abc import Iterable

from notahat.rules import Illegal, Reason
from notahat.rules.round import Answering
from notahat.table import events as log
from notahat.table.commands.command import (
    NO_BOTS,
    NOT_SEATED,
    Context,
    GuestCommand,
    May,
    OtherSeatCommand,
    Rejection,
    SystemCommand,
    offer_for_seats,
    require,
)
from notahat.table.commands.moves import played
from notahat.table.events import Crowd, Events
from notahat.table.table import MOST_NUDGES
from notahat.table.table_reasons import TableReason

_NOT_IDLE = Rejection(TableReason.NOT_IDLE, "the table has not waited long enough")
_TOO_MANY_NUDGES = Rejection(TableReason.ENOUGH_NUDGES, f"at most {MOST_NUDGES} nudges per decision")


class Nudge(OtherSeatCommand, frozen=True):
    """Remind an idle player that the table waits for them."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return _not_idle(ctx, self.seat) or (_TOO_MANY_NUDGES if ctx.table.nudges >= MOST_NUDGES else None)

    def events(self, ctx: Context) -> Events:
        return (log.Nudged(self.seat, _other_seat(ctx, self.seat)),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return super().offers(ctx) if ctx.idle_seat is not None else ()


class BotMove(GuestCommand, frozen=True):
    """Let a computer player make the current move of an idle player, who keeps the seat."""

    turn: int
    seat: int

    def rejection(self, ctx: Context) -> Rejection | None:
        stale = ctx.same_turn(self.turn) or ctx.open_to_moves()
        return stale or _not_idle(ctx, self.seat) or (NO_BOTS if ctx.table.spoken else None)

    def events(self, ctx: Context) -> Events:
        """Move as a computer player would, which has seen the round from that seat."""
        if ctx.bot_move is None:
            raise Illegal(TableReason.NOT_IDLE, "no computer player can make this move")
        helped = log.Helped(self.seat, _other_seat(ctx, self.seat))
        return (helped, *played(ctx.table, ctx.bot_move, "bot"))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        round_ = ctx.table.round
        if ctx.idle_seat is None or round_ is None:
            return ()
        return offer_for_seats(ctx, lambda seat: cls(round_.turn, seat))


def _not_idle(ctx: Context, number: int) -> Rejection | None:
    """Require another player's seat for whom the table has waited for long."""
    if all(seat == number for seat in ctx.held):
        return NOT_SEATED
    return None if ctx.idle_seat == number else _NOT_IDLE


def _other_seat(ctx: Context, number: int) -> int:
    """Return the seat from which a guest helps another player."""
    return next(seat for seat in ctx.held if seat != number)


class Vote(GuestCommand, frozen=True):
    """Say whether you would believe the current claim, as neither its giver nor its receiver. The room keeps votes to
    itself until the gift is revealed, and forgets them if it is accepted.
    """

    turn: int
    believe: bool

    def rejection(self, ctx: Context) -> Rejection | None:
        round_ = ctx.table.round
        if rejection := ctx.same_turn(self.turn) or ctx.open_to_moves() or ctx.in_stage("play"):
            return rejection
        if round_ is None or not isinstance(round_.phase, Answering):
            return Rejection(Reason.WRONG_PHASE, "there is no claim to vote on")
        if round_.phase.giver in ctx.held or round_.phase.receiver in ctx.held:
            return Rejection(TableReason.NOT_A_BYSTANDER, "you are the giver or the receiver")
        return None

    def events(self, ctx: Context) -> Events:
        """A vote causes no event: the room keeps it until the gift is revealed."""
        return ()

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        """Offer votes for the whole round, on any claim of others, so that `may` does not change with every move."""
        return (May("vote"),) if ctx.stage == "play" else ()


class CountVotes(SystemCommand, frozen=True):
    """Add votes to those on the claim that was refused before `turn`, at another node."""

    turn: int
    votes: Crowd

    def events(self, ctx: Context) -> Events:
        require(ctx.same_turn(self.turn))
        return (log.CrowdVoted(self.votes.believed, self.votes.doubted),)
