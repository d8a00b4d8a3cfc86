"""Permissions: whether a guest may send a command now, and the reason if not.

Each function is named after its command and returns the first `Rejection`, or None if the table allows it. `may` lists
what is allowed; `decide` requires it. Whether a move is legal is decided by the rules (`rules.legal`, `rules.play`).
"""

from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from notahat.gifts.hat_file import NameKeys
from notahat.rules import Illegal, Reason, legal
from notahat.rules.round import Answering
from notahat.table.big_screen import screen_id
from notahat.table.name import folded_name_keys
from notahat.table.table import (
    FEWEST_SEATS,
    MOST_APPLAUSE,
    MOST_DECKS,
    MOST_EMOTES,
    MOST_NUDGES,
    MOST_SEATS,
    MOST_SEATS_PER_GUEST,
    Stage,
    Table,
)
from notahat.table.table_reasons import TableReason


class Rejection(NamedTuple):
    """Why a command is refused: a reason for players, a detail for programmers."""

    reason: StrEnum
    detail: str


class GuestContext(Struct, frozen=True):
    """A guest at a table: the seats they hold, who is present, and who has been away for long."""

    table: Table
    guest: UUID
    present: frozenset[UUID]
    held: tuple[int, ...]
    stage: Stage
    is_host: bool
    away: frozenset[UUID]
    name_keys: NameKeys
    idle_seat: int | None  # the seat that others may help

    @property
    def shows_the_room(self) -> bool:
        """Whether a big screen without a seat sends this: the one that opened the table or, unless the table is
        locked, one that came by link.
        """
        if self.held:
            return False
        opened = self.guest == self.table.screen
        return opened or (not self.table.locked and screen_id(self.guest) in self.present)


def guest_context(
    table: Table,
    guest: UUID,
    present: frozenset[UUID],
    away: frozenset[UUID] = frozenset(),
    name_keys: NameKeys = folded_name_keys,
    idle_seat: int | None = None,
) -> GuestContext:
    here = present if guest in present else present | {guest}  # a guest who sends a command is present
    held, is_host = table.seats_of(guest), guest == table.host
    return GuestContext(table, guest, here, held, table.stage, is_host, away, name_keys, idle_seat)


def require(rejection: Rejection | None) -> None:
    """Raise `Illegal` if there is a rejection."""
    if rejection is not None:
        raise Illegal(*rejection)


_NOT_HOST = Rejection(TableReason.NOT_HOST, "only the host may do that")
_NOT_SEATED = Rejection(TableReason.NOT_SEATED, "you have no seat at this table")
_LOBBY_ONLY = Rejection(TableReason.MATCH_RUNNING, "not possible before the match is over")
_NO_MATCH = Rejection(TableReason.NO_MATCH, "no match is running")
_NO_ROUND = Rejection(TableReason.NO_MATCH, "no round is being played")
_FULL = Rejection(TableReason.TABLE_FULL, f"a table has at most {MOST_SEATS} seats")
_BOTS_CAN_PLAY = Rejection(TableReason.BOTS_CAN_PLAY, "a computer player can sit in at this table")
_OF_THE_DAY = Rejection(TableReason.OF_THE_DAY, "the gift of the day cannot be changed or repeated")
_TOO_MANY_EMOTES = Rejection(TableReason.ENOUGH_FACES, f"at most {MOST_EMOTES} emotes until the next deal")
_TOO_MANY_DECKS = Rejection(TableReason.ENOUGH_DECKS, f"at most {MOST_DECKS} decks per table")
_DEVICE_FULL = Rejection(
    TableReason.TABLE_FULL, f"a device other than the host's has at most {MOST_SEATS_PER_GUEST} seats"
)
_NOT_AGREED = Rejection(TableReason.NO_STUDY, "you have not agreed to the study")
_NO_BOTS = Rejection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear spoken claims")
_ROUND_OVER = Rejection(Reason.ROUND_OVER, "the round is over")
_WRONG_STAGE: dict[Stage, Rejection] = {
    "lobby": _NO_MATCH,
    "play": Rejection(Reason.ROUND_RUNNING, "the round is not over"),
    "between": _ROUND_OVER,
    "over": Rejection(Reason.MATCH_OVER, "the match is over"),
}


