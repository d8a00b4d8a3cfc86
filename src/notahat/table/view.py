"""The table's view: one public picture for all guests, built up from what is public."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field

from notahat.rules import View
from notahat.rules import view as view_round
from notahat.rules.round import lowest
from notahat.table.admission import is_screen
from notahat.table.events import Crowd
from notahat.table.options import Options
from notahat.table.table import FEWEST_SEATS, Kind, Seat, Stage, Table, Tally, dials_of, tally


class Chair(Struct, frozen=True):
    """A player at the table. `stand_in` is set while a computer player plays for them, `gone` after they left."""

    name: str
    kind: Kind
    away: bool
    level: str | UnsetType = UNSET
    character: str | UnsetType = UNSET
    dials: Mapping[str, float] | UnsetType = UNSET  # of a surprise only when the match is over
    surprise: bool | UnsetType = UNSET
    stand_in: bool | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    gone: bool | UnsetType = UNSET
    face: str | UnsetType = UNSET  # of a person
    again: bool | UnsetType = UNSET  # vote for another match, set once there is a vote


class MatchView(Struct, frozen=True):
    """The progress of the match. `number` counts all rounds at this table; a story is requested by it."""

    round: int
    of: int
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    number: int
    starter: int
    gifts_each: int
    ended_early: bool
    story: bool = False  # whether the story of round `number` may be read now


class Deadline(Struct, frozen=True):
    """How many seconds are left before a move is made for a seat."""

    seat: int = field(name="for")
    seconds: float


class Idle(Struct, frozen=True):
    """A present person whom the table waits for; `help`: so long that others may nudge them or let a bot move."""

    seat: int = field(name="for")
    help: bool = False


class DeckView(Struct, frozen=True):
    """The own deck of this table, by whose `version` its gifts are requested, and how many cards it lacks (9.3)."""

    name: str
    cards: int
    version: int
    missing: int


class TableView(Struct, frozen=True):
    """The state of a table, the same for every seat, spectator and screen. `speed` is set if it is other than 1."""

    code: str
    host: int | None
    stage: Stage
    seats: tuple[Chair, ...]
    waiting: tuple[str, ...]
    watching: int
    locked: bool
    paused: bool
    options: Options
    match: MatchView | None
    deadline: Deadline | None
    round: View | None
    host_away: bool = False
    speed: float | UnsetType = UNSET
    screen: bool = False  # whether the big screen on which the table was opened is present
    screens: int | UnsetType = UNSET  # number of other screens that show the table
    evening: tuple[Tally, ...] | UnsetType = UNSET  # set once a match was played to the end
    day: str | UnsetType = UNSET  # the date, if a gift of the day is played
    deck: DeckView | UnsetType = UNSET  # set while an own deck is played
    idle: Idle | UnsetType = UNSET
    crowd: Crowd | UnsetType = UNSET  # set from the reveal until the next move, if guests voted


def view(
    table: Table,
    present: frozenset[UUID],
    deadline: Deadline | None = None,
    speed: float = 1.0,
    idle: Idle | None = None,
) -> TableView:
    """Return the public view. Presence, deadline and speed are not part of the state, so the room passes them."""
    seated = {seat.guest for seat in table.seats} | set(table.waiting) | {table.screen}
    screens = {who for who in present if is_screen(who)}
    round_, stage = table.round, table.stage
    return TableView(
        code=table.code,
        host=next(iter(table.seats_of(table.host)), None),
        stage=stage,
        seats=tuple(_chair(table, stage, number, seat, present) for number, seat in enumerate(table.seats)),
        waiting=tuple(seat.name for seat in table.waiting.values()),
        watching=len(present - seated - screens),
        locked=table.locked,
        paused=table.paused,
        options=table.options,
        match=_match(table),
        deadline=deadline,
        round=view_round(round_) if round_ else None,
        host_away=table.host not in present,
        speed=UNSET if speed == 1.0 else speed,
        screen=table.screen in present,
        screens=len(screens) or UNSET,
        evening=tally(table) or UNSET,
        day=table.day or UNSET,
        deck=_deck(table),
        idle=idle or UNSET,
        crowd=table.crowd or UNSET,
    )


def winners(table: Table) -> tuple[int, ...]:
    """Return the winners of the match: the lowest total, also if the host ended it early (8.2)."""
    match = table.match
    if match is None or table.stage != "over" or not match.finished:
        return ()
    return lowest(match.totals)


def _chair(table: Table, stage: Stage, number: int, seat: Seat, present: frozenset[UUID]) -> Chair:
    person, ready = seat.guest is not None, number in table.ready
    between = stage == "between" and not seat.played_by_bot  # later, in the first look, only who is ready has a value
    return Chair(
        name=seat.name,
        kind=seat.kind,
        away=person and (seat.gone or seat.guest not in present),
        level=seat.shown_level or UNSET,
        character=UNSET if seat.character is None else seat.character,
        dials=UNSET if seat.surprise is not None and stage != "over" else dials_of(table, number) or UNSET,
        surprise=True if seat.surprise is not None else UNSET,
        stand_in=True if person and seat.stand_in else UNSET,
        ready=ready if between or (stage == "play" and ready) else UNSET,
        gone=True if seat.gone else UNSET,
        face=UNSET if seat.face is None else seat.face,
        again=number in table.again if table.again and not seat.played_by_bot else UNSET,
    )


def _deck(table: Table) -> DeckView | UnsetType:
    if table.deck is None:
        return UNSET
    missing = table.missing_cards(max(FEWEST_SEATS, len(table.seats)))
    return DeckView(table.deck.name, len(table.cards), table.deck_version, missing)


def _match(table: Table) -> MatchView | None:
    match = table.match
    if match is None:
        return None
    number = len(match.finished) + (0 if match.round is None or match.round.over else 1)
    return MatchView(
        round=number,
        of=match.of,
        totals=match.totals,
        winners=winners(table),
        number=table.dealt,
        starter=(match.starter + number - 1) % match.seats,
        gifts_each=match.gifts_each,
        ended_early=table.ended,
        story=table.stage != "play" and not table.correctable,
    )
