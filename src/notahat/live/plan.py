"""What happens by itself next at a table, and when: a card wraps, a computer player moves, patience ends, the host's
role passes on. The house gives orders like anyone, into the same place.
"""

from collections.abc import Iterator

from msgspec import Struct

from notahat.live import pace
from notahat.live.bot_players import Minds
from notahat.live.presence import Presence
from notahat.rules import Draw, Legal, Move, Round, Wrap, legal
from notahat.table import HouseCommand, Table
from notahat.table.commands import CallOff, ComeBack, DealNext, PassHost, PlayFor, ReturnHost

MOST_UNATTENDED_TURNS = 3000


class Plan(Struct, frozen=True):
    """An order of the house and its time. `key` makes it happen once, whichever node is first.

    Where people are `waited_for`, they may see how much time is left.
    """

    at: float
    command: HouseCommand
    key: str | None = None
    waited_for: bool = False


def next_plan(table: Table, presence: Presence, minds: Minds, began: float, awake: float, speed: float) -> Plan | None:
    """The first thing that will happen by itself, if nothing else does.

    The present decision `began` at a time, and somebody has been here since the table is `awake`.
    """
    first = _game(table, presence, minds, began, speed)
    for plan in _people(table, presence, awake, speed):
        if first is None or plan.at < first.at:
            first = plan
    return first


def _people(table: Table, presence: Presence, awake: float, speed: float) -> Iterator[Plan]:
    """People who are here again play for themselves, and the host is host again; an absent host's role passes on."""
    for seat in table.seats:
        if seat.stand_in and not seat.gone and seat.guest is not None and seat.guest in presence.here:
            yield Plan(awake, ComeBack(seat.guest))
    if table.deputy is not None and table.owner in presence.everybody:
        yield Plan(awake, ReturnHost())
    host = table.host
    if host not in presence.everybody and table.heirs(presence.everybody):
        since = max(awake, presence.away.get(host, awake))
        yield Plan(since + pace.HOST_AWAY / speed, PassHost())


def _game(table: Table, presence: Presence, minds: Minds, began: float, speed: float) -> Plan | None:
    stage, round_ = table.stage, table.round
    if stage == "over" and table.all_want_another(presence.everybody):
        return Plan(began + pace.NEXT_ROUND / speed, DealNext(), f"again.{table.dealt}")
    if stage == "between":
        return _next_round(table, presence, began, speed)
    if stage != "play" or table.paused or round_ is None:
        return None
    if round_.turn >= MOST_UNATTENDED_TURNS and all(seat.played_by_bot for seat in table.seats):
        return Plan(began, CallOff())
    return _move(table, round_, presence, minds, began, speed)


def _move(table: Table, round_: Round, presence: Presence, minds: Minds, began: float, speed: float) -> Plan | None:
    due = legal(round_)
    if due.seat is None:
        return None
    wait: float
    move: Move
    if due.moves == ("wrap",):
        wait, move = pace.wrap_after(table.options.show_seconds, minds.last_said), Wrap(due.seat)
    elif table.seats[due.seat].played_by_bot and not table.spoken:
        wait, move = _thinking(table, round_, due.seat, due, presence, minds)
    elif (patience := table.patience) is not None:
        wait, move = patience, Draw(due.seat) if due.moves == ("draw",) else minds.answer(table, due.seat).move
    else:
        return None
    thinks = table.seats[due.seat].played_by_bot and not isinstance(move, Wrap) and round_.turn > 0
    return Plan(began + wait / speed, PlayFor(round_.turn, move), f"{table.dealt}.{round_.turn}", not thinks)


def _thinking(
    table: Table, round_: Round, seat: int, due: Legal, presence: Presence, minds: Minds
) -> tuple[float, Move]:
    """What a computer player will do, and after how long."""
    if due.moves == ("draw",):
        return _before_the_draw(table, round_, presence, minds), Draw(seat)
    answer = minds.answer(table, seat)
    return pace.move_after(answer.seconds, minds.last_said), answer.move


def _before_the_draw(table: Table, round_: Round, presence: Presence, minds: Minds) -> float:
    """People look round before the first draw, until all who are here are ready."""
    if round_.turn > 0:
        return pace.draw_after(minds.last_said)
    if table.ready and table.all_ready(presence.everybody):
        return pace.REACH_FOR_THE_SHOP
    return pace.first_look(sum(map(len, round_.columns)))


def _next_round(table: Table, presence: Presence, began: float, speed: float) -> Plan | None:
    """When all who are here are ready, the others are not waited for; but somebody must be here."""
    people = [seat for seat in table.seats if not seat.played_by_bot]
    here = table.persons_here(presence.everybody)
    if (not here and people) or not table.all_ready(presence.everybody):
        return None
    return Plan(began + pace.NEXT_ROUND / speed, DealNext(), f"deal.{table.dealt}")