def any_command(table: Table, guest: UUID | None) -> Rejection | None:
    if guest in table.removed:
        return Rejection(TableReason.REMOVED, "the host removed you from this table")
    return None


def sit(ctx: GuestContext) -> Rejection | None:
    table = ctx.table
    if table.vacated_by(ctx.guest):
        return None
    if table.day is not None and any(seat.guest is not None for seat in table.seats):
        return _OF_THE_DAY
    if table.locked and not ctx.is_host and not ctx.held:
        return Rejection(TableReason.TABLE_LOCKED, "the host has locked the table")
    if len(table.seats) + len(table.waiting) >= MOST_SEATS:
        return _FULL
    if len(ctx.held) >= MOST_SEATS_PER_GUEST and not ctx.is_host:
        return _DEVICE_FULL
    if ctx.stage != "lobby" and (ctx.held or table.is_waiting(ctx.guest)):
        return Rejection(TableReason.MATCH_RUNNING, "you can take another seat after the match")
    if ctx.stage != "lobby":  # in the lobby the deck can still be changed
        return enough_cards(table, len(table.seats) + len(table.waiting) + 1)
    return None


def own_seat(ctx: GuestContext, seat: int | None) -> Rejection | None:
    """Require that the guest holds this seat, or any seat if none is named."""
    if not ctx.held:
        return _NOT_SEATED
    if seat is not None and seat not in ctx.held:
        return Rejection(TableReason.NOT_YOUR_SEAT, f"seat {seat} is not yours")
    return None


rename = set_face = own_seat


def emote(ctx: GuestContext, number: int | None) -> Rejection | None:
    """Players may always send emotes, spectators if the options allow applause; both up to a limit."""
    table = ctx.table
    if not ctx.held and number is None and table.options.applause:
        return _TOO_MANY_EMOTES if table.applause >= MOST_APPLAUSE else None
    if rejection := own_seat(ctx, number):
        return rejection
    sender = table.seats[ctx.held[0] if number is None else number]
    return _TOO_MANY_EMOTES if sender.emotes >= MOST_EMOTES else None


def leave(ctx: GuestContext, seat: int | None) -> Rejection | None:
    return None if ctx.table.is_waiting(ctx.guest) else own_seat(ctx, seat)


def study(ctx: GuestContext, agree: bool) -> Rejection | None:
    """A guest may withdraw at any time, also without a seat. Spoken claims are not recorded, so not studied."""
    table = ctx.table
    if not agree:
        return None if table.has_agreed(ctx.guest) else _NOT_AGREED
    if not table.study or table.spoken:
        return Rejection(TableReason.NO_STUDY, "rounds at this table are not studied")
    return None if ctx.held or table.is_waiting(ctx.guest) else _NOT_SEATED


def probe(ctx: GuestContext, turn: int) -> Rejection | None:
    asked = any(one.turn == turn and one.seat in ctx.held for one in ctx.table.asked)
    if asked and ctx.stage == "play" and ctx.table.has_agreed(ctx.guest):
        return None
    return Rejection(TableReason.STALE, f"nothing is asked about turn {turn}")


def lock(ctx: GuestContext) -> Rejection | None:
    return None if ctx.is_host else _NOT_HOST


set_pace = lock


def hand_over(ctx: GuestContext, number: int) -> Rejection | None:
    if not ctx.is_host:
        return _NOT_HOST
    if ctx.table.deputy is not None:
        return Rejection(TableReason.NOT_HOST, "a deputy cannot hand over the host's role")
    if rejection := existing_seat(ctx.table, number):
        return rejection
    to = ctx.table.seats[number]
    if to.guest is None or to.gone:
        return Rejection(TableReason.NOT_A_PERSON, "only a person who plays here can be host")
    if to.guest == ctx.guest:
        return Rejection(TableReason.NOT_A_PERSON, "you are the host")
    return None


def arrange(ctx: GuestContext) -> Rejection | None:
    """Require the host in the lobby, to change seats, options or deck."""
    if not ctx.is_host:
        return _NOT_HOST
    if ctx.table.day is not None:
        return _OF_THE_DAY
    return None if ctx.stage == "lobby" else _LOBBY_ONLY


set_options = shuffle_seats = arrange


