"""Commands about the move of somebody else: acting for absent and idle players, voting on a claim, and emotes."""

from collections.abc import Iterable
from typing import get_args

from notahat import rules
from notahat.rules import Illegal, Reason
from notahat.rules.round import Answering
from notahat.table import events as log
from notahat.table import table as limits
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
    offer,
    offer_for_seats,
    require,
)
from notahat.table.commands.moves import played
from notahat.table.commands.rounds import next_round
from notahat.table.events import Crowd, Events
from notahat.table.options import TableReason

_BOTS_CAN_PLAY = Rejection(TableReason.BOTS_CAN_PLAY, "a computer player can sit in at this table")
_NOT_IDLE = Rejection(TableReason.NOT_IDLE, "the table has not waited long enough")
_TOO_MANY_NUDGES = Rejection(TableReason.ENOUGH_NUDGES, f"at most {limits.MOST_NUDGES} nudges per decision")
_TOO_MANY_EMOTES = Rejection(TableReason.ENOUGH_FACES, f"at most {limits.MOST_EMOTES} emotes until the next deal")


class SitIn(OtherSeatCommand, frozen=True):
    """Let a computer player play for an absent player until they are back, or for one who stalls until they act."""

    def rejection(self, ctx: Context) -> Rejection | None:
        absent = None if self._has_stalled(ctx) else _not_absent(ctx, self.seat)
        return absent or (NO_BOTS if ctx.table.spoken else None)

    def events(self, ctx: Context) -> Events:
        idle = ctx.table.seats[self.seat].guest in ctx.present
        return (log.SatIn(self.seat, limits.STAND_IN_LEVEL, idle=idle),)

    def _has_stalled(self, ctx: Context) -> bool:
        """Whether moves were made for this present player again and again, and another player asks."""
        if ctx.existing_seat(self.seat) or ctx.running_match() or all(seat == self.seat for seat in ctx.held):
            return False
        player = ctx.table.seats[self.seat]
        return player.stalls >= limits.MOST_STALLS and not player.stand_in and player.guest in ctx.present


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
        if seats < limits.FEWEST_SEATS:
            return (log.MatchEnded(),)
        out = log.DealtOut(self.seat, ctx.table.gifts_each(seats))
        return (out, *next_round(ctx.table, ctx.present, ctx.rng(), seats))


def _not_absent(ctx: Context, number: int) -> Rejection | None:
    """Require an absent player. The host may act for them at once, other players after a while."""
    player = None if ctx.existing_seat(number) else ctx.table.seats[number]
    long_away = player is not None and (player.gone or player.guest in ctx.away)
    if not ctx.is_host and not (ctx.held and long_away):
        return NOT_HOST
    if player is None:
        return ctx.existing_seat(number)
    if rejection := ctx.running_match():
        return rejection
    if player.guest is None or player.stand_in:
        return Rejection(TableReason.NOT_A_PERSON, "a computer player plays from this seat")
    if player.guest in ctx.present and not player.gone:
        return Rejection(TableReason.NOT_AWAY, "the player is present")
    return None


def _no_bot_can_play(ctx: Context, number: int) -> Rejection | None:
    """Require an absent player at a spoken table."""
    return _not_absent(ctx, number) or (None if ctx.table.spoken else _BOTS_CAN_PLAY)


class Nudge(OtherSeatCommand, frozen=True):
    """Remind an idle player that the table waits for them."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return _not_idle(ctx, self.seat) or (_TOO_MANY_NUDGES if ctx.table.nudges >= limits.MOST_NUDGES else None)

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
    """Say whether you would believe the claim to another player. Votes are secret until the gift is revealed."""

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


class Emote(OwnSeatCommand, frozen=True):
    """Send an emote."""

    emote: str

    def rejection(self, ctx: Context) -> Rejection | None:
        """Players may always send emotes, spectators if the options allow applause; both up to a limit."""
        table = ctx.table
        if not ctx.held and self.seat is None and table.options.applause:
            return _TOO_MANY_EMOTES if table.applause >= limits.MOST_APPLAUSE else None
        if rejection := ctx.own_seat(self.seat):
            return rejection
        sender = table.seats[self.from_seat(ctx)]
        return _TOO_MANY_EMOTES if sender.emotes >= limits.MOST_EMOTES else None

    def events(self, ctx: Context) -> Events:
        if self.emote not in limits.EMOTES:
            raise Illegal(TableReason.UNKNOWN_EMOTE, f"the emotes are {', '.join(limits.EMOTES)}")
        if not ctx.held:
            return (log.Applauded(self.emote),)
        return (log.Emoted(self.from_seat(ctx), self.emote),)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        if not ctx.held:
            return offer(ctx, cls(""))
        return (one for one in super().offers(ctx) if cls("", seat=one.seat).rejection(ctx) is None)
