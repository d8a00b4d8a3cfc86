"""The orders of a running match: moves, pauses, computer players who sit in, and what comes between rounds."""

import random
from typing import assert_never
from uuid import UUID

from notahat import rules
from notahat.rules import Illegal, legal
from notahat.table import commands as do
from notahat.table import permissions as against
from notahat.table.events import (
    Applauded,
    By,
    Dealt,
    DealtIn,
    DealtOut,
    Emoted,
    Event,
    HostPassed,
    HostReturned,
    MatchEnded,
    MovedFor,
    Paused,
    Played,
    Resumed,
    SatIn,
    Started,
    TookBack,
    WantedAgain,
    WasReady,
    WentAgain,
)
from notahat.table.evolve import evolve
from notahat.table.illegal import TableReason
from notahat.table.lobby import spoken_for
from notahat.table.permissions import Asker, heed
from notahat.table.table import EMOTES, FEWEST_SEATS, STAND_IN_LEVEL, Table

Events = tuple[Event, ...]


def start(ask: Asker, luck: random.Random) -> Events:
    heed(against.start(ask))
    if ask.table.match is not None:
        return _next_round(ask.table, ask.present, luck)
    return _start(ask.table, luck)


def _start(table: Table, luck: random.Random) -> Events:
    options, seats = table.options, len(table.seats)
    starter = luck.randrange(seats) if options.starter == "random" else options.starter
    return (Started(table.gifts_each(seats), options.rounds, starter), _deal(table, seats, luck))


def play_move(ask: Asker, command: do.PlayCommand) -> Events:
    _check_turn(ask.table, command.turn)
    move = _move(command, _acting_seat(ask, command.seat))
    _check_claim(ask.table, move)
    return _played(ask.table, move, "person")


def play_for(table: Table, command: do.PlayFor) -> Events:
    """The house's own moves. A person's move is made for them only where the table has a limit to its patience."""
    _check_turn(table, command.turn)
    move = command.move
    heed(against.seat(table, move.seat))
    _check_claim(table, move)
    if isinstance(move, rules.Wrap):
        return _played(table, move, "itself")
    if table.seats[move.seat].played_by_bot:
        return _played(table, move, "bot")
    if table.patience is None:
        raise Illegal(TableReason.NOT_YOUR_SEAT, "this table waits for people")
    return _played(table, move, "time")


def pause(ask: Asker) -> Events:
    heed(against.pause(ask))
    return (Paused(ask.held[0]),)


def resume(ask: Asker) -> Events:
    heed(against.resume(ask))
    return (Resumed(ask.held[0]),)


def sit_in(ask: Asker, command: do.SitIn) -> Events:
    heed(against.sit_in(ask, command.seat))
    return (SatIn(command.seat, STAND_IN_LEVEL),)


def move_for(ask: Asker, command: do.MoveFor) -> Events:
    """Somebody at a spoken table moves for a person who is away: everybody saw what they had, so anybody may speak."""
    _check_turn(ask.table, command.turn)
    heed(against.move_for(ask, command.seat))
    move = _absent_move(command)
    return (MovedFor(command.seat, next(iter(ask.held), None)), *_played(ask.table, move, "another"))


def deal_again(ask: Asker, command: do.DealAgain, luck: random.Random) -> Events:
    """Rule 8.4."""
    heed(against.deal_again(ask, command.seat))
    seats = len(ask.table.seats) - 1
    if seats < FEWEST_SEATS:
        return (MatchEnded(),)
    out = DealtOut(command.seat, ask.table.gifts_each(seats))
    return (out, *_next_round(ask.table, ask.present, luck, seats))


def end_match(ask: Asker) -> Events:
    heed(against.end_match(ask))
    return (MatchEnded(),)


def call_off(table: Table) -> Events:
    heed(against.running(table))
    if not all(seat.played_by_bot for seat in table.seats):
        raise Illegal(TableReason.MATCH_RUNNING, "somebody still plays")
    return (MatchEnded(),)


def emote(ask: Asker, command: do.Emote) -> Events:
    heed(against.emote(ask, command.seat))
    if command.emote not in EMOTES:
        raise Illegal(TableReason.UNKNOWN_EMOTE, f"the faces are {', '.join(EMOTES)}")
    if not ask.held:
        return (Applauded(command.emote),)
    return (Emoted(spoken_for(ask, command.seat), command.emote),)


def ready(ask: Asker, command: do.Ready, luck: random.Random) -> Events:
    heed(against.ready(ask, command.seat))
    table = ask.table
    named = ask.held if command.seat is None else (command.seat,)
    newly = tuple(seat for seat in named if seat not in table.ready)
    waits_for = set(table.persons_here(ask.present)) - set(table.ready) - set(newly)
    said = tuple(WasReady(seat) for seat in newly)
    if waits_for or ask.stage != "between":
        return said
    return (*said, *_next_round(table, ask.present, luck))