def put_deck(ctx: GuestContext) -> Rejection | None:
    return arrange(ctx) or (_TOO_MANY_DECKS if ctx.table.decks >= MOST_DECKS else None)


def move_seat(ctx: GuestContext, number: int) -> Rejection | None:
    return arrange(ctx) or existing_seat(ctx.table, number)


def add_bot(ctx: GuestContext) -> Rejection | None:
    if rejection := arrange(ctx):
        return rejection
    if ctx.table.spoken:
        return _NO_BOTS
    return _FULL if len(ctx.table.seats) >= MOST_SEATS else None


def remove(ctx: GuestContext, number: int) -> Rejection | None:
    if not ctx.is_host:
        return _NOT_HOST
    if rejection := existing_seat(ctx.table, number):
        return rejection
    if ctx.table.day is not None:
        return _OF_THE_DAY
    player = ctx.table.seats[number]
    if player.guest == ctx.guest:
        return Rejection(TableReason.NOT_A_PERSON, "the host can leave, but not be removed")
    if player.guest is not None and player.guest == ctx.table.owner:
        return Rejection(TableReason.NOT_HOST, "a deputy cannot remove the host")
    if ctx.stage == "lobby":
        return None
    if player.guest is None or player.gone:
        return Rejection(TableReason.MATCH_RUNNING, "a computer player stays until the match is over")
    if ctx.table.spoken:
        return Rejection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "no computer player can replace them")
    return None


def let_in(ctx: GuestContext) -> Rejection | None:
    if not ctx.is_host:
        return _NOT_HOST
    return None if ctx.table.removed else Rejection(TableReason.NOT_REMOVED, "no guest was removed")


def answer_knock(ctx: GuestContext) -> Rejection | None:
    """Any seated player may answer, so that no stranger waits for the host."""
    if not ctx.held:
        return _NOT_SEATED
    return None if ctx.table.door.knocks else Rejection(TableReason.NOT_KNOCKING, "no guest knocks")


def start(ctx: GuestContext) -> Rejection | None:
    if not ctx.is_host and ctx.guest != ctx.table.screen:
        return _NOT_HOST
    if ctx.stage == "between":
        return None
    if ctx.stage != "lobby":
        return Rejection(TableReason.MATCH_RUNNING, "a match is running")
    if len(ctx.table.seats) < FEWEST_SEATS:
        return Rejection(Reason.TOO_FEW_PLAYERS, f"a match needs at least {FEWEST_SEATS} players")
    return enough_cards(ctx.table, len(ctx.table.seats))


def enough_cards(table: Table, seats: int) -> Rejection | None:
    """Require enough cards for so many players (9.3)."""
    missing = table.missing_cards(seats)
    return Rejection(Reason.TOO_FEW_CARDS, f"{missing} cards are missing for {seats} players") if missing else None


def move(table: Table) -> Rejection | None:
    """Require a round in which a move is possible, before the rules check the move."""
    if table.round is None or table.ended:
        return _NO_ROUND
    if table.round.over and not table.correctable:
        return _ROUND_OVER
    return Rejection(TableReason.PAUSED, "the game is paused") if table.paused else None


def pause(ctx: GuestContext) -> Rejection | None:
    if not ctx.held:
        return _NOT_SEATED
    if rejection := in_stage(ctx.table, "play"):
        return rejection
    return Rejection(TableReason.PAUSED, "the game is paused already") if ctx.table.paused else None


def resume(ctx: GuestContext) -> Rejection | None:
    if not ctx.held:
        return _NOT_SEATED
    return None if ctx.table.paused else Rejection(TableReason.NOT_PAUSED, "the game is not paused")


def absent_player(ctx: GuestContext, number: int) -> Rejection | None:
    """Require an absent player. The host may act for them at once, other players after a while."""
    if not ctx.is_host and not (ctx.held and _is_long_away(ctx, number)):
        return _NOT_HOST
    if rejection := existing_seat(ctx.table, number) or running_match(ctx.table):
        return rejection
    player = ctx.table.seats[number]
    if player.guest is None or player.stand_in:
        return Rejection(TableReason.NOT_A_PERSON, "a computer player plays from this seat")
    if player.guest in ctx.present and not player.gone:
        return Rejection(TableReason.NOT_AWAY, "the player is present")
    return None


