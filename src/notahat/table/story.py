"""The story of a finished round: its full record, hidden gifts included."""

from collections.abc import Iterable

from msgspec import UNSET, Struct, UnsetType

from notahat import rules
from notahat.rules import Card, Round, View
from notahat.rules import view as view_round
from notahat.rules.notation import Game, write
from notahat.rules.round import Drawing, Over
from notahat.table.awards import Award, awards
from notahat.table.events import By, Dealt, Entry, Played
from notahat.table.evolve import Step, steps
from notahat.table.options import Options
from notahat.table.table import Kind, Table


class Seated(Struct, frozen=True):
    """A player of that round, in seat order."""

    name: str
    kind: Kind
    level: str | UnsetType = UNSET
    character: str | UnsetType = UNSET


class Moment(Struct, frozen=True):
    """One move: its time (seconds since the deal) and duration, its events and view, the true gift, and the gifts in
    each column afterwards, oldest first.
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
    """A round from the deal to the end. `columns` are all cards at the end, face up; `notation` is a text from which
    the round can be replayed.
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
    deck: int | UnsetType = UNSET  # version of the own deck, if the round was played with one


class RoundRecord(Struct, frozen=True):
    """One round's part of the log: the table after the deal and after the last move."""

    dealt: Table
    steps: tuple[Moment, ...]
    last: Table
    cards: tuple[Card, ...]
    moves: tuple[rules.Move, ...]


def story(entries: Iterable[Entry], number: int) -> Story | None:
    """Return the story of a round, counted from 1 over all rounds at the table; None if it was never dealt."""
    record = _round_record(entries, number)
    if record is None:
        return None
    dealt, round_ = record.dealt, record.last.round
    if dealt.match is None or dealt.round is None or round_ is None:
        raise AssertionError("a dealt table has a round")
    return Story(
        number=number,
        seats=tuple(
            Seated(
                name=seat.name,
                kind=seat.kind,
                level=UNSET if seat.guest is not None or seat.level is None else seat.level,
                character=UNSET if seat.character is None else seat.character,
            )
            for seat in dealt.seats
        ),
        options=dealt.options,
        gifts_each=dealt.match.gifts_each,
        starter=dealt.match.next_starter,
        first=view_round(dealt.round),
        steps=record.steps,
        scores=round_.scores,
        winners=round_.winners,
        columns=round_.columns,
        ended_early=not round_.over,
        awards=awards(record.steps),
        notation=write(
            Game(record.cards, len(dealt.seats), dealt.match.gifts_each, dealt.match.next_starter, record.moves)
        ),
        deck=UNSET if dealt.deck is None else dealt.deck_version,
    )


def is_story_public(table: Table, number: int) -> bool:
    """Whether a round's story may be read: not while the round runs, or could go on after a corrected verdict."""
    return number < table.dealt or (number == table.dealt and table.stage != "play" and not table.correctable)


def _round_record(entries: Iterable[Entry], number: int) -> RoundRecord | None:
    table: Table | None = None
    dealt: Table | None = None
    last: Table | None = None
    moments: list[Moment] = []
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
                moments.append(_moment(step, step.event, dealt.since))
                moves.append(step.event.move)
                last = table
    if dealt is None or last is None:
        return None
    return RoundRecord(dealt, tuple(moments), last, cards, tuple(moves))


def _moment(step: Step, event: Played, start: float) -> Moment:
    before, after = step.before, step.after
    if before.round is None or after.round is None:
        raise AssertionError("a move was made without a round")
    return Moment(
        at=round(after.since - start, 2),
        took=round(after.since - before.since, 2),
        seat=event.move.seat,
        by=event.by,
        gift=_passed_gift(before.round),
        events=step.rule_events,
        view=view_round(after.round),
        columns=tuple(tuple(card.gift for card in column) for column in after.round.columns),
    )


def _passed_gift(round_: Round) -> str | None:
    """Return the gift that is drawn, wrapped or offered, if there is one."""
    phase = round_.phase
    return None if isinstance(phase, Drawing | Over) else phase.card.gift