def deal_next(table: Table, present: frozenset[UUID], luck: random.Random) -> Events:
    if table.stage == "over" and table.all_want_another(present):
        return _another(table, luck)
    heed(against.stage(table, "between"))
    if table.match is None or not table.all_ready(present):
        raise Illegal(TableReason.NOT_READY, "somebody who is here is not ready")
    return _next_round(table, present, luck)


def again(ask: Asker, command: do.Again, luck: random.Random) -> Events:
    heed(against.again(ask))
    if not command.deal:
        return (WentAgain(),)
    heed(against.speak(ask, None))
    table = ask.table
    wants = tuple(seat for seat in ask.held if seat not in table.again)
    said = tuple(WantedAgain(seat) for seat in wants)
    waits_for = set(table.persons_here(ask.present)) - set(table.again) - set(wants)
    return said if waits_for else (*said, *_another(table, luck))


def _another(table: Table, luck: random.Random) -> Events:
    """The next match at once; the lobby where too few are left for one."""
    after = evolve(table, WentAgain(), table.at)
    return (WentAgain(),) if len(after.seats) < FEWEST_SEATS else (WentAgain(), *_start(after, luck))


def come_back(table: Table, command: do.ComeBack) -> Events:
    sat_in = tuple(n for n in table.held_by(command.guest) if table.seats[n].stand_in)
    if not sat_in:
        raise Illegal(TableReason.NOT_AWAY, "nobody sits in for them")
    return tuple(TookBack(seat) for seat in sat_in)


def pass_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.host in present:
        raise Illegal(TableReason.NOT_AWAY, "the host is here")
    heirs = table.heirs(present)
    if not heirs:
        raise Illegal(TableReason.NOT_A_PERSON, "nobody is here to take the host's role")
    return (HostPassed(heirs[0]),)


def return_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.deputy is None or table.owner not in present:
        raise Illegal(TableReason.NOT_AWAY, "the host has the role")
    return (HostReturned(),)


def _next_round(table: Table, present: frozenset[UUID], luck: random.Random, seats: int | None = None) -> Events:
    """The next round, with those who wait and are here (8.3)."""
    came = tuple(waiting.guest for waiting in table.waiting if waiting.guest in present)
    seats = (len(table.seats) if seats is None else seats) + len(came)
    dealt_in = (DealtIn(came, table.gifts_each(seats)),) if came else ()
    return (*dealt_in, _deal(table, seats, luck))


def _deal(table: Table, seats: int, luck: random.Random) -> Dealt:
    deck = list(table.cards)
    luck.shuffle(deck)
    return Dealt(tuple(deck), tuple(luck.getrandbits(63) for _ in range(seats)))


def _played(table: Table, move: rules.Move, by: By) -> Events:
    if table.match is None:
        raise Illegal(TableReason.NO_MATCH, "no match is running")
    return (Played(move, by),)


def _acting_seat(ask: Asker, named: int | None) -> int:
    """The seat named; else the one of this guest's seats whose turn it is."""
    due = None if ask.table.round is None else legal(ask.table.round).seat
    if named is None and due in ask.held:
        return due
    heed(against.speak(ask, named))
    return spoken_for(ask, named)


def _move(command: do.PlayCommand, seat: int) -> rules.Move:
    match command:
        case do.Draw():
            return rules.Draw(seat)
        case do.Give(claim=claim, to=to):
            return rules.Give(seat, claim, to)
        case do.Accept():
            return rules.Accept(seat)
        case do.Refuse():
            return rules.Refuse(seat)
        case do.Judge(wrong=wrong):
            return rules.Judge(seat, wrong)
        case _:
            assert_never(command)


def _absent_move(command: do.MoveFor) -> rules.Move:
    match command.move:
        case "draw":
            return rules.Draw(command.seat)
        case "give":
            return rules.Give(command.seat, None, command.to)
        case "accept":
            return rules.Accept(command.seat)
        case "refuse":
            return rules.Refuse(command.seat)
        case _:
            assert_never(command.move)


def _check_claim(table: Table, move: rules.Move) -> None:
    if not isinstance(move, rules.Give):
        return
    if table.spoken:
        if move.claim is not None:
            raise Illegal(TableReason.CLAIMS_ARE_SPOKEN, "claims are said aloud at this table")
        return
    if move.claim is None:
        raise Illegal(TableReason.CLAIM_NEEDED, "name a gift")
    if not table.knows(move.claim):
        raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {move.claim[:40]!r} in the catalogue")


def _check_turn(table: Table, turn: int) -> None:
    if table.round is not None and not table.ended and turn != table.round.turn:
        raise Illegal(TableReason.STALE, f"the round is at turn {table.round.turn}, not {turn}")
    heed(against.move(table))
