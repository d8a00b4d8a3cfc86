"""What one guest may do now: everything that nothing is said against. Buttons are there because this says so."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import get_args
from uuid import UUID

from msgspec import Struct

from notahat.rules import Round, legal
from notahat.rules.moves import Wrong
from notahat.rules.round import Drawing, Over
from notahat.table import permissions as against
from notahat.table.commands import AbsentMove
from notahat.table.permissions import Asker, Objection
from notahat.table.table import MOST_SEATS, Table


class May(Struct, frozen=True, omit_defaults=True):
    """One thing to do: from an own `seat`, `to` which receivers, about which other `seats`, who may be `wrong`; which
    `moves` to make for somebody, the `names` of people without a seat, and whether it is to `agree` or to withdraw.
    """

    do: str
    seat: int | None = None
    to: tuple[int, ...] | None = None
    seats: tuple[int, ...] | None = None
    wrong: tuple[Wrong, ...] | None = None
    moves: tuple[AbsentMove, ...] | None = None
    names: tuple[str, ...] | None = None
    agree: bool | None = None


def may(table: Table, guest: UUID, present: frozenset[UUID], away: frozenset[UUID] = frozenset()) -> tuple[May, ...]:
    """Everything this guest may do now. `away` are those who have been away for a while."""
    if against.anything(table, guest):
        return ()
    ask = against.asker(table, guest, present, away)
    return (
        *_sitting(ask),
        *(_hosting(ask) if ask.hosts else ()),
        *(_unless(against.start(ask), "start") if not ask.hosts else ()),  # the big screen
        *(_absent(ask) if ask.held and not ask.hosts else ()),
        *(_playing(ask) if ask.held else ()),
        *_unless(against.again(ask), "again"),
        *_study(ask),
    )


def _unless(objection: Objection | None, do: str) -> tuple[May, ...]:
    return () if objection else (May(do),)


def _about(ask: Asker, objection: Callable[[Asker, int], Objection | None], do: str) -> tuple[May, ...]:
    """The seats that something may be done about, if there are any."""
    seats = tuple(number for number in range(len(ask.table.seats)) if not objection(ask, number))
    return (May(do, seats=seats),) if seats else ()


def _sitting(ask: Asker) -> Iterator[May]:
    yield from _unless(against.sit(ask), "sit")
    for seat in ask.held:
        yield from _own(seat)
        if not against.emote(ask, seat):
            yield _FACES[seat]
    if not ask.held:
        yield from _unless(against.emote(ask, None), "emote")
    for waiting in ask.table.waiting:
        if waiting.guest == ask.guest:
            yield May("leave", names=(waiting.name,))


_FACES = tuple(May("emote", seat=seat) for seat in range(MOST_SEATS))


@cache
def _own(seat: int) -> tuple[May, ...]:
    """What goes with every seat."""
    return May("rename", seat=seat), May("leave", seat=seat)


def _study(ask: Asker) -> tuple[May, ...]:
    agree = not ask.table.agrees(ask.guest)
    return () if against.study(ask, agree) else (May("study", agree=agree),)


def _hosting(ask: Asker) -> Iterator[May]:
    yield from _unless(against.lock(ask), "lock")
    yield from _about(ask, against.hand_over, "hand_over")
    yield from _unless(against.set_options(ask), "set_options")
    yield from _unless(against.put_deck(ask), "put_deck")
    yield from _unless(against.add_bot(ask), "add_bot")
    if len(ask.table.seats) > 1:
        yield from _about(ask, against.move_seat, "move_seat")
        yield from _unless(against.shuffle_seats(ask), "shuffle_seats")
    yield from _about(ask, against.remove, "remove")
    if not against.let_in(ask):
        yield May("let_in", names=ask.table.removed_names)
    yield from _unless(against.start(ask), "start")
    yield from _absent(ask)
    yield from _unless(against.end_match(ask), "end_match")


def _absent(ask: Asker) -> Iterator[May]:
    """What may be done about people who are away."""
    people = (seat for seat in ask.table.seats if seat.guest is not None)
    if not any(seat.gone or seat.guest not in ask.present for seat in people):
        return
    yield from _about(ask, against.sit_in, "sit_in")
    yield from _about(ask, against.deal_again, "deal_again")
    if ask.table.round is None:
        return
    due = legal(ask.table.round)
    if due.seat is not None and not against.move_for(ask, due.seat):
        moves: tuple[AbsentMove, ...] = tuple(move for move in get_args(AbsentMove) if move in due.moves)
        yield May("move_for", seats=(due.seat,), to=due.receivers or None, moves=moves)


def _playing(ask: Asker) -> Iterator[May]:
    if ask.table.round is not None and not against.move(ask.table):
        yield from _moves(ask.table.round, ask.held)
    yield from _unless(against.resume(ask), "resume")
    yield from _unless(against.pause(ask), "pause")
    for seat in ask.held:
        if seat not in ask.table.ready and not against.ready(ask, seat):
            yield May("ready", seat=seat)


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
