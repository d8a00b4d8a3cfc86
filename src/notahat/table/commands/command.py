"""What a command is: fields, whether a guest may send it now, what it offers in `may`, events; shared rejections."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cached_property
from random import Random
from typing import Literal, NamedTuple
from uuid import UUID

from msgspec import Struct

from notahat.gifts.hat_file import NameKeys
from notahat.rules import Illegal, Move, Reason
from notahat.rules.moves import Wrong
from notahat.table.admission import screen_id
from notahat.table.events import Crowd, Events, snake_case
from notahat.table.options import TableReason
from notahat.table.people import folded_name_keys
from notahat.table.table import MOST_SEATS, Stage, Table

AbsentMove = Literal["draw", "give", "accept", "refuse"]


class Rejection(NamedTuple):
    """Why a command is refused: a reason for players, a detail for programmers."""

    reason: StrEnum
    detail: str


class May(Struct, frozen=True, omit_defaults=True):
    """A permitted command: from which own `seat`, `to` which receivers, for which other `seats`, who may be `wrong`,
    which `moves` for an absent player, which `names` of people without a seat, whether to `agree` or withdraw, and
    whether agreeing includes questions (`probes`); about which `turn` is asked, and `about` which decision.
    """

    do: str
    seat: int | None = None
    to: tuple[int, ...] | None = None
    seats: tuple[int, ...] | None = None
    wrong: tuple[Wrong, ...] | None = None
    moves: tuple[AbsentMove, ...] | None = None
    names: tuple[str, ...] | None = None
    agree: bool | None = None
    probes: bool | None = None
    turn: int | None = None
    about: Literal["give", "answer"] | None = None


NOT_HOST = Rejection(TableReason.NOT_HOST, "only the host may do that")
NOT_SEATED = Rejection(TableReason.NOT_SEATED, "you have no seat at this table")
NO_BOTS = Rejection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear spoken claims")
OF_THE_DAY = Rejection(TableReason.OF_THE_DAY, "the gift of the day cannot be changed or repeated")
FULL = Rejection(TableReason.TABLE_FULL, f"a table has at most {MOST_SEATS} seats")
_LOBBY_ONLY = Rejection(TableReason.MATCH_RUNNING, "not possible before the match is over")
_NO_MATCH = Rejection(TableReason.NO_MATCH, "no match is running")
_NO_ROUND = Rejection(TableReason.NO_MATCH, "no round is being played")
_ROUND_OVER = Rejection(Reason.ROUND_OVER, "the round is over")
_PAUSED = Rejection(TableReason.PAUSED, "the game is paused")
_WRONG_STAGE: dict[Stage, Rejection] = {
    "lobby": _NO_MATCH,
    "play": Rejection(Reason.ROUND_RUNNING, "the round is not over"),
    "between": _ROUND_OVER,
    "over": Rejection(Reason.MATCH_OVER, "the match is over"),
}


class Context(Struct, frozen=True, dict=True):
    """The circumstances of a command: the table, the guest who sends it (None: the room itself), the time, the guests
    who are present, where a seed for shuffles comes from, the guests who have been away for long, which names look
    alike, the seat that others may help, what a computer player would do there, and the votes on the current claim.
    """

    table: Table
    by: UUID | None
    at: float = 0.0
    present: frozenset[UUID] = frozenset()
    seed: Callable[[], int] = lambda: 0
    away: frozenset[UUID] = frozenset()
    name_keys: NameKeys = folded_name_keys
    idle_seat: int | None = None
    bot_move: Move | None = None
    votes: Crowd | None = None

    @property
    def guest(self) -> UUID:
        """The guest; raise `Illegal` if the room sends a guest's command."""
        if self.by is None:
            raise Illegal(TableReason.NOT_SEATED, "only a guest can send this command")
        return self.by

    def rng(self) -> Random:
        """Return the source of randomness of a command that shuffles."""
        return Random(self.seed())

    @cached_property
    def held(self) -> tuple[int, ...]:
        """The guest's seats."""
        return self.table.seats_of(self.by)

    @property
    def stage(self) -> Stage:
        return self.table.stage

    @property
    def is_host(self) -> bool:
        return self.by == self.table.host

    @property
    def shows_the_room(self) -> bool:
        """Whether a big screen without a seat sends this: the opener or, unless locked, one that came by link."""
        if self.held:
            return False
        opened = self.guest == self.table.screen
        return opened or (not self.table.locked and screen_id(self.guest) in self.present)

    def own_seat(self, seat: int | None) -> Rejection | None:
        """Require that the guest holds this seat, or any seat if none is named."""
        if not self.held:
            return NOT_SEATED
        if seat is not None and seat not in self.held:
            return Rejection(TableReason.NOT_YOUR_SEAT, f"seat {seat} is not yours")
        return None

    def existing_seat(self, number: int) -> Rejection | None:
        if 0 <= number < len(self.table.seats):
            return None
        return Rejection(Reason.NO_SUCH_SEAT, f"there is no seat {number}")

    def arranging(self) -> Rejection | None:
        """Require the host in the lobby, who may change seats, options and deck."""
        if not self.is_host:
            return NOT_HOST
        if self.table.day is not None:
            return OF_THE_DAY
        return None if self.stage == "lobby" else _LOBBY_ONLY

    def in_stage(self, wanted: Stage) -> Rejection | None:
        return None if self.stage == wanted else _WRONG_STAGE[self.stage]

    def running_match(self) -> Rejection | None:
        return None if self.stage in ("play", "between") else _NO_MATCH

    def enough_cards(self, seats: int) -> Rejection | None:
        """Require enough cards for so many players (9.3)."""
        missing = self.table.missing_cards(seats)
        return Rejection(Reason.TOO_FEW_CARDS, f"{missing} cards are missing for {seats} players") if missing else None

    def same_turn(self, turn: int) -> Rejection | None:
        """Refuse an answer to an earlier turn, which another player may have answered."""
        round_ = self.table.round
        if round_ is None or self.table.ended or turn == round_.turn:
            return None
        return Rejection(TableReason.STALE, f"the round is at turn {round_.turn}, not {turn}")

    def open_to_moves(self) -> Rejection | None:
        """Require a round in which a move is possible, before the rules check the move."""
        round_ = self.table.round
        if round_ is None or self.table.ended:
            return _NO_ROUND
        if round_.over and not self.table.correctable:
            return _ROUND_OVER
        return _PAUSED if self.table.paused else None


