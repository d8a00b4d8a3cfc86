"""Commands of a running match: moves, pauses, stand-ins, emotes, and what comes between rounds and matches."""

import random
from typing import assert_never
from uuid import UUID

from notahat import rules
from notahat.rules import Illegal, legal
from notahat.table import commands as do
from notahat.table import events as log
from notahat.table import permissions
from notahat.table.events import By, Events
from notahat.table.evolve import evolve
from notahat.table.lobby import named_or_first_seat
from notahat.table.permissions import GuestContext, require
from notahat.table.table import EMOTES, FEWEST_SEATS, STAND_IN_LEVEL, Table
from notahat.table.table_reasons import TableReason


def start(ctx: GuestContext, rng: random.Random) -> Events:
    require(permissions.start(ctx))
    if ctx.table.match is not None:
        return _next_round(ctx.table, ctx.present, rng)
    return _first_round(ctx.table, rng)


def _first_round(table: Table, rng: random.Random) -> Events:
    options, seats = table.options, len(table.seats)
    starter = rng.randrange(seats) if options.starter == "random" else options.starter
    return (log.Started(table.gifts_each(seats), options.rounds, starter), _deal(table, seats, rng))


def play_move(ctx: GuestContext, command: do.PlayCommand) -> Events:
    _check_turn(ctx.table, command.turn)
    move = _move(command, _acting_seat(ctx, command.seat))
    _check_claim(ctx.table, move)
    return _played(ctx.table, move, "person")


def play_for(table: Table, command: do.PlayFor) -> Events:
    """Make a move without a person. A person's own move is made for them only if the table's patience is limited."""
    _check_turn(table, command.turn)
    move = command.move
    require(permissions.existing_seat(table, move.seat))
    _check_claim(table, move)
    if isinstance(move, rules.Wrap):
        return _played(table, move, "itself")
    if table.seats[move.seat].played_by_bot:
        return _played(table, move, "bot")
    if table.patience is None:
        raise Illegal(TableReason.NOT_YOUR_SEAT, "this table waits for its players without limit")
    return _played(table, move, "time")


def pause(ctx: GuestContext) -> Events:
    require(permissions.pause(ctx))
    return (log.Paused(ctx.held[0]),)


def resume(ctx: GuestContext) -> Events:
    require(permissions.resume(ctx))
    return (log.Resumed(ctx.held[0]),)


def sit_in(ctx: GuestContext, command: do.SitIn) -> Events:
    require(permissions.sit_in(ctx, command.seat))
    return (log.SatIn(command.seat, STAND_IN_LEVEL),)


def nudge(ctx: GuestContext, command: do.Nudge) -> Events:
    require(permissions.nudge(ctx, command.seat))
    return (log.Nudged(command.seat, _other_seat(ctx, command.seat)),)


def bot_move(ctx: GuestContext, command: do.BotMove, move: rules.Move | None) -> Events:
    """Make the move of an idle player as a computer player would, which has seen the round from that seat."""
    _check_turn(ctx.table, command.turn)
    require(permissions.bot_move(ctx, command.seat))
    if move is None:
        raise Illegal(TableReason.NOT_IDLE, "no computer player can make this move")
    return (log.Helped(command.seat, _other_seat(ctx, command.seat)), *_played(ctx.table, move, "bot"))


def _other_seat(ctx: GuestContext, number: int) -> int:
    """Return the seat from which a guest helps another player."""
    return next(seat for seat in ctx.held if seat != number)


def vote(ctx: GuestContext, command: do.Vote) -> Events:
    """Check a vote. It causes no event: the room keeps it until the gift is revealed."""
    _check_turn(ctx.table, command.turn)
    require(permissions.vote(ctx))
    return ()


def count_votes(table: Table, command: do.CountVotes) -> Events:
    _check_same_turn(table, command.turn)
    return (log.CrowdVoted(command.votes.believed, command.votes.doubted),)


def move_for(ctx: GuestContext, command: do.MoveFor) -> Events:
    _check_turn(ctx.table, command.turn)
    require(permissions.move_for(ctx, command.seat))
    move = _absent_move(command)
    return (log.MovedFor(command.seat, next(iter(ctx.held), None)), *_played(ctx.table, move, "another"))


def deal_again(ctx: GuestContext, command: do.DealAgain, rng: random.Random) -> Events:
    """Rule 8.4."""
    require(permissions.deal_again(ctx, command.seat))
    seats = len(ctx.table.seats) - 1
    if seats < FEWEST_SEATS:
        return (log.MatchEnded(),)
    out = log.DealtOut(command.seat, ctx.table.gifts_each(seats))
    return (out, *_next_round(ctx.table, ctx.present, rng, seats))


def end_match(ctx: GuestContext) -> Events:
    require(permissions.end_match(ctx))
    return (log.MatchEnded(),)


def call_off(table: Table) -> Events:
    require(permissions.running_match(table))
    if not all(seat.played_by_bot for seat in table.seats):
        raise Illegal(TableReason.MATCH_RUNNING, "a person still plays")
    return (log.MatchEnded(),)


def emote(ctx: GuestContext, command: do.Emote) -> Events:
    require(permissions.emote(ctx, command.seat))
    if command.emote not in EMOTES:
        raise Illegal(TableReason.UNKNOWN_EMOTE, f"the emotes are {', '.join(EMOTES)}")
    if not ctx.held:
        return (log.Applauded(command.emote),)
    return (log.Emoted(named_or_first_seat(ctx, command.seat), command.emote),)


