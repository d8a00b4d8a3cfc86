"""The plan: what happens next without a guest's command, and when. The room then issues the planned command itself."""

from collections.abc import Iterator
from uuid import UUID

from msgspec import Struct

from notahat.live import pace
from notahat.live.bot_players import BotPlayers
from notahat.live.presence import Presence
from notahat.rules import Draw, Legal, Move, Round, Wrap, legal
from notahat.rules.round import Answering, Wrapping
from notahat.table import SystemCommand, Table
from notahat.table.commands import CallOff, ComeBack, DealNext, PassHost, PlayFor, ReturnHost

MOST_UNATTENDED_TURNS = 3000


class Plan(Struct, frozen=True):
    """A command of the room and its time. `key` deduplicates it across nodes; `has_deadline`: guests see the time."""

    at: float
    command: SystemCommand
    key: str | None = None
    has_deadline: bool = False


def next_plan(
    table: Table, presence: Presence, bots: BotPlayers, decision_began: float, awake_since: float, speed: float
) -> Plan | None:
    """Return the earliest plan. `decision_began` is when the current decision began, `awake_since` when the first of
    the connected guests came.
    """
    first = _game_plan(table, presence, bots, decision_began, speed)
    for plan in _presence_plans(table, presence, awake_since, speed):
        if first is None or plan.at < first.at:
            first = plan
    return first


def _presence_plans(table: Table, presence: Presence, awake_since: float, speed: float) -> Iterator[Plan]:
    """Yield the return of present guests to their seats and roles, and the passing on of an absent host's role."""
    for seat in table.seats:
        if seat.returns_by_connecting and seat.guest is not None and seat.guest in presence.connected:
            yield Plan(awake_since, ComeBack(seat.guest))
    if table.deputy is not None and table.owner in presence.present:
        yield Plan(awake_since, ReturnHost())
    host = table.host
    if host not in presence.present and table.host_candidates(presence.present):
        away_since = max(awake_since, presence.away.get(host, awake_since))
        yield Plan(away_since + pace.HOST_AWAY / speed, PassHost())


def _game_plan(table: Table, presence: Presence, bots: BotPlayers, began: float, speed: float) -> Plan | None:
    stage, round_ = table.stage, table.round
    if stage == "over" and table.all_want_another(presence.present):
        return Plan(began + pace.NEXT_ROUND / speed, DealNext(), f"again.{table.dealt}")
    if stage == "between":
        return _next_round(table, presence, began, speed)
    if stage != "play" or table.paused or round_ is None:
        return None
    if round_.turn >= MOST_UNATTENDED_TURNS and all(seat.played_by_bot for seat in table.seats):
        return Plan(began, CallOff())
    return _move(table, round_, presence, bots, began, speed)


def _move(table: Table, round_: Round, presence: Presence, bots: BotPlayers, began: float, speed: float) -> Plan | None:
    due = legal(round_)
    if due.seat is None:
        return None
    wait: float
    move: Move
    if isinstance(phase := round_.phase, Wrapping):
        wait = pace.wrap_after(table.options.show_seconds, phase.from_shop, bots.last_events)
        move = Wrap(due.seat)
    elif _waits_for_ready(table, presence):
        return None
    elif table.seats[due.seat].played_by_bot and not table.spoken:
        wait, move = _bot_move(table, round_, due.seat, due, presence, bots)
    elif (patience := table.patience) is not None:
        wait, move = patience, bots.move(table, due.seat)
    else:
        return None
    bot_thinks = table.seats[due.seat].played_by_bot and not isinstance(move, Wrap) and round_.turn > 0
    return Plan(began + wait / speed, PlayFor(round_.turn, move), f"{table.dealt}.{round_.turn}", not bot_thinks)


def _bot_move(
    table: Table, round_: Round, seat: int, due: Legal, presence: Presence, bots: BotPlayers
) -> tuple[float, Move]:
    """Return after how long a computer player moves, and its move."""
    if due.moves == ("draw",):
        return _seconds_before_draw(table, round_, presence, bots), Draw(seat)
    answer = bots.answer(table, seat)
    return _seconds_to_think(table, round_, answer.seconds, bots), answer.move


def _seconds_to_think(table: Table, round_: Round, thinking: float, bots: BotPlayers) -> float:
    """One person alone gets time to vote on claims, less with every pass, and otherwise waits less."""
    if len(people := _people(table)) != 1:
        return pace.move_after(thinking, bots.last_events)
    passes = bots.passes_without({number for number, seat in enumerate(table.seats) if seat.guest in people})
    if not isinstance(phase := round_.phase, Answering):
        return pace.give_while_shown(thinking, bots.last_events, passes)
    if table.seats[phase.giver].guest in people:
        return pace.move_after(thinking, bots.last_events)
    return pace.answer_after_vote(thinking, bots.last_events, passes, pace.SPEED[table.options.pace])


def _seconds_before_draw(table: Table, round_: Round, presence: Presence, bots: BotPlayers) -> float:
    """The first draw waits for the first look, or until all players who are present are ready."""
    if round_.turn > 0:
        return pace.draw_after(bots.last_events, pace.SPEED[table.options.pace])
    if _all_ready(table, presence):
        return pace.REACH_FOR_THE_SHOP
    unhurried = max(1.0, pace.SPEED[table.options.pace])  # a brisk pace does not shorten the look
    return pace.first_look(sum(map(len, round_.columns))) * unhurried


def _waits_for_ready(table: Table, presence: Presence) -> bool:
    """One guest alone with computer players has no time limit for the first look. Those with a stand-in may return."""
    return table.is_first_look and len(_people(table)) == 1 and not _all_ready(table, presence)


def _people(table: Table) -> set[UUID]:
    return {seat.guest for seat in table.seats if seat.guest is not None and not seat.gone}


def _all_ready(table: Table, presence: Presence) -> bool:
    return bool(table.ready) and table.all_ready(presence.present)


def _next_round(table: Table, presence: Presence, began: float, speed: float) -> Plan | None:
    """Deal when all players who are present are ready; at least one must be present, unless only bots play."""
    has_people = not all(seat.played_by_bot for seat in table.seats)
    if has_people and not table.present_players(presence.present):
        return None
    if not table.all_ready(presence.present):
        return None
    return Plan(began + pace.NEXT_ROUND / speed, DealNext(), f"deal.{table.dealt}")
