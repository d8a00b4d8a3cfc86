"""Whether somebody may do something now, and if not, why: said once. `may` lists what nothing is said against, and
`decide` asks here before it lets anything happen.

Each function is named after its command and gives the first objection, or None. What the rules themselves say about
a move is theirs to say (`rules.legal`, `rules.play`).
"""

from enum import StrEnum
from typing import NamedTuple, assert_never
from uuid import UUID

from msgspec import Struct

from notahat.rules import Illegal, Reason, legal
from notahat.table.illegal import TableReason
from notahat.table.name import Looks, folded
from notahat.table.table import (
    FEWEST_SEATS,
    MOST_APPLAUSE,
    MOST_DECKS,
    MOST_FACES,
    MOST_SEATS,
    MOST_SEATS_OF_ONE,
    Stage,
    Table,
)


class Objection(NamedTuple):
    """What stands against something: a reason for people, a detail for programmers."""

    reason: StrEnum
    detail: str


class Asker(Struct, frozen=True):
    """Who asks at which table, which seats they hold there, who is here, and who has been away for a while."""

    table: Table
    guest: UUID
    present: frozenset[UUID]
    held: tuple[int, ...]
    stage: Stage
    hosts: bool
    away: frozenset[UUID]
    looks: Looks


def asker(
    table: Table, guest: UUID, present: frozenset[UUID], away: frozenset[UUID] = frozenset(), looks: Looks = folded
) -> Asker:
    here = present if guest in present else present | {guest}  # whoever asks is here
    return Asker(table, guest, here, table.held_by(guest), table.stage, guest == table.host, away, looks)


def heed(objection: Objection | None) -> None:
    """Go on only if nothing is said against it."""
    if objection is not None:
        raise Illegal(*objection)


_NOT_HOST = Objection(TableReason.NOT_HOST, "only the host may do that")
_NOT_SEATED = Objection(TableReason.NOT_SEATED, "you do not sit here")
_LOBBY_ONLY = Objection(TableReason.MATCH_RUNNING, "that waits until the match is over")
_NO_MATCH = Objection(TableReason.NO_MATCH, "no match is running")
_NO_ROUND = Objection(TableReason.NO_MATCH, "no round is being played")
_FULL = Objection(TableReason.TABLE_FULL, f"no more than {MOST_SEATS} play")
_BOTS_CAN = Objection(TableReason.BOTS_CAN_PLAY, "at this table a computer player can sit in")
_OF_THE_DAY = Objection(TableReason.OF_THE_DAY, "the gift of the day is the same for everybody, and played once")
_ENOUGH = Objection(TableReason.ENOUGH_FACES, f"{MOST_FACES} faces are enough until the next deal")
_ENOUGH_DECKS = Objection(TableReason.ENOUGH_DECKS, f"{MOST_DECKS} decks are enough for one table")
_CROWDED = Objection(
    TableReason.TABLE_FULL, f"one device has no more than {MOST_SEATS_OF_ONE} seats, unless it is the host's"
)
_DEAF = Objection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear")


def anything(table: Table, guest: UUID | None) -> Objection | None:
    """Whoever was removed has nothing to say."""
    if guest in table.removed:
        return Objection(TableReason.REMOVED, "you were sent away from this table")
    return None


def sit(ask: Asker) -> Objection | None:
    table = ask.table
    if table.left_by(ask.guest):
        return None
    if table.day is not None and any(seat.guest is not None for seat in table.seats):
        return _OF_THE_DAY
    if table.locked and not ask.hosts and not ask.held:
        return Objection(TableReason.TABLE_LOCKED, "the host lets nobody else sit down")
    if len(table.seats) + len(table.waiting) >= MOST_SEATS:
        return _FULL
    if len(ask.held) >= MOST_SEATS_OF_ONE and not ask.hosts:
        return _CROWDED
    if ask.stage != "lobby" and (ask.held or table.waits(ask.guest)):
        return Objection(
            TableReason.MATCH_RUNNING, "you play or wait already; more of you can sit down after the match"
        )
    if ask.stage != "lobby":  # in the lobby there is still time to take another deck
        return enough_cards(table, len(table.seats) + len(table.waiting) + 1)
    return None


