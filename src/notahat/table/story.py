"""The story of a finished round with hidden gifts and awards; and which rounds a study may export."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from notahat import rules
from notahat.rules import Accepted, Card, FaceUp, Offered, Refused, View
from notahat.rules import view as view_round
from notahat.rules.notation import Game, write
from notahat.rules.round import Drawing, Over
from notahat.rules.view import WrapView
from notahat.table.events import By, Dealt, Entry, Played, Probed
from notahat.table.evolve import Step, steps
from notahat.table.options import Options
from notahat.table.table import Kind, Table

AwardName = Literal["best_memory", "boldest_lie", "most_suspicious", "most_trusting"]


class Award(Struct, frozen=True, omit_defaults=True):
    """Who gets it (several seats if equal), and for what: how many times, or which claim for which gift."""

    award: AwardName
    seats: tuple[int, ...]
    count: int | None = None
    claim: str | None = None
    gift: str | None = None


class Seated(Struct, frozen=True):
    """A player of that round, in seat order."""

    name: str
    kind: Kind
    level: str | UnsetType = UNSET
    character: str | UnsetType = UNSET


class Moment(Struct, frozen=True):
    """One move: seconds since the deal, duration, events, view, the true gift, and the columns after it."""

    at: float
    took: float
    seat: int
    by: By
    gift: str | None
    events: tuple[rules.Event, ...]
    view: View
    columns: tuple[tuple[str, ...], ...] = ()


class Story(Struct, frozen=True):
    """A round from the deal to the end, with all cards face up in `columns`; `notation` can be replayed."""

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
    """One round's part of the log: table after the deal and before the next, cards, moves, answers of a study."""

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
    assert dealt.round is not None and round_ is not None, "a dealt table has a round"  # noqa: PT018
    moments_before = [_moments(one) for one in rounds[:-1]]
    moments = _moments(record)
    moves = tuple(played.move for _, played in record.moves)
    return Story(
        number=number,
        seats=tuple(
            Seated(
                name=seat.name,
                kind=seat.kind,
                level=UNSET if seat.guest is not None else seat.shown_level or UNSET,
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
    assert before.round is not None and after.round is not None, "a move was made without a round"  # noqa: PT018
    phase = before.round.phase
    return Moment(
        at=round(after.since - start, 2),
        took=round(after.since - before.since, 2),
        seat=event.move.seat,
        by=event.by,
        gift=None if isinstance(phase, Drawing | Over) else phase.card.gift,
        events=step.rule_events,
        view=view_round(after.round),
        columns=tuple(tuple(card.gift for card in column) for column in after.round.columns),
    )


def finished_rounds(entries: Iterable[Entry]) -> Iterator[tuple[PlayedRound, bool]]:
    """Yield every round that ended by the rules, and whether all its players agreed to its study and still do."""
    rounds = list(played_rounds(entries))
    for round_ in rounds:
        now, last = rounds[-1].last, round_.moves[-1][0].after.round if round_.moves else None
        if is_story_public(now, round_.number) and last is not None and last.over:
            people = {seat.guest for seat in round_.dealt.seats if seat.guest is not None}
            agreed = {guest for guest, dealt in now.agreed.items() if dealt < round_.number}
            yield round_, now.study and people <= agreed


class _Counts:
    """What is counted for the awards; a lie has the number of turns since its gift was last seen."""

    def __init__(self) -> None:
        self.remembered: Counter[int] = Counter()
        self.suspicious: Counter[int] = Counter()
        self.trusting: Counter[int] = Counter()
        self.lies: list[tuple[int, Award]] = []

    def add_round(self, moments: Sequence[Moment]) -> None:
        open_at: dict[str, int] = {}
        for turn, moment in enumerate(moments):
            for event in moment.events:
                match event:
                    case Offered(giver=giver, claim=str(claim)) if claim == moment.gift:
                        self.remembered[giver] += open_at.get(claim) != turn - 2
                    case Accepted(giver=giver, receiver=receiver) if _claim(moments, turn) not in (None, moment.gift):
                        self.trusting[receiver] += 1
                        gift = moment.gift or ""
                        lie = Award("boldest_lie", (giver,), claim=_claim(moments, turn), gift=gift)
                        self.lies.append((turn - open_at.get(gift, -1), lie))
                    case Refused(receiver=receiver, claim=claim, gift=gift):
                        self.suspicious[receiver] += 1
                        self.remembered[receiver] += claim is not None and claim != gift
            cards = [card for seat in moment.view.seats for card in seat.column]
            if isinstance(moment.view.phase, WrapView):
                cards.append(moment.view.phase.card)
            open_at.update((card.gift, turn) for card in cards if isinstance(card, FaceUp))


def awards(rounds: Iterable[Sequence[Moment]]) -> tuple[Award, ...]:
    """Return all awards that were earned in these rounds of one match."""
    counts = _Counts()
    for moments in rounds:
        counts.add_round(moments)
    boldest = [min(counts.lies, key=lambda lie: lie[0])[1]] if counts.lies else []
    doubts = (*_most("most_suspicious", counts.suspicious), *_most("most_trusting", counts.trusting))
    return (*_most("best_memory", counts.remembered), *boldest, *doubts)


def _claim(moments: Sequence[Moment], turn: int) -> str | None:
    """Return the claim that the move at `turn` answers."""
    offered = next((event for event in moments[turn - 1].events if isinstance(event, Offered)), None)
    return offered.claim if offered else None


def _most(award: AwardName, count: Counter[int]) -> tuple[Award, ...]:
    most = max(count.values(), default=0)
    if not most:
        return ()
    return (Award(award, tuple(sorted(seat for seat, times in count.items() if times == most)), count=most),)