def ready(ctx: GuestContext, command: do.Ready, rng: random.Random) -> Events:
    require(permissions.ready(ctx, command.seat))
    table = ctx.table
    seats = ctx.held if command.seat is None else (command.seat,)
    newly_ready = tuple(seat for seat in seats if seat not in table.ready)
    missing = set(table.present_players(ctx.present)) - set(table.ready) - set(newly_ready)
    events = tuple(log.WasReady(seat) for seat in newly_ready)
    if missing or ctx.stage != "between":
        return events
    return (*events, *_next_round(table, ctx.present, rng))


def deal_next(table: Table, present: frozenset[UUID], rng: random.Random) -> Events:
    if table.stage == "over" and table.all_want_another(present):
        return _next_match(table, rng)
    require(permissions.in_stage(table, "between"))
    if table.match is None or not table.all_ready(present):
        raise Illegal(TableReason.NOT_READY, "a player who is present is not ready")
    return _next_round(table, present, rng)


def again(ctx: GuestContext, command: do.Again, rng: random.Random) -> Events:
    require(permissions.again(ctx))
    if not command.deal:
        return (log.WentAgain(),)
    table = ctx.table
    if ctx.shows_the_room:  # the people in the room decide in front of it
        return (log.WentAgain(),) if table.absent_players(ctx.present) else _next_match(table, rng)
    require(permissions.own_seat(ctx, None))
    new_votes = tuple(seat for seat in ctx.held if seat not in table.again)
    events = tuple(log.WantedAgain(seat) for seat in new_votes)
    missing = set(table.present_players(ctx.present)) - set(table.again) - set(new_votes)
    if missing or table.absent_players(ctx.present):
        return events
    return (*events, *_next_match(table, rng))


def play_without(ctx: GuestContext, command: do.PlayWithout, rng: random.Random) -> Events:
    """Leave out an absent player. The next match is dealt if all others have voted for it."""
    require(permissions.play_without(ctx, command.seat))
    out = (log.LeftOut(command.seat), *_replace_absent_host(ctx, command.seat))
    after = ctx.table
    for event in out:
        after = evolve(after, event, after.at)
    return (*out, *_next_match(after, rng)) if after.all_want_another(ctx.present) else out


def _replace_absent_host(ctx: GuestContext, number: int) -> Events:
    """Pass the role of a left out host to a player who is present."""
    table = ctx.table
    others = [guest for guest in table.host_candidates(ctx.present) if guest != table.owner]
    is_last_seat = table.seats_of(table.owner) == (number,)
    return (log.HandedOver(others[0]),) if is_last_seat and others else ()


def _next_match(table: Table, rng: random.Random) -> Events:
    """Deal the next match, or return to the lobby if too few players are left."""
    after = evolve(table, log.WentAgain(), table.at)
    return (log.WentAgain(),) if len(after.seats) < FEWEST_SEATS else (log.WentAgain(), *_first_round(after, rng))


def come_back(table: Table, command: do.ComeBack) -> Events:
    seats = tuple(n for n in table.seats_of(command.guest) if table.seats[n].stand_in)
    if not seats:
        raise Illegal(TableReason.NOT_AWAY, "no stand-in plays for this guest")
    return tuple(log.TookBack(seat) for seat in seats)


def pass_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.host in present:
        raise Illegal(TableReason.NOT_AWAY, "the host is present")
    candidates = table.host_candidates(present)
    if not candidates:
        raise Illegal(TableReason.NOT_A_PERSON, "no player is present to take the host's role")
    return (log.HostPassed(candidates[0]),)


def return_host(table: Table, present: frozenset[UUID]) -> Events:
    if table.deputy is None or table.owner not in present:
        raise Illegal(TableReason.NOT_AWAY, "the host is away, or has the role already")
    return (log.HostReturned(),)


def _next_round(table: Table, present: frozenset[UUID], rng: random.Random, seats: int | None = None) -> Events:
    """Deal the next round, with the waiting guests who are present (8.3)."""
    joining = tuple(waiting.guest for waiting in table.waiting if waiting.guest in present)
    seats = (len(table.seats) if seats is None else seats) + len(joining)
    dealt_in = (log.DealtIn(joining, table.gifts_each(seats)),) if joining else ()
    return (*dealt_in, _deal(table, seats, rng))


def _deal(table: Table, seats: int, rng: random.Random) -> log.Dealt:
    deck = list(table.cards)
    rng.shuffle(deck)
    return log.Dealt(tuple(deck), tuple(rng.getrandbits(63) for _ in range(seats)))


def _played(table: Table, move: rules.Move, by: By) -> Events:
    if table.match is None:
        raise Illegal(TableReason.NO_MATCH, "no match is running")
    return (log.Played(move, by),)


def _acting_seat(ctx: GuestContext, named: int | None) -> int:
    """Return the named seat, else the guest's seat whose turn it is, else the guest's first seat."""
    due = None if ctx.table.round is None else legal(ctx.table.round).seat
    if named is None and due in ctx.held:
        return due
    require(permissions.own_seat(ctx, named))
    return named_or_first_seat(ctx, named)


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
            raise Illegal(TableReason.CLAIMS_ARE_SPOKEN, "claims are spoken at this table, not entered")
        return
    if move.claim is None:
        raise Illegal(TableReason.CLAIM_NEEDED, "the claim is missing")
    if not table.allows_claim(move.claim):
        raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {move.claim[:40]!r} in the catalogue")


def _check_turn(table: Table, turn: int) -> None:
    _check_same_turn(table, turn)
    require(permissions.move(table))


def _check_same_turn(table: Table, turn: int) -> None:
    if table.round is not None and not table.ended and turn != table.round.turn:
        raise Illegal(TableReason.STALE, f"the round is at turn {table.round.turn}, not {turn}")
