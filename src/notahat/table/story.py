"""The story of a finished round: its full record, hidden gifts included."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct, UnsetType

from notahat import rules
from notahat.rules import Card, Round, View
from notahat.rules import view as view_round
from notahat.rules.notation import Game, write
from notahat.rules.round import Drawing, Over
from notahat.table.awards import Award, awards
from notahat.table.events import By, Dealt, Entry, Played, Probed
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
    match_awards: tuple[Award, ...] | UnsetType = UNSET  # of all rounds of the match so far, from the second one on


class PlayedRound(Struct):
    """One round's part of the log: the table after the deal and before the next one, the shuffled cards, the moves, and
    what players of a study said they believed.
    """

    number: int
    dealt: Table
    last: Table
    cards: tuple[Card, ...]
    moves: list[tuple[Step, Played]] = []
    probes: list[Probed] = []


def played_rounds(entries: Iterable[Entry]) -> Iterator[PlayedRound]:
    """Yield the rounds of a log, counted from 1 over all rounds at the table."""
    table: Table | None = None
    current: PlayedRound | None = None
    for entry in entries:
        for step in steps(table, entry):
            table = step.after
            if isinstance(step.event, Dealt):
                if current is not None:
                    yield current
                current = PlayedRound(table.dealt, table, table, step.event.cards)
            elif current is not None:
                current.last = table
                if isinstance(step.event, Played):
                    current.moves.append((step, step.event))
                elif isinstance(step.event, Probed):
                    current.probes.append(step.event)
    if current is not None:
        yield current


def story(entries: Iterable[Entry], number: int) -> Story | None:
    """Return the story of a round; None if it was never dealt."""
    rounds = _rounds_of_match(entries, number)
    if not rounds:
        return None
    record = rounds[-1]
    dealt, match = record.dealt, record.dealt.started_match
    round_ = record.moves[-1][0].after.round if record.moves else dealt.round
    if dealt.round is None or round_ is None:
        raise AssertionError("a dealt table has a round")
    moments_before = [_moments(one) for one in rounds[:-1]]
    moments = _moments(record)
    moves = tuple(played.move for _, played in record.moves)
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
        gifts_each=match.gifts_each,
        starter=match.next_starter,
        first=view_round(dealt.round),
        steps=moments,
        scores=round_.scores,
        winners=round_.winners,
        columns=round_.columns,
        ended_early=not round_.over,
        awards=awards([moments]),
        notation=write(Game(record.cards, len(dealt.seats), match.gifts_each, match.next_starter, moves)),
        deck=UNSET if dealt.deck is None else dealt.deck_version,
        match_awards=awards([*moments_before, moments]) if moments_before else UNSET,
    )


def is_story_public(table: Table, number: int) -> bool:
    """Whether a round's story may be read: not while the round runs, or could go on after a corrected verdict."""
    return number < table.dealt or (number == table.dealt and table.stage != "play" and not table.correctable)


def _rounds_of_match(entries: Iterable[Entry], number: int) -> list[PlayedRound]:
    """Return the rounds of a match up to this one, as far back as seat numbers mean the same players."""
    rounds: list[PlayedRound] = []
    for record in played_rounds(entries):
        guests = [seat.guest for seat in record.dealt.seats]
        is_first = not record.dealt.started_match.finished
        if is_first or any(one.guest != guest for one, guest in zip(rounds[-1].dealt.seats, guests, strict=False)):
            rounds.clear()
        rounds.append(record)
        if record.number == number:
            return rounds
    return []


def _moments(record: PlayedRound) -> tuple[Moment, ...]:
    return tuple(_moment(step, played, record.dealt.since) for step, played in record.moves)


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
