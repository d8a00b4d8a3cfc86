"""Who sits where, and what is agreed on: the orders that change the people and the options of a table."""

import random

from notahat.gifts import DeckReason, deck_of
from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table import permissions as against
from notahat.table.events import (
    Agreed,
    BotSat,
    DeckPut,
    Event,
    HandedOver,
    HostReturned,
    Left,
    LetBack,
    LockTurned,
    MatchEnded,
    OptionsSet,
    Queued,
    Removed,
    Renamed,
    Sat,
    SeatsOrdered,
    TookBack,
    Unqueued,
    Withdrew,
)
from notahat.table.illegal import TableReason
from notahat.table.name import tidy, unique
from notahat.table.options import changed
from notahat.table.permissions import Asker, heed
from notahat.table.table import Table

Events = tuple[Event, ...]


def sit(ask: Asker, command: do.Sit) -> Events:
    left = ask.table.left_by(ask.guest)
    if left:
        named = tuple(seat for seat in left if ask.table.seats[seat].name == command.name)
        return tuple(TookBack(seat) for seat in named or left)
    name = unique(tidy(command.name), _names(ask.table), ask.looks)
    heed(against.sit(ask))
    if ask.stage != "lobby":
        return (Queued(ask.guest, name),)
    first = ask.table.owner == ask.table.screen != ask.guest
    return (Sat(ask.guest, name), HandedOver(ask.guest)) if first else (Sat(ask.guest, name),)


def rename(ask: Asker, command: do.Rename) -> Events:
    heed(against.rename(ask, command.seat))
    seat = spoken_for(ask, command.seat)
    others = [name for n, name in enumerate(_names(ask.table)) if n != seat]
    return (Renamed(seat, unique(tidy(command.name), others, ask.looks)),)


def leave(ask: Asker, command: do.Leave) -> Events:
    heed(against.leave(ask, command.seat))
    if ask.table.waits(ask.guest):
        back = (HostReturned(),) if ask.guest == ask.table.deputy else ()
        return (Unqueued(ask.guest), *back)
    left = ask.held if command.seat is None else (command.seat,)
    gone = tuple(Left(seat) for seat in reversed(left))
    if len(left) < len(ask.held):
        return gone
    return (*gone, *_without_host(ask), *_without_anybody(ask))


def _without_host(ask: Asker) -> Events:
    """A host who leaves hands the role to somebody who is here, or else back to the big screen it began on; who only
    stood in for the host gives it back.
    """
    table = ask.table
    if ask.guest == table.deputy:
        return (HostReturned(),)
    here = (table.seats[n].guest for n in table.persons_here(ask.present))
    heir = next((guest for guest in here if guest != ask.guest), table.screen)
    return (HandedOver(heir),) if ask.guest == table.owner and heir is not None else ()


def _without_anybody(ask: Asker) -> Events:
    """Where computers cannot play on, a match ends with the last person who leaves it."""
    running = ask.table.spoken and ask.stage in ("play", "between")
    stays = any(seat.guest != ask.guest and not seat.gone for seat in ask.table.seats)
    return (MatchEnded(),) if running and not stays else ()


def add_bot(ask: Asker, command: do.AddBot) -> Events:
    heed(against.add_bot(ask))
    name = unique(tidy(command.name or "Robot"), _names(ask.table), ask.looks)
    return (BotSat(name, command.level, command.character),)


def remove(ask: Asker, command: do.Remove) -> Events:
    heed(against.remove(ask, command.seat))
    return (Removed(command.seat),)


def let_in(ask: Asker, command: do.LetIn) -> Events:
    heed(against.let_in(ask))
    table = ask.table
    for guest, name in zip(table.removed, table.removed_names, strict=True):
        if name == command.name:
            return (LetBack(guest),)
    raise Illegal(TableReason.NOT_REMOVED, "nobody of that name was sent away")


def move_seat(ask: Asker, command: do.MoveSeat) -> Events:
    heed(against.move_seat(ask, command.seat))
    heed(against.seat(ask.table, command.to))
    order = [n for n in range(len(ask.table.seats)) if n != command.seat]
    order.insert(command.to, command.seat)
    return (SeatsOrdered(tuple(order)),)


def shuffle_seats(ask: Asker, luck: random.Random) -> Events:
    heed(against.shuffle_seats(ask))
    order = list(range(len(ask.table.seats)))
    luck.shuffle(order)
    return (SeatsOrdered(tuple(order)),)


def set_options(ask: Asker, command: do.SetOptions) -> Events:
    heed(against.set_options(ask))
    options = changed(ask.table.options, command.options)
    if options.claims == "spoken" and any(seat.guest is None for seat in ask.table.seats):
        raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear")
    return (OptionsSet(options),)


def put_deck(ask: Asker, command: do.PutDeck) -> Events:
    if command.deck is None:
        heed(against.arrange(ask))
        return (DeckPut(None),) if ask.table.deck is not None else ()
    heed(against.put_deck(ask))
    if command.deck.own:
        raise Illegal(DeckReason.PICTURE, "own gifts are brought as a file: POST /api/tables/{code}/deck")
    return (DeckPut(deck_of(command.deck, ask.looks)),)


def bring_deck(ask: Asker, command: do.BringDeck) -> Events:
    heed(against.put_deck(ask))
    return (DeckPut(command.deck),)


def hand_over(ask: Asker, command: do.HandOver) -> Events:
    heed(against.hand_over(ask, command.seat))
    guest = ask.table.seats[command.seat].guest
    if guest is None:
        raise AssertionError("hosts are persons")
    return (HandedOver(guest),)


def lock(ask: Asker, command: do.Lock) -> Events:
    heed(against.lock(ask))
    return (LockTurned(command.locked),)


def study(ask: Asker, command: do.Study) -> Events:
    heed(against.study(ask, command.agree))
    if not command.agree:
        return (Withdrew(ask.guest),)
    return () if ask.table.agrees(ask.guest) else (Agreed(ask.guest),)


def spoken_for(ask: Asker, number: int | None) -> int:
    """The seat that a guest speaks for: the one named, or their first."""
    return ask.held[0] if number is None else number


def _names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats] + [waiting.name for waiting in table.waiting]
