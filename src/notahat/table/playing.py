"""The orders of a running match: moves, pauses, computer players who sit in, and what comes between rounds."""

import random
from typing import assert_never
from uuid import UUID

from notahat import rules
from notahat.gifts import cards, catalogue
from notahat.rules import Illegal, Reason, legal
from notahat.table import commands as do
from notahat.table.events import (
    By,
    Dealt,
    Emoted,
    Event,
    HostPassed,
    HostReturned,
    MatchEnded,
    Paused,
    Played,
    Resumed,
    SatIn,
    Started,
    TookBack,
    WasReady,
    WentAgain,
)
from notahat.table.illegal import TableReason
from notahat.table.lobby import check_host, own_seat, seat_at
from notahat.table.table import EMOTES, STAND_IN_LEVEL, Table

Events = tuple[Event, ...]


def start(table: Table, by: UUID, luck: random.Random) -> Events:
    check_host(table, by)
    if table.stage == "between" and table.match is not None:
        return (_deal(table, luck),)
    if table.stage != "lobby":
        raise Illegal(TableReason.MATCH_RUNNING, "a match is running")
    seats = len(table.seats)
    options = table.options
    gifts_each = 2 if seats == 2 else options.gifts_each  # rule 7.2
    starter = luck.randrange(max(seats, 1)) if options.starter == "random" else options.starter
    return (Started(gifts_each, options.rounds, starter), _deal(table, luck))


def play_move(table: Table, command: do.PlayCommand, by: UUID) -> Events:
    _check_turn(table, command.turn)
    move = _move(command, _acting_seat(table, command.seat, by))
    _check_claim(table, move)
    return _played(table, move, "person")


def play_for(table: Table, command: do.PlayFor) -> Events:
    """The house's own moves. A person's move is made for them only where the table has a limit to its patience."""
    _check_turn(table, command.turn)
    move = command.move
    seat = seat_at(table, move.seat)
    _check_claim(table, move)
    if isinstance(move, rules.Wrap):
        return _played(table, move, "itself")
    if seat.played_by_bot:
        return _played(table, move, "bot")
    if table.patience is None:
        raise Illegal(TableReason.NOT_YOUR_SEAT, "this table waits for people")
    return _played(table, move, "time")


def pause(table: Table, by: UUID) -> Events:
    seat = own_seat(table, None, by)
    _check_stage(table, "play")
    if table.paused:
        raise Illegal(TableReason.PAUSED, "the game is paused already")
    return (Paused(seat),)


def resume(table: Table, by: UUID) -> Events:
    seat = own_seat(table, None, by)
    if not table.paused:
        raise Illegal(TableReason.NOT_PAUSED, "the game is not paused")
    return (Resumed(seat),)


def sit_in(table: Table, command: do.SitIn, by: UUID, present: frozenset[UUID]) -> Events:
    check_host(table, by)
    seat = seat_at(table, command.seat)
    _check_match_running(table)
    if seat.guest is None or seat.stand_in:
        raise Illegal(TableReason.NOT_A_PERSON, "a computer player plays there already")
    if seat.guest in present:
        raise Illegal(TableReason.NOT_AWAY, "they are here")
    if table.spoken:
        raise Illegal(TableReason.NO_BOTS_AT_SPOKEN_TABLES, "computer players cannot hear")
    return (SatIn(command.seat, STAND_IN_LEVEL),)


def end_match(table: Table, by: UUID) -> Events:
    check_host(table, by)
    _check_match_running(table)
    return (MatchEnded(),)


def call_off(table: Table) -> Events:
    _check_match_running(table)
    if not all(seat.played_by_bot for seat in table.seats):
        raise Illegal(TableReason.MATCH_RUNNING, "somebody still plays")
    return (MatchEnded(),)


def emote(table: Table, command: do.Emote, by: UUID) -> Events:
    seat = own_seat(table, command.seat, by)
    if command.emote not in EMOTES:
        raise Illegal(TableReason.UNKNOWN_EMOTE, f"the faces are {', '.join(EMOTES)}")
    return (Emoted(seat, command.emote),)


