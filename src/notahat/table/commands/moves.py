"""Commands that make a move in a round: by the player, by a computer player, by time, or for an absent player."""

from collections.abc import Iterable

from notahat import rules
from notahat.rules import Illegal
from notahat.rules.moves import Wrong
from notahat.table import events as log
from notahat.table.commands.command import Context, May, OwnSeatCommand, Rejection, SystemCommand, require
from notahat.table.events import By, Events
from notahat.table.options import TableReason
from notahat.table.table import Table


def played(table: Table, move: rules.Move, by: By) -> Events:
    """Return the event of a move. The rules check it when it is applied."""
    if type(move) is rules.Give:
        _check_claim(table, move.claim)
    if table.match is None:
        raise Illegal(TableReason.NO_MATCH, "no match is running")
    return (log.Played(move, by),)


def _check_claim(table: Table, claim: str | None) -> None:
    if table.spoken:
        if claim is not None:
            raise Illegal(TableReason.CLAIMS_ARE_SPOKEN, "claims are spoken at this table, not entered")
    elif claim is None:
        raise Illegal(TableReason.CLAIM_NEEDED, "the claim is missing")
    elif not table.allows_claim(claim):
        raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {claim[:40]!r} in the catalogue")


class MoveCommand(OwnSeatCommand, frozen=True):
    """A move from the named seat, else the guest's seat whose turn it is, else their first. It ends a stand-in."""

    turn: int

    def move(self, seat: int) -> rules.Move:
        raise NotImplementedError

    def rejection(self, ctx: Context) -> Rejection | None:
        if rejection := ctx.same_turn(self.turn) or ctx.open_to_moves():
            return rejection
        return None if self.seat is None and ctx.table.due.seat in ctx.held else ctx.own_seat(self.seat)

    def events(self, ctx: Context) -> Events:
        due = ctx.table.due.seat
        seat = due if self.seat is None and due is not None and due in ctx.held else self.from_seat(ctx)
        took_back = (log.TookBack(seat),) if ctx.table.seats[seat].stand_in else ()
        return (*took_back, *played(ctx.table, self.move(seat), "person"))

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        due, name = ctx.table.due, cls.named()
        if due.seat in ctx.held and name in due.moves and not ctx.open_to_moves():
            yield May(name, seat=due.seat, to=due.receivers or None)


class Draw(MoveCommand, frozen=True):
    """Take the shop's top card (4.1)."""

    def move(self, seat: int) -> rules.Move:
        return rules.Draw(seat)


class Give(MoveCommand, frozen=True):
    """Pass the wrapped card on (4.3)."""

    claim: str | None = None
    to: int | None = None

    def move(self, seat: int) -> rules.Move:
        return rules.Give(seat, self.claim, self.to)


class Accept(MoveCommand, frozen=True):
    """Thank you (5)."""

    def move(self, seat: int) -> rules.Move:
        return rules.Accept(seat)


class Refuse(MoveCommand, frozen=True):
    """That's not a hat! (6)"""

    def move(self, seat: int) -> rules.Move:
        return rules.Refuse(seat)


class Judge(MoveCommand, frozen=True):
    """Mark who was wrong about a spoken claim, or correct that (12.2)."""

    wrong: Wrong

    def move(self, seat: int) -> rules.Move:
        return rules.Judge(seat, self.wrong)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        wrong = () if ctx.open_to_moves() else _possible_verdicts(ctx.table)
        return (May("judge", seat=seat, wrong=wrong) for seat in ctx.held) if wrong else ()


def _possible_verdicts(table: Table) -> tuple[Wrong, ...]:
    if table.due.moves == ("judge",):
        return "giver", "receiver"
    verdict = getattr(table.round.phase, "verdict", None) if table.round is not None else None
    if verdict is None or not table.due.correctable:
        return ()
    return ("receiver",) if verdict.wrong == "giver" else ("giver",)


class PlayFor(SystemCommand, frozen=True):
    """Make a move without a person: a card wraps itself, a computer player moves, or a player's time is up."""

    turn: int
    move: rules.Move

    def events(self, ctx: Context) -> Events:
        """A person's own move is made for them only if the table's patience is limited."""
        table, move = ctx.table, self.move
        require(ctx.same_turn(self.turn) or ctx.open_to_moves() or ctx.existing_seat(move.seat))
        seat = table.seats[move.seat]
        by: By = "itself" if isinstance(move, rules.Wrap) else "bot" if seat.played_by_bot else "time"
        events = played(table, move, by)
        if by == "time" and table.patience is None:
            raise Illegal(TableReason.NOT_YOUR_SEAT, "this table waits for its players without limit")
        return events
