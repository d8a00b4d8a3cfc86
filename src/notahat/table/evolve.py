"""Events become state. This never refuses: whatever stands in the log has happened."""

from typing import assert_never
from uuid import UUID

from msgspec import structs

from notahat import rules
from notahat.gifts import Deck
from notahat.rules import agree, deal_round, drop, join, play_match
from notahat.table.events import (
    Agreed,
    Applauded,
    BotSat,
    Dealt,
    DealtIn,
    DealtOut,
    DeckPut,
    Emoted,
    Event,
    HandedOver,
    HostPassed,
    HostReturned,
    Left,
    LetBack,
    LockTurned,
    MatchEnded,
    MovedFor,
    Opened,
    OptionsSet,
    Paused,
    Played,
    Queued,
    Removed,
    Renamed,
    Resumed,
    Sat,
    SatIn,
    SeatsOrdered,
    Started,
    TookBack,
    Unqueued,
    WantedAgain,
    WasReady,
    WentAgain,
    Withdrew,
)
from notahat.table.name import unique
from notahat.table.table import MOST_SEATS, STAND_IN_LEVEL, Agreement, Seat, Table, Waiting
from notahat.table.tally import counted, renamed


def evolve(table: Table | None, event: Event, at: float) -> Table:
    """The table after something happened at a time."""
    return happen(table, event, at)[0]


def happen(table: Table | None, event: Event, at: float) -> tuple[Table, tuple[rules.Event, ...]]:
    """The table after an event, and what the rules said to it, if it was a move."""
    if not isinstance(event, Played):
        return _evolve(table, event, at), ()
    if table is None or table.match is None:
        raise AssertionError("a move was made without a match")
    match, said = play_match(table.match, event.move)
    return structs.replace(table, match=match, ready=(), since=at), said


def _evolve(table: Table | None, event: Event, at: float) -> Table:  # noqa: C901 - one line for each event
    if isinstance(event, Opened):
        screen = event.host if event.screen else None
        table = Table(event.code, event.host, event.options, screen=screen, since=at, at=at)
        return structs.replace(table, day=event.day, study=event.study)
    if table is None:
        raise AssertionError("a log starts with the table being opened")
    match event:
        case Sat(guest=guest, name=name):
            return structs.replace(_withdrawn(table, guest), seats=(*table.seats, Seat(name, guest=guest)))
        case BotSat(name=name, level=level, character=character):
            return structs.replace(table, seats=(*table.seats, Seat(name, level=level, character=character)))
        case Queued(guest=guest, name=name):
            return structs.replace(_withdrawn(table, guest), waiting=(*table.waiting, Waiting(guest, name)))
        case Unqueued(guest=guest):
            waiting = tuple(w for w in table.waiting if w.guest != guest)
            return _without_idle_yes(structs.replace(table, waiting=waiting), guest)
        case Renamed(seat=number, name=name):
            table = structs.replace(table, standings=renamed(table, number, name))
            return _reseat(table, number, structs.replace(table.seats[number], name=name))
        case Left(seat=number):
            return _without_idle_yes(_without(table, number), table.seats[number].guest)
        case Removed(seat=number):
            return _removed(table, number)
        case LetBack(guest=guest):
            return _let_back(table, guest)
        case SeatsOrdered(order=order):
            return _ordered(table, order)
        case OptionsSet(options=options):
            return structs.replace(table, options=options)
        case DeckPut(deck=deck):
            plain, decks = _without_pictures(deck), table.decks + (deck is not None)
            return structs.replace(table, deck=plain, deck_version=table.version + 1, decks=decks)
        case HandedOver(guest=guest):
            return structs.replace(table, owner=guest, deputy=None)
        case HostPassed(guest=guest):
            return structs.replace(table, deputy=guest)
        case HostReturned():
            return structs.replace(table, deputy=None)
        case LockTurned(locked=locked):
            return structs.replace(table, locked=locked)
        case Started(gifts_each=gifts_each, rounds=rounds, starter=starter):
            agreed = agree(len(table.seats), gifts_each, rounds, starter)
            return structs.replace(table, match=agreed, ended=False, paused=False)
        case Dealt():
            return _dealt(table, event, at)
        case DealtIn():
            return _dealt_in(table, event)
        case DealtOut():
            return _dealt_out(table, event)
        case Played():
            raise AssertionError("a move is played in one place only")
        case Paused():
            return structs.replace(table, paused=True)
        case Resumed():
            return structs.replace(table, paused=False, since=at)
        case SatIn(seat=number, level=level):
            return _reseat(table, number, structs.replace(table.seats[number], stand_in=True, level=level))
        case TookBack(seat=number):
            back = structs.replace(table.seats[number], stand_in=False, gone=False, level=None)
            return structs.replace(_reseat(table, number, back), since=at)
        case WasReady(seat=number):
            return structs.replace(table, ready=(*table.ready, number), stands=_over(table))
        case MatchEnded():
            return structs.replace(table, ended=True, paused=False, ready=())
        case Emoted(seat=number):
            seat = table.seats[number]
            return _reseat(table, number, structs.replace(seat, faces=seat.faces + 1))
        case Applauded():
            return structs.replace(table, applause=table.applause + 1)
        case MovedFor():
            return table
        case WantedAgain(seat=number):
            return structs.replace(table, again=(*table.again, number), stands=_over(table))
        case WentAgain():
            return _again(table)
        case Agreed(guest=guest):
            return structs.replace(table, agreed=(*table.agreed, Agreement(guest, table.dealt)))
        case Withdrew(guest=guest):
            return _withdrawn(table, guest)
        case _:
            assert_never(event)


