"""What one guest may do now. Buttons are there because this says so."""

from collections.abc import Iterator
from functools import cache
from uuid import UUID

from msgspec import Struct

from notahat.rules import Round, legal
from notahat.rules.moves import Wrong
from notahat.rules.round import Drawing, Over
from notahat.table.table import FEWEST_SEATS, MOST_SEATS, Stage, Table


class May(Struct, frozen=True, omit_defaults=True):
    """One thing to do: from an own `seat`, `to` which receivers, about which other `seats`, who may be `wrong`."""

    do: str
    seat: int | None = None
    to: tuple[int, ...] | None = None
    seats: tuple[int, ...] | None = None
    wrong: tuple[Wrong, ...] | None = None


def may(table: Table, guest: UUID, present: frozenset[UUID]) -> tuple[May, ...]:
    """Everything this guest may do now."""
    if guest in table.removed:
        return ()
    held, stage = table.held_by(guest), table.stage
    hosts = guest == table.host
    return (
        *_sitting(table, guest, held, stage, hosts),
        *(_hosting(table, stage, present) if hosts else ()),
        *(_playing(table, held, stage) if held else ()),
        *((May("again"),) if stage == "over" and (held or hosts) else ()),
    )


def _sitting(table: Table, guest: UUID, held: tuple[int, ...], stage: Stage, hosts: bool) -> Iterator[May]:
    waits = any(waiting.guest == guest for waiting in table.waiting)
    if _may_sit(table, guest, stage, known=hosts or bool(held), seated=waits or bool(held)):
        yield May("sit")
    for seat in held:
        yield from _own(seat)
    if waits:
        yield May("leave")


@cache
def _own(seat: int) -> tuple[May, ...]:
    """What goes with every seat."""
    return May("rename", seat=seat), May("leave", seat=seat), May("emote", seat=seat)


def _may_sit(table: Table, guest: UUID, stage: Stage, known: bool, seated: bool) -> bool:
    if table.left_by(guest):
        return True
    if table.locked and not known:
        return False
    if stage != "lobby" and seated:
        return False
    return len(table.seats) + len(table.waiting) < MOST_SEATS


def _hosting(table: Table, stage: Stage, present: frozenset[UUID]) -> Iterator[May]:
    own = table.host
    others = tuple(n for n, seat in enumerate(table.seats) if seat.guest != own)
    persons = tuple(n for n in others if table.seats[n].guest is not None and not table.seats[n].gone)
    yield May("lock")
    if persons:
        yield May("hand_over", seats=persons)
    if stage == "lobby":
        yield from _furnishing(table, others)
    else:
        yield from _refereeing(table, stage, persons, present)


def _furnishing(table: Table, others: tuple[int, ...]) -> Iterator[May]:
    yield May("set_options")
    if len(table.seats) < MOST_SEATS and not table.spoken:
        yield May("add_bot")
    if len(table.seats) > 1:
        yield May("move_seat", seats=tuple(range(len(table.seats))))
        yield May("shuffle_seats")
    if others:
        yield May("remove", seats=others)
    if len(table.seats) >= FEWEST_SEATS:
        yield May("start")


def _refereeing(table: Table, stage: Stage, persons: tuple[int, ...], present: frozenset[UUID]) -> Iterator[May]:
    if persons and not table.spoken:
        yield May("remove", seats=persons)
    if stage == "between":
        yield May("start")
    if stage == "over":
        return
    away = tuple(n for n in persons if table.seats[n].guest not in present and not table.seats[n].stand_in)
    if away and not table.spoken:
        yield May("sit_in", seats=away)
    yield May("end_match")


def _playing(table: Table, held: tuple[int, ...], stage: Stage) -> Iterator[May]:
    round_ = table.round
    if round_ is not None and not table.ended and not table.paused:
        yield from _moves(round_, held)
    match stage:
        case "play":
            yield May("resume" if table.paused else "pause")
        case "between":
            for seat in held:
                if seat not in table.ready:
                    yield May("ready", seat=seat)
        case "over" | "lobby":
            pass


def _moves(round_: Round, held: tuple[int, ...]) -> Iterator[May]:
    due = legal(round_)
    if due.seat in held:
        for move in due.moves:
            if move == "give":
                yield May("give", seat=due.seat, to=due.receivers)
            elif move != "wrap":  # cards wrap by themselves
                yield May(move, seat=due.seat)
    if due.moves == ("judge",):
        for seat in held:
            yield May("judge", seat=seat, wrong=("giver", "receiver"))
    phase = round_.phase
    if due.correctable and isinstance(phase, Drawing | Over) and phase.verdict is not None:
        other: Wrong = "receiver" if phase.verdict.wrong == "giver" else "giver"
        for seat in held:
            yield May("judge", seat=seat, wrong=(other,))
