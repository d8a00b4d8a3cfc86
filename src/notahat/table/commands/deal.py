"""The events that deal: the first round of a match, the next round, and the next match."""

from random import Random
from uuid import UUID

from notahat.table import events as log
from notahat.table.events import Events
from notahat.table.evolve import evolve
from notahat.table.table import FEWEST_SEATS, Table


def first_round(table: Table, rng: Random) -> Events:
    options, seats = table.options, len(table.seats)
    starter = rng.randrange(seats) if options.starter == "random" else options.starter
    return (log.Started(table.gifts_each(seats), options.rounds, starter), _deal(table, seats, rng))


def next_round(table: Table, present: frozenset[UUID], rng: Random, seats: int | None = None) -> Events:
    """Deal the next round, with the waiting guests who are present (8.3)."""
    joining = tuple(waiting.guest for waiting in table.waiting if waiting.guest in present)
    seats = (len(table.seats) if seats is None else seats) + len(joining)
    dealt_in = (log.DealtIn(joining, table.gifts_each(seats)),) if joining else ()
    return (*dealt_in, _deal(table, seats, rng))


def next_match(table: Table, present: frozenset[UUID], rng: Random) -> Events:
    """Deal the next match without waiting guests who are away, or return to the lobby if too few players are left."""
    away = (log.Unqueued(waiting.guest) for waiting in table.waiting if waiting.guest not in present)
    events: Events = (*away, log.WentAgain())
    for event in events:
        table = evolve(table, event, table.at)
    return events if len(table.seats) < FEWEST_SEATS else (*events, *first_round(table, rng))


def _deal(table: Table, seats: int, rng: Random) -> log.Dealt:
    deck = list(table.cards)
    rng.shuffle(deck)
    return log.Dealt(tuple(deck), tuple(rng.getrandbits(63) for _ in range(seats)))