def _is_long_away(ctx: GuestContext, number: int) -> bool:
    """Whether a player left on purpose, or has been disconnected for long."""
    if not 0 <= number < len(ctx.table.seats):
        return False
    player = ctx.table.seats[number]
    return player.gone or player.guest in ctx.away


def sit_in(ctx: GuestContext, number: int) -> Rejection | None:
    return absent_player(ctx, number) or (_NO_BOTS if ctx.table.spoken else None)


def deal_again(ctx: GuestContext, number: int) -> Rejection | None:
    return absent_player(ctx, number) or (None if ctx.table.spoken else _BOTS_CAN_PLAY)


def move_for(ctx: GuestContext, number: int) -> Rejection | None:
    if rejection := deal_again(ctx, number) or move(ctx.table):
        return rejection
    due = legal(ctx.table.round) if ctx.table.round else None
    if due is None or due.seat != number:
        return Rejection(Reason.NOT_YOUR_TURN, "it is not that player's turn")
    return Rejection(Reason.WRONG_PHASE, "cards wrap by themselves") if due.moves == ("wrap",) else None


def idle_player(ctx: GuestContext, number: int) -> Rejection | None:
    """Require another player's seat for whom the table has waited for long."""
    if all(seat == number for seat in ctx.held):
        return _NOT_SEATED
    return None if ctx.idle_seat == number else Rejection(TableReason.NOT_IDLE, "the table has not waited long enough")


def nudge(ctx: GuestContext, number: int) -> Rejection | None:
    if rejection := idle_player(ctx, number):
        return rejection
    too_many = Rejection(TableReason.ENOUGH_NUDGES, f"at most {MOST_NUDGES} nudges per decision")
    return too_many if ctx.table.nudges >= MOST_NUDGES else None


def bot_move(ctx: GuestContext, number: int) -> Rejection | None:
    return idle_player(ctx, number) or (_NO_BOTS if ctx.table.spoken else None)


def vote(ctx: GuestContext) -> Rejection | None:
    """Require a claim about which this guest is not asked. `may` lists votes for the whole round, so as not to change
    with every move.
    """
    round_ = ctx.table.round
    if rejection := in_stage(ctx.table, "play"):
        return rejection
    if round_ is None or not isinstance(round_.phase, Answering):
        return Rejection(Reason.WRONG_PHASE, "there is no claim to vote on")
    if round_.phase.giver in ctx.held or round_.phase.receiver in ctx.held:
        return Rejection(TableReason.NOT_A_BYSTANDER, "you are the giver or the receiver")
    return None


def play_without(ctx: GuestContext, number: int) -> Rejection | None:
    """Before a match, decide about an absent player: players after the last match, in the lobby the one who starts."""
    if rejection := (start(ctx) if ctx.stage == "lobby" else again(ctx)) or existing_seat(ctx.table, number):
        return rejection
    if number in ctx.table.absent_players(ctx.present):
        return None
    return Rejection(TableReason.NOT_AWAY, "the player is present, or has left")


def end_match(ctx: GuestContext) -> Rejection | None:
    return running_match(ctx.table) if ctx.is_host else _NOT_HOST


def ready(ctx: GuestContext, number: int | None) -> Rejection | None:
    """Also allowed after the last round, to confirm its verdict."""
    wanted = ctx.table.is_first_look or (ctx.stage == "over" and ctx.table.correctable)
    return (None if wanted else in_stage(ctx.table, "between")) or own_seat(ctx, number)


def again(ctx: GuestContext) -> Rejection | None:
    takes_part = ctx.is_host or ctx.held or ctx.table.is_waiting(ctx.guest) or ctx.shows_the_room
    if not takes_part:
        return _NOT_SEATED
    if ctx.table.day is not None:
        return _OF_THE_DAY
    return in_stage(ctx.table, "over")


def existing_seat(table: Table, number: int) -> Rejection | None:
    if 0 <= number < len(table.seats):
        return None
    return Rejection(Reason.NO_SUCH_SEAT, f"there is no seat {number}")


def running_match(table: Table) -> Rejection | None:
    return None if table.stage in ("play", "between") else _NO_MATCH


def in_stage(table: Table, wanted: Stage) -> Rejection | None:
    return None if table.stage == wanted else _WRONG_STAGE[table.stage]
