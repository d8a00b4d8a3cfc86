"""Who sits where, and what is agreed on: the orders that change the people and the options of a table."""

import random
from uuid import UUID

from notahat.rules import Illegal, Reason
from notahat.table import commands as do
from notahat.table.events import (
    BotSat,
    Event,
    HandedOver,
    HostReturned,
    Left,
    LockTurned,
    OptionsSet,
    Queued,
    Removed,
    Renamed,
    Sat,
    SeatsOrdered,
    TookBack,
    Unqueued,
)
from notahat.table.illegal import TableReason
from notahat.table.name import tidy, unique
from notahat.table.options import changed
from notahat.table.table import MOST_SEATS, Seat, Table

Events = tuple[Event, ...]


def sit(table: Table, command: do.Sit, by: UUID) -> Events:
    left = table.left_by(by)
    if left:
        return tuple(TookBack(seat) for seat in left)
    name = unique(tidy(command.name), _names(table))
    if table.locked and by != table.host and not table.held_by(by):
        raise Illegal(TableReason.TABLE_LOCKED, "the host lets nobody else sit down")
    if len(table.seats) + len(table.waiting) >= MOST_SEATS:
        raise Illegal(TableReason.TABLE_FULL, f"no more than {MOST_SEATS} play")
    if table.stage == "lobby":
        return (Sat(by, name),)
    if table.held_by(by) or any(waiting.guest == by for waiting in table.waiting):
        raise Illegal(TableReason.MATCH_RUNNING, "you play or wait already; more of you can sit down after the match")
    return (Queued(by, name),)


def rename(table: Table, command: do.Rename, by: UUID) -> Events:
    seat = own_seat(table, command.seat, by)
    others = [name for n, name in enumerate(_names(table)) if n != seat]
    return (Renamed(seat, unique(tidy(command.name), others)),)


def leave(table: Table, command: do.Leave, by: UUID, present: frozenset[UUID]) -> Events:
    if any(waiting.guest == by for waiting in table.waiting):
        return (Unqueued(by),)
    held = table.held_by(by) if command.seat is None else (own_seat(table, command.seat, by),)
    if not held:
        raise Illegal(TableReason.NOT_SEATED, "you do not sit here")
    gone = tuple(Left(seat) for seat in reversed(held))
    if len(held) < len(table.held_by(by)):
        return gone
    return (*gone, *_without_host(table, by, present))


def _without_host(table: Table, by: UUID, present: frozenset[UUID]) -> Events:
    """A host who leaves hands the role to somebody who is here; who only stood in for the host gives it back."""
    if by == table.deputy:
        return (HostReturned(),)
    heir = next((table.seats[n].guest for n in table.persons_here(present) if table.seats[n].guest != by), None)
    return (HandedOver(heir),) if by == table.owner and heir is not None else ()


def add_bot(table: Table, command: do.AddBot, by: UUID) -> Events:
    check_host(table, by)
    _check_lobby(table)
    if table.spoken:
        raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear")
    if len(table.seats) >= MOST_SEATS:
        raise Illegal(TableReason.TABLE_FULL, f"no more than {MOST_SEATS} play")
    name = unique(tidy(command.name or "Robot"), _names(table))
    return (BotSat(name, command.level, command.character),)


def remove(table: Table, command: do.Remove, by: UUID) -> Events:
    check_host(table, by)
    seat = seat_at(table, command.seat)
    if seat.guest == table.host:
        raise Illegal(TableReason.NOT_A_PERSON, "the host can leave, but not be removed")
    if table.stage != "lobby":
        if seat.guest is None or seat.guest in table.removed:
            raise Illegal(TableReason.MATCH_RUNNING, "a computer player stays until the match is over")
        if table.spoken:
            raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "nobody could play on for them")
    return (Removed(command.seat),)


def move_seat(table: Table, command: do.MoveSeat, by: UUID) -> Events:
    check_host(table, by)
    _check_lobby(table)
    seat_at(table, command.seat)
    seat_at(table, command.to)
    order = [n for n in range(len(table.seats)) if n != command.seat]
    order.insert(command.to, command.seat)
    return (SeatsOrdered(tuple(order)),)


def shuffle_seats(table: Table, by: UUID, luck: random.Random) -> Events:
    check_host(table, by)
    _check_lobby(table)
    order = list(range(len(table.seats)))
    luck.shuffle(order)
    return (SeatsOrdered(tuple(order)),)


def set_options(table: Table, command: do.SetOptions, by: UUID) -> Events:
    check_host(table, by)
    _check_lobby(table)
    options = changed(table.options, command.options)
    if options.claims == "spoken" and any(seat.guest is None for seat in table.seats):
        raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear")
    return (OptionsSet(options),)


def hand_over(table: Table, command: do.HandOver, by: UUID) -> Events:
    check_host(table, by)
    seat = seat_at(table, command.seat)
    if seat.guest is None or seat.gone:
        raise Illegal(TableReason.NOT_A_PERSON, "only somebody who plays here can be host")
    return (HandedOver(seat.guest),)


def lock(table: Table, command: do.Lock, by: UUID) -> Events:
    check_host(table, by)
    return (LockTurned(command.locked),)


def check_host(table: Table, by: UUID) -> None:
    if by != table.host:
        raise Illegal(TableReason.NOT_HOST, "only the host may do that")


def seat_at(table: Table, number: int) -> Seat:
    if not 0 <= number < len(table.seats):
        raise Illegal(Reason.NO_SUCH_SEAT, f"there is no seat {number}")
    return table.seats[number]


def own_seat(table: Table, number: int | None, by: UUID) -> int:
    """The seat that a guest speaks for: the one named, or their first."""
    held = table.held_by(by)
    if not held:
        raise Illegal(TableReason.NOT_SEATED, "you do not sit here")
    if number is None:
        return held[0]
    if number not in held:
        raise Illegal(TableReason.NOT_YOUR_SEAT, f"seat {number} is not yours")
    return number


def _check_lobby(table: Table) -> None:
    if table.stage != "lobby":
        raise Illegal(TableReason.MATCH_RUNNING, "that waits until the match is over")


def _names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats] + [waiting.name for waiting in table.waiting]
