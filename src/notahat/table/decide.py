"""Commands become events, or are refused. Whoever gives the order is told by the server, never by the order."""

import random
from typing import assert_never
from uuid import UUID

from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table.events import Entry, Event, Opened
from notahat.table.illegal import TableReason
from notahat.table.lobby import (
    add_bot,
    bring_deck,
    hand_over,
    leave,
    let_in,
    lock,
    move_seat,
    put_deck,
    remove,
    rename,
    set_options,
    shuffle_seats,
    sit,
    study,
)
from notahat.table.options import Options, changed
from notahat.table.permissions import Asker, anything, asker, heed
from notahat.table.playing import (
    again,
    call_off,
    come_back,
    deal_again,
    deal_next,
    emote,
    end_match,
    move_for,
    pass_host,
    pause,
    play_for,
    play_move,
    ready,
    resume,
    return_host,
    sit_in,
    start,
)
from notahat.table.step import Step, steps
from notahat.table.table import Table

Events = tuple[Event, ...]


def open_table(
    code: str, host: UUID, options: dict[str, object], at: float, screen: bool = False, study: bool = False
) -> Entry:
    """The first entry of a table's log; raises `Illegal` for options that cannot be agreed on."""
    return Entry(at, (Opened(code, host, changed(Options(), options), screen, study=study),))


def decide(table: Table, order: do.Order) -> Events:
    """What an order causes; raises `Illegal`, and then nothing has happened."""
    return entry(table, order).events


def entry(table: Table, order: do.Order) -> Entry:
    """What an order causes, with its time: never earlier than what came before."""
    return resolve(table, order)[0]


def apply(table: Table, order: do.Order) -> Table:
    """The table after an order: for whoever keeps no log."""
    taken = resolve(table, order)[1]
    return taken[-1].after if taken else table


def resolve(table: Table, order: do.Order) -> tuple[Entry, tuple[Step, ...]]:
    """What an order causes, taken apart at once: the rules have the last word, and a move is played only here."""
    new = Entry(max(order.at, table.at), _wanted(table, order))
    return new, steps(table, new)


def _wanted(table: Table, order: do.Order) -> Events:
    heed(anything(table, order.by))
    if isinstance(order.command, do.HouseCommand):
        return _for_the_house(table, order.command, order)
    if order.by is None:
        raise Illegal(TableReason.NOT_SEATED, "the house has orders of its own")
    return _for_a_guest(asker(table, order.by, order.present, order.away, order.looks), order.command, order.luck)


def _for_a_guest(ask: Asker, command: do.Wish, luck: int) -> Events:  # noqa: C901
    match command:
        case do.Draw() | do.Give() | do.Accept() | do.Refuse() | do.Judge():
            return play_move(ask, command)
        case do.Sit():
            return sit(ask, command)
        case do.Rename():
            return rename(ask, command)
        case do.Leave():
            return leave(ask, command)
        case do.AddBot():
            return add_bot(ask, command)
        case do.Remove():
            return remove(ask, command)
        case do.LetIn():
            return let_in(ask, command)
        case do.MoveSeat():
            return move_seat(ask, command)
        case do.ShuffleSeats():
            return shuffle_seats(ask, random.Random(luck))
        case do.SetOptions():
            return set_options(ask, command)
        case do.PutDeck():
            return put_deck(ask, command)
        case do.BringDeck():
            return bring_deck(ask, command)
        case do.HandOver():
            return hand_over(ask, command)
        case do.Lock():
            return lock(ask, command)
        case do.Start():
            return start(ask, random.Random(luck))
        case do.Pause():
            return pause(ask)
        case do.Resume():
            return resume(ask)
        case do.SitIn():
            return sit_in(ask, command)
        case do.MoveFor():
            return move_for(ask, command)
        case do.DealAgain():
            return deal_again(ask, command, random.Random(luck))
        case do.EndMatch():
            return end_match(ask)
        case do.Emote():
            return emote(ask, command)
        case do.Ready():
            return ready(ask, command, random.Random(luck))
        case do.Again():
            return again(ask, command, random.Random(luck))
        case do.Study():
            return study(ask, command)
        case _:
            assert_never(command)


def _for_the_house(table: Table, command: do.HouseCommand, order: do.Order) -> Events:
    match command:
        case do.PlayFor():
            return play_for(table, command)
        case do.CallOff():
            return call_off(table)
        case do.DealNext():
            return deal_next(table, order.present, random.Random(order.luck))
        case do.ComeBack():
            return come_back(table, command)
        case do.PassHost():
            return pass_host(table, order.present)
        case do.ReturnHost():
            return return_host(table, order.present)
        case _:
            assert_never(command)