def ready(table: Table, command: do.Ready, by: UUID, present: frozenset[UUID], luck: random.Random) -> Events:
    _check_stage(table, "between")
    named = table.held_by(by) if command.seat is None else (own_seat(table, command.seat, by),)
    if not named:
        raise Illegal(TableReason.NOT_SEATED, "you do not sit here")
    newly = tuple(seat for seat in named if seat not in table.ready)
    waits_for = set(table.persons_here(present | {by})) - set(table.ready) - set(newly)
    said = tuple(WasReady(seat) for seat in newly)
    if waits_for or table.match is None:
        return said
    return (*said, _deal(table, luck))


def deal_next(table: Table, present: frozenset[UUID], luck: random.Random) -> Events:
    _check_stage(table, "between")
    if table.match is None or not table.all_ready(present):
        raise Illegal(TableReason.NOT_READY, "somebody who is here is not ready")
    return (_deal(table, luck),)


def again(table: Table, by: UUID) -> Events:
    if by != table.host:
        own_seat(table, None, by)
    _check_stage(table, "over")
    return (WentAgain(),)


def come_back(table: Table, command: do.ComeBack) -> Events:
    sat_in = tuple(n for n in table.held_by(command.guest) if table.seats[n].stand_in)
    if not sat_in:
        raise Illegal(TableReason.NOT_AWAY, "nobody sits in for them")
    return tuple(TookBack(seat) for seat in sat_in)


def pass_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.host in present:
        raise Illegal(TableReason.NOT_AWAY, "the host is here")
    here = table.persons_here(present)
    if not here:
        raise Illegal(TableReason.NOT_A_PERSON, "nobody is here to take the host's role")
    guest = table.seats[here[0]].guest
    if guest is None:
        raise AssertionError("people who are here are guests")
    return (HostPassed(guest),)


def return_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.deputy is None or table.owner not in present:
        raise Illegal(TableReason.NOT_AWAY, "the host has the role")
    return (HostReturned(),)


def _deal(table: Table, luck: random.Random) -> Dealt:
    options = table.options
    deck = list(cards(options.edition, options.special_cards, options.arrows))
    luck.shuffle(deck)
    return Dealt(tuple(deck), tuple(luck.getrandbits(63) for _ in table.seats))


def _played(table: Table, move: rules.Move, by: By) -> Events:
    if table.match is None:
        raise Illegal(TableReason.NO_MATCH, "no match is running")
    return (Played(move, by),)


def _acting_seat(table: Table, named: int | None, by: UUID) -> int:
    """The seat named; else the one of this guest's seats whose turn it is."""
    round_ = table.round
    due = None if round_ is None else legal(round_).seat
    if named is None and due in table.held_by(by):
        return due
    return own_seat(table, named, by)


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


def _check_claim(table: Table, move: rules.Move) -> None:
    if not isinstance(move, rules.Give):
        return
    if table.spoken:
        if move.claim is not None:
            raise Illegal(TableReason.CLAIMS_ARE_SPOKEN, "claims are said aloud at this table")
        return
    if move.claim is None:
        raise Illegal(TableReason.CLAIM_NEEDED, "name a gift")
    if move.claim not in catalogue():
        raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {move.claim[:40]!r} in the catalogue")


def _check_turn(table: Table, turn: int) -> None:
    round_ = table.round
    if round_ is None or table.ended:
        raise Illegal(TableReason.NO_MATCH, "no round is being played")
    if turn != round_.turn:
        raise Illegal(TableReason.STALE, f"the round is at turn {round_.turn}, not {turn}")
    if table.paused:
        raise Illegal(TableReason.PAUSED, "the game is paused")


def _check_match_running(table: Table) -> None:
    if table.stage not in ("play", "between"):
        raise Illegal(TableReason.NO_MATCH, "no match is running")


def _check_stage(table: Table, stage: str) -> None:
    if table.stage == stage:
        return
    match table.stage:
        case "lobby":
            raise Illegal(TableReason.NO_MATCH, "no match is running")
        case "play":
            raise Illegal(Reason.ROUND_RUNNING, "the round is not over")
        case "between":
            raise Illegal(Reason.ROUND_OVER, "the round is over")
        case "over":
            raise Illegal(Reason.MATCH_OVER, "the match is over")
        case _:
            assert_never(table.stage)