def speak(ask: Asker, seat: int | None) -> Objection | None:
    """Against saying or doing something from a seat: the one named, or one's own."""
    if not ask.held:
        return _NOT_SEATED
    if seat is not None and seat not in ask.held:
        return Objection(TableReason.NOT_YOUR_SEAT, f"seat {seat} is not yours")
    return None


rename = speak


def emote(ask: Asker, number: int | None) -> Objection | None:
    """People at the table always may; those who watch, where the host allows applause. Nobody without end."""
    table = ask.table
    if not ask.held and number is None and table.options.applause:
        return _ENOUGH if table.applause >= MOST_APPLAUSE else None
    if objection := speak(ask, number):
        return objection
    pulls = table.seats[ask.held[0] if number is None else number]
    return _ENOUGH if pulls.faces >= MOST_FACES else None


def leave(ask: Asker, seat: int | None) -> Objection | None:
    return None if ask.table.waits(ask.guest) else speak(ask, seat)


def study(ask: Asker, agree: bool) -> Objection | None:
    """Whoever agreed may take it back at any time, also when they have got up. Spoken claims nobody wrote down."""
    table = ask.table
    if not agree:
        return None if table.agrees(ask.guest) else Objection(TableReason.NO_STUDY, "you have not agreed to anything")
    if not table.study or table.spoken:
        return Objection(TableReason.NO_STUDY, "nobody studies what is played here")
    return None if ask.held or table.waits(ask.guest) else _NOT_SEATED


def lock(ask: Asker) -> Objection | None:
    return None if ask.hosts else _NOT_HOST


def hand_over(ask: Asker, number: int) -> Objection | None:
    if not ask.hosts:
        return _NOT_HOST
    if ask.table.deputy is not None:
        return Objection(TableReason.NOT_HOST, "who stands in for the host cannot pass the role on")
    if objection := seat(ask.table, number):
        return objection
    to = ask.table.seats[number]
    if to.guest is None or to.gone:
        return Objection(TableReason.NOT_A_PERSON, "only somebody who plays here can be host")
    if to.guest == ask.guest:
        return Objection(TableReason.NOT_A_PERSON, "you are the host")
    return None


def arrange(ask: Asker) -> Objection | None:
    """Against changing seats or options."""
    if not ask.hosts:
        return _NOT_HOST
    if ask.table.day is not None:
        return _OF_THE_DAY
    return None if ask.stage == "lobby" else _LOBBY_ONLY


set_options = shuffle_seats = arrange


def put_deck(ask: Asker) -> Objection | None:
    return arrange(ask) or (_ENOUGH_DECKS if ask.table.decks >= MOST_DECKS else None)


def move_seat(ask: Asker, number: int) -> Objection | None:
    return arrange(ask) or seat(ask.table, number)


def add_bot(ask: Asker) -> Objection | None:
    if objection := arrange(ask):
        return objection
    if ask.table.spoken:
        return _DEAF
    return _FULL if len(ask.table.seats) >= MOST_SEATS else None


def remove(ask: Asker, number: int) -> Objection | None:
    if not ask.hosts:
        return _NOT_HOST
    if objection := seat(ask.table, number):
        return objection
    if ask.table.day is not None:
        return _OF_THE_DAY
    who = ask.table.seats[number]
    if who.guest == ask.guest:
        return Objection(TableReason.NOT_A_PERSON, "the host can leave, but not be removed")
    if who.guest is not None and who.guest == ask.table.owner:
        return Objection(TableReason.NOT_HOST, "who stands in for the host cannot send them away")
    if ask.stage == "lobby":
        return None
    if who.guest is None or who.gone:
        return Objection(TableReason.MATCH_RUNNING, "a computer player stays until the match is over")
    if ask.table.spoken:
        return Objection(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "nobody could play on for them")
    return None


def let_in(ask: Asker) -> Objection | None:
    if not ask.hosts:
        return _NOT_HOST
    return None if ask.table.removed else Objection(TableReason.NOT_REMOVED, "nobody was sent away")


def start(ask: Asker) -> Objection | None:
    if not ask.hosts and ask.guest != ask.table.screen:
        return _NOT_HOST
    if ask.stage == "between":
        return None
    if ask.stage != "lobby":
        return Objection(TableReason.MATCH_RUNNING, "a match is running")
    if len(ask.table.seats) < FEWEST_SEATS:
        return Objection(Reason.TOO_FEW_PLAYERS, f"it takes at least {FEWEST_SEATS}")
    return enough_cards(ask.table, len(ask.table.seats))