class GuestCommand(Struct, frozen=True, tag_field="do", tag=snake_case):
    """A command over the wire. `seat` may be left out with one seat; `turn` is the turn of the view that it answers."""

    def rejection(self, ctx: Context) -> Rejection | None:
        """Return why this guest may not send this command now, or None."""
        raise NotImplementedError

    def events(self, ctx: Context) -> Events:
        """Return the events of a permitted command; raise `Illegal` if its fields are not valid."""
        raise NotImplementedError

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        """Return what `may` lists for this guest."""
        return offer(ctx, cls())

    @classmethod
    def named(cls) -> str:
        return str(cls.__struct_config__.tag)


class HostCommand(GuestCommand, frozen=True):
    """A command that only the host may send."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return None if ctx.is_host else NOT_HOST

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return (May(cls.named()),) if ctx.is_host else ()


class ArrangingCommand(GuestCommand, frozen=True):
    """A command with which the host prepares a match."""

    def rejection(self, ctx: Context) -> Rejection | None:
        return ctx.arranging()

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return () if ctx.arranging() else (May(cls.named()),)


class OwnSeatCommand(GuestCommand, frozen=True, kw_only=True):
    """A command from one of the guest's own seats."""

    seat: int | None = None

    def rejection(self, ctx: Context) -> Rejection | None:
        return ctx.own_seat(self.seat)

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return (May(cls.named(), seat=seat) for seat in ctx.held)

    def from_seat(self, ctx: Context) -> int:
        """Return the named seat, else the guest's first one."""
        return ctx.held[0] if self.seat is None else self.seat


class OtherSeatCommand(GuestCommand, frozen=True):
    """A command about a seat, mostly of another player."""

    seat: int

    @classmethod
    def offers(cls, ctx: Context) -> Iterable[May]:
        return offer_for_seats(ctx, cls)


class SystemCommand(Struct, frozen=True):
    """A command of the room itself, for timers, computer players, strangers and other nodes, or of a driver."""

    def events(self, ctx: Context) -> Events:
        """Return the events; raise `Illegal` if the command does not fit the state."""
        raise NotImplementedError


Command = GuestCommand | SystemCommand


def offer(ctx: Context, command: GuestCommand) -> tuple[May, ...]:
    """Offer a command if it is permitted. Fields that its permission does not depend on may have any value."""
    return () if command.rejection(ctx) else (May(command.named()),)


def offer_for_seats(ctx: Context, command: Callable[[int], GuestCommand]) -> tuple[May, ...]:
    """Offer a command with all seats for which it is permitted."""
    seats = tuple(seat for seat in range(len(ctx.table.seats)) if command(seat).rejection(ctx) is None)
    return (May(command(0).named(), seats=seats),) if seats else ()


def require(rejection: Rejection | None) -> None:
    """Raise `Illegal` if there is a rejection."""
    if rejection is not None:
        raise Illegal(*rejection)
