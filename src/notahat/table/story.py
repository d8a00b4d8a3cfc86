"""The whole story of a finished round: everything that may be told once nothing is left to remember."""

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from notahat import rules
from notahat.rules import Card, Round, View
from notahat.rules import view as view_round
from notahat.rules.notation import Game, write
from notahat.rules.round import Drawing, Over
from notahat.table.awards import Award, awards
from notahat.table.events import By, Dealt, Entry, Played
from notahat.table.options import Options
from notahat.table.step import Step, steps
from notahat.table.table import Table


class Seated(Struct, frozen=True):
    """Who sat where in that round."""

    name: str
    kind: Literal["person", "bot"]
    level: str | UnsetType = UNSET
    character: str | UnsetType = UNSET


class Moment(Struct, frozen=True):
    """One move: when (seconds since the deal), how long it took, what everyone saw, what the gift really was, and what
    lay in each column afterwards, oldest first.
    """

    at: float
    took: float
    seat: int
    by: By
    gift: str | None
    events: tuple[rules.Event, ...]
    view: View
    columns: tuple[tuple[str, ...], ...] = ()


class Story(Struct, frozen=True):
    """A round from the deal to the end. `columns` are all cards as they lay at last, turned over; `notation` is a text
    to keep, from which the round can be played again.
    """

    number: int
    seats: tuple[Seated, ...]
    options: Options
    gifts_each: int
    starter: int
    first: View
    steps: tuple[Moment, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    columns: tuple[tuple[Card, ...], ...]
    ended_early: bool
    awards: tuple[Award, ...]
    notation: str = ""
    deck: int | UnsetType = UNSET  # which deck was played with, where somebody had made one


class Chronicle(Struct, frozen=True):
    """One round's part of the log: the table as it was dealt, and after everything that concerned the round."""

    dealt: Table
    steps: tuple[Moment, ...]
    last: Table
    cards: tuple[Card, ...]
    moves: tuple[rules.Move, ...]


def story(entries: Iterable[Entry], number: int) -> Story | None:
    """The story of a round, counted from 1 over all rounds at the table; None if it never was dealt."""
    chronicle = _chronicle(entries, number)
    if chronicle is None:
        return None
    dealt, round_ = chronicle.dealt, chronicle.last.round
    if dealt.match is None or dealt.round is None or round_ is None:
        raise AssertionError("a dealt table has a round")
    return Story(
        number=number,
        seats=tuple(
            Seated(
                name=seat.name,
                kind="bot" if seat.guest is None else "person",
                level=UNSET if seat.guest is not None or seat.level is None else seat.level,
                character=UNSET if seat.character is None else seat.character,
            )
            for seat in dealt.seats
        ),
        options=dealt.options,
        gifts_each=dealt.match.gifts_each,
        starter=dealt.match.next_starter,
        first=view_round(dealt.round),
        steps=chronicle.steps,
        scores=round_.scores,
        winners=round_.winners,
        columns=round_.columns,
        ended_early=not round_.over,
        awards=awards(chronicle.steps),
        notation=_notation(chronicle, dealt.match.gifts_each, dealt.match.next_starter),
        deck=UNSET if dealt.deck is None else dealt.deck_version,
    )


def finished(table: Table, number: int) -> bool:
    """Whether a round's story may be told now: not while a verdict that is corrected would let the round go on."""
    return number < table.dealt or (number == table.dealt and table.stage != "play" and not table.correctable)


def _chronicle(entries: Iterable[Entry], number: int) -> Chronicle | None:
    table: Table | None = None
    dealt: Table | None = None
    last: Table | None = None
    told: list[Moment] = []
    cards: tuple[Card, ...] = ()
    moves: list[rules.Move] = []
    for entry in entries:
        for step in steps(table, entry):
            table = step.after
            if table.dealt != number:
                continue
            if isinstance(step.event, Dealt):
                dealt = last = table
                cards = step.event.cards
            if isinstance(step.event, Played) and dealt is not None:
                told.append(_moment(step, step.event, dealt.since))
                moves.append(step.event.move)
                last = table
    if dealt is None or last is None:
        return None
    return Chronicle(dealt, tuple(told), last, cards, tuple(moves))


def _notation(chronicle: Chronicle, gifts_each: int, starter: int) -> str:
    return write(Game(chronicle.cards, len(chronicle.dealt.seats), gifts_each, starter, chronicle.moves))


def _moment(step: Step, event: Played, start: float) -> Moment:
    before, after = step.before, step.after
    if before.round is None or after.round is None:
        raise AssertionError("a move was made without a round")
    return Moment(
        at=round(after.since - start, 2),
        took=round(after.since - before.since, 2),
        seat=event.move.seat,
        by=event.by,
        gift=_in_the_air(before.round),
        events=step.said,
        view=view_round(after.round),
        columns=tuple(tuple(card.gift for card in column) for column in after.round.columns),
    )


def _in_the_air(round_: Round) -> str | None:
    phase = round_.phase
    if isinstance(phase, Drawing | Over):
        return None
    return phase.card.gift