def enough_cards(table: Table, seats: int) -> Objection | None:
    """Against playing with more people than the deck has cards for (9.3)."""
    missing = table.missing_cards(seats)
    return Objection(Reason.TOO_FEW_CARDS, f"the deck needs {missing} more cards for {seats}") if missing else None


def move(table: Table) -> Objection | None:
    """Against any move in the round, before the rules are asked."""
    if table.round is None or table.ended:
        return _NO_ROUND
    if table.round.over and not table.correctable:
        return Objection(Reason.ROUND_OVER, "the round is over")
    return Objection(TableReason.PAUSED, "the game is paused") if table.paused else None


def pause(ask: Asker) -> Objection | None:
    if not ask.held:
        return _NOT_SEATED
    if objection := stage(ask.table, "play"):
        return objection
    return Objection(TableReason.PAUSED, "the game is paused already") if ask.table.paused else None


def resume(ask: Asker) -> Objection | None:
    if not ask.held:
        return _NOT_SEATED
    return None if ask.table.paused else Objection(TableReason.NOT_PAUSED, "the game is not paused")


def absent(ask: Asker, number: int) -> Objection | None:
    """Against doing something about somebody who is away: the host may at once, anyone seated after a while."""
    if not ask.hosts and not (ask.held and _long_gone(ask, number)):
        return _NOT_HOST
    if objection := seat(ask.table, number) or running(ask.table):
        return objection
    who = ask.table.seats[number]
    if who.guest is None or who.stand_in:
        return Objection(TableReason.NOT_A_PERSON, "a computer player plays there already")
    if who.guest in ask.present and not who.gone:
        return Objection(TableReason.NOT_AWAY, "they are here")
    return None


def _long_gone(ask: Asker, number: int) -> bool:
    """Who has left will not come back by themselves: for them nobody waits."""
    if not 0 <= number < len(ask.table.seats):
        return False
    who = ask.table.seats[number]
    return who.gone or who.guest in ask.away


def sit_in(ask: Asker, number: int) -> Objection | None:
    return absent(ask, number) or (_DEAF if ask.table.spoken else None)


def deal_again(ask: Asker, number: int) -> Objection | None:
    return absent(ask, number) or (None if ask.table.spoken else _BOTS_CAN)


def move_for(ask: Asker, number: int) -> Objection | None:
    if objection := deal_again(ask, number) or move(ask.table):
        return objection
    due = legal(ask.table.round) if ask.table.round else None
    if due is None or due.seat != number:
        return Objection(Reason.NOT_YOUR_TURN, "it is not their turn")
    return Objection(Reason.WRONG_PHASE, "cards wrap by themselves") if due.moves == ("wrap",) else None


def end_match(ask: Asker) -> Objection | None:
    return running(ask.table) if ask.hosts else _NOT_HOST


def ready(ask: Asker, number: int | None) -> Objection | None:
    """Also after the last round, where that says that its verdict stands."""
    wanted = ask.table.looking or (ask.stage == "over" and ask.table.correctable)
    return (None if wanted else stage(ask.table, "between")) or speak(ask, number)


def again(ask: Asker) -> Objection | None:
    part = ask.hosts or ask.held or ask.table.waits(ask.guest) or ask.guest == ask.table.screen
    if not part:
        return _NOT_SEATED
    if ask.table.day is not None:
        return _OF_THE_DAY
    return stage(ask.table, "over")


def seat(table: Table, number: int) -> Objection | None:
    if 0 <= number < len(table.seats):
        return None
    return Objection(Reason.NO_SUCH_SEAT, f"there is no seat {number}")


def running(table: Table) -> Objection | None:
    """Against what belongs to a running match."""
    return None if table.stage in ("play", "between") else _NO_MATCH


def stage(table: Table, wanted: Stage) -> Objection | None:
    """Against what belongs to another stage."""
    if table.stage == wanted:
        return None
    match table.stage:
        case "lobby":
            return _NO_MATCH
        case "play":
            return Objection(Reason.ROUND_RUNNING, "the round is not over")
        case "between":
            return Objection(Reason.ROUND_OVER, "the round is over")
        case "over":
            return Objection(Reason.MATCH_OVER, "the match is over")
        case _:
            assert_never(table.stage)