def _over(table: Table) -> bool:
    return table.round is not None and table.round.over


def _reseat(table: Table, number: int, seat: Seat) -> Table:
    return structs.replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _without(table: Table, number: int) -> Table:
    """In the lobby a chair is taken away; during a match a computer player sits down on it, if they may play at all."""
    if table.stage == "lobby":
        return _ordered(table, tuple(n for n in range(len(table.seats)) if n != number))
    seat = table.seats[number]
    stand_in = not table.spoken
    level = STAND_IN_LEVEL if stand_in else None
    ready = tuple(n for n in table.ready if n != number)
    table = structs.replace(table, ready=ready)
    return _reseat(table, number, structs.replace(seat, gone=True, stand_in=stand_in, level=level))


def _removed(table: Table, number: int) -> Table:
    """Whoever was removed is out with all that they hold here."""
    guest, name = table.seats[number].guest, table.seats[number].name
    if guest is None:
        return _without(table, number)
    for held in reversed([n for n, seat in enumerate(table.seats) if seat.guest == guest]):
        table = _without(table, held)
    table = _withdrawn(table, guest)  # who cannot come in could not take it back
    deputy = None if table.deputy == guest else table.deputy
    names = (*table.removed_names, unique(name, table.removed_names))
    return structs.replace(table, removed=(*table.removed, guest), removed_names=names, deputy=deputy)


def _withdrawn(table: Table, guest: UUID) -> Table:
    """The table without somebody's agreement; whoever sits down is asked, also beside somebody who agreed before."""
    if not table.agrees(guest):
        return table
    return structs.replace(table, agreed=tuple(one for one in table.agreed if one.guest != guest))


def _without_idle_yes(table: Table, guest: UUID | None) -> Table:
    """Whoever got up before a round was dealt has nothing to take back: else a lobby would keep all who ever agreed."""
    idle = any(one.guest == guest and one.dealt == table.dealt for one in table.agreed)
    return _withdrawn(table, guest) if idle and guest is not None and not table.held_by(guest) else table


def _let_back(table: Table, guest: UUID) -> Table:
    kept = [n for n, removed in enumerate(table.removed) if removed != guest]
    return structs.replace(
        table,
        removed=tuple(table.removed[n] for n in kept),
        removed_names=tuple(table.removed_names[n] for n in kept),
    )


def _ordered(table: Table, order: tuple[int, ...]) -> Table:
    """The starter is a person, not a place: they keep the first draw wherever they sit now."""
    starter = table.options.starter
    moved: int | str = "random"
    if isinstance(starter, int) and starter in order:
        moved = order.index(starter)
    options = structs.replace(table.options, starter=moved)
    return structs.replace(table, seats=tuple(table.seats[n] for n in order), options=options)


def _without_pictures(deck: Deck | None) -> Deck | None:
    """The log has the pictures, once; nobody who decides needs them."""
    if deck is None:
        return None
    return structs.replace(deck, own=tuple(structs.replace(gift, picture=b"") for gift in deck.own))


def _dealt(table: Table, event: Dealt, at: float) -> Table:
    if table.match is None:
        raise AssertionError("cards were dealt without a match")
    match = deal_round(table.match, event.cards)
    table = _with_straight_faces(table)
    return structs.replace(
        table, match=match, dealt=table.dealt + 1, seeds=event.seeds, ready=(), stands=False, paused=False, since=at
    )


def _with_straight_faces(table: Table) -> Table:
    if not table.applause and not any(seat.faces for seat in table.seats):
        return table
    seats = tuple(structs.replace(seat, faces=0) if seat.faces else seat for seat in table.seats)
    return structs.replace(table, seats=seats, applause=0)


def _dealt_in(table: Table, event: DealtIn) -> Table:
    """They sit behind the last seat, so nobody's neighbours change but those of the last and the first (8.3)."""
    if table.match is None:
        raise AssertionError("people were dealt in without a match")
    came = tuple(Seat(waiting.name, guest=waiting.guest) for waiting in table.waiting if waiting.guest in event.guests)
    waiting = tuple(waiting for waiting in table.waiting if waiting.guest not in event.guests)
    match = join(table.match, len(came), event.gifts_each)
    return structs.replace(table, seats=(*table.seats, *came), waiting=waiting, match=match)


def _dealt_out(table: Table, event: DealtOut) -> Table:
    if table.match is None:
        raise AssertionError("somebody was dealt out without a match")
    match = drop(table.match, event.seat, event.gifts_each)
    rest = tuple(n for n in range(len(table.seats)) if n != event.seat)
    return structs.replace(_ordered(table, rest), match=match, ready=())


def _again(table: Table) -> Table:
    """Who left is gone, who waited sits down, and computer players who sat in get up."""
    stayed = tuple(n for n, seat in enumerate(table.seats) if not seat.gone)
    table = structs.replace(table, standings=counted(table))
    table = _ordered(
        structs.replace(table, match=None, ended=False, paused=False, ready=(), stands=False, again=()), stayed
    )
    seats = tuple(
        structs.replace(seat, stand_in=False, level=None) if seat.guest is not None else seat for seat in table.seats
    )
    joined = tuple(Seat(waiting.name, guest=waiting.guest) for waiting in table.waiting)
    return structs.replace(table, seats=(*seats, *joined)[:MOST_SEATS], waiting=())
