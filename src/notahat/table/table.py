"""The state of a table: seats, host, options, deck, the running match and results; and snapshots, its encoded form."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from notahat.gifts import Deck, cards, catalogue
from notahat.gifts.gift import variant
from notahat.rules import Card, Legal, Match, Round, legal
from notahat.rules.round import Over, cards_needed, lowest
from notahat.table.events import SCHEMA, Crowd
from notahat.table.options import Options

MOST_SEATS = 8
FEWEST_SEATS = 2
MOST_SEATS_PER_GUEST = 4  # a family at one device; the host's device has no limit
MOST_EMOTES = 60  # per seat and deal, as the log keeps each of them
MOST_APPLAUSE = 200
MOST_NUDGES = 3  # per decision
MOST_STALLS = 2  # moves made for a present person before others may let a computer player go on
MOST_DECKS = 12  # per table, as the log keeps each of them
MOST_CONFIDENCE = 4  # in an answer of a study
MOST_ADMITTED = 32  # the last ones who knocked
STAND_IN_LEVEL = "casual"
EMOTES = ("hello", "thanks", "sorry", "laugh", "wow", "hmm", "oops", "clap")

Stage = Literal["lobby", "play", "between", "over"]


Kind = Literal["person", "program", "bot"]  # who plays: a person, a program of a guest, a computer player of ours


class Seat(Struct, frozen=True):
    """A seat. A computer player has a level and no guest; a person may be replaced by a stand-in."""

    name: str
    guest: UUID | None = None
    level: str | None = None
    character: str | None = None
    stand_in: bool = False
    gone: bool = False  # left on purpose or removed: a new connection does not return the seat
    emotes: int = 0  # since the last deal
    face: str | None = None  # of a person
    program: bool = False  # of a guest that said so: it is treated like a person
    dials: Mapping[str, float] | None = None  # of a computer player, where it differs from its level and character
    surprise: int | None = None  # the seed of a computer player whose dials nobody knows (`dials_of`)
    stalls: int = 0  # moves that were made for a present person since their last own one

    @property
    def kind(self) -> Kind:
        return "bot" if self.guest is None else "program" if self.program else "person"

    @property
    def played_by_bot(self) -> bool:
        return self.guest is None or self.stand_in

    @property
    def shown_level(self) -> str | None:
        return self.level if self.surprise is None else None

    @property
    def returns_by_connecting(self) -> bool:
        """Whether a stand-in plays until the person is connected; one for a connected person plays until they act."""
        return self.stand_in and not self.gone and self.stalls < MOST_STALLS


class Standing(Struct, frozen=True):
    """A player's results at this table: matches played to the end, and those won."""

    name: str
    guest: UUID | None = None
    wins: int = 0
    games: int = 0


class Knocking(Struct, frozen=True):
    """A stranger who knows only the code, and waits for an answer since a time."""

    name: str
    at: float


_NOBODY_DUE = Legal(None, ())


class Asked(Struct, frozen=True):
    """A question to a player of a study: what was the gift of your decision at `turn`, a `give` or an `answer`?"""

    seat: int
    turn: int
    about: Literal["give", "answer"]


class Table(Struct, frozen=True, dict=True):
    """The state: the log folded, with hidden gifts, so guests see it only through `view`. Properties are kept."""

    code: str
    owner: UUID
    options: Options
    deputy: UUID | None = None
    seats: tuple[Seat, ...] = ()
    waiting: Mapping[UUID, Seat] = {}  # the seats of guests who came during a match, from the next round on
    removed: Mapping[UUID, str] = {}  # banned guests, and the names they had
    screen: UUID | None = None  # the big screen on which the table was opened: it has no seat, and may start
    applause: int = 0  # emotes of spectators since the last deal
    locked: bool = False
    match: Match | None = None
    ended: bool = False  # early, by the host
    paused: bool = False
    ready: tuple[int, ...] = ()
    stands: bool = False  # the round's end is final: a player was ready, so its story may have been read (12.2)
    again: tuple[int, ...] = ()  # seats that voted for another match
    nudges: int = 0  # of the player whose decision it is
    crowd: Crowd | None = None  # until the next move
    dealt: int = 0  # number of rounds at this table so far
    seeds: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()  # of the matches before this one
    day: str | None = None  # the date, if this table plays a gift of the day
    deck: Deck | None = None  # an own deck, without its pictures; None: the edition
    deck_version: int = 0  # version of the entry that contains the deck with its pictures
    decks: int = 0  # number of own decks so far
    study: bool = False  # players are asked whether their rounds may be studied
    agreed: Mapping[UUID, int] = {}  # guests who agreed that rounds with a number above this one may be studied
    probe: float = 0.0  # after which share of their decisions they are asked what they believe
    asked: tuple[Asked, ...] = ()  # at most one question per seat
    knocks: Mapping[UUID, Knocking] = {}
    knocks_heard: int = 0  # since the last deal
    declined: tuple[UUID, ...] = ()  # strangers since the last deal
    admitted: tuple[UUID, ...] = ()  # strangers, ever
    since: float = 0.0  # when the current decision began
    at: float = 0.0
    version: int = 0

    @property
    def host(self) -> UUID:
        return self.deputy or self.owner

    @property
    def started_match(self) -> Match:
        """The match, for what cannot happen without one."""
        assert self.match is not None, "no match was started"
        return self.match

    @cached_property
    def round(self) -> Round | None:
        return self.match.round if self.match else None

    @cached_property
    def due(self) -> Legal:
        """Which seat must act now, and how; no seat without a round."""
        return _NOBODY_DUE if self.round is None else legal(self.round)

    @cached_property
    def stage(self) -> Stage:
        match = self.match
        if match is None:
            return "lobby"
        if self.ended or len(match.finished) == match.of:
            return "over"
        return "between" if match.round is None or type(match.round.phase) is Over else "play"

    @property
    def is_first_look(self) -> bool:
        """Whether people look at the open gifts before a computer player draws first (3.2)."""
        round_, starter = self.round, self.due.seat
        if round_ is None or round_.turn > 0 or self.stage != "play":
            return False
        return starter is not None and self.seats[starter].played_by_bot

    @property
    def correctable(self) -> bool:
        """Whether the last verdict may be corrected (12.2): until the next move, or a player is ready for a round."""
        return self.due.correctable and not self.ended and not self.stands

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards to play with, unshuffled."""
        options = self.options
        if self.deck is not None:
            return variant(self.deck.cards, options.special_cards, options.arrows)
        return cards(options.edition, options.special_cards, options.arrows)

    def allows_claim(self, gift: str) -> bool:
        """Whether a gift can be claimed here: any of the catalogue, or an own gift of the deck (4.3)."""
        return gift in catalogue() or (self.deck is not None and any(own.key == gift for own in self.deck.own))

    def gifts_each(self, seats: int) -> int:
        return 2 if seats == 2 else self.options.gifts_each  # rule 7.2

    def missing_cards(self, seats: int) -> int:
        """Return how many cards are missing to deal to so many seats (9.3); editions always have enough."""
        if self.deck is None:
            return 0
        return max(0, cards_needed(seats, self.gifts_each(seats)) - len(self.cards))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all who have a seat or wait for one."""
        return (*(seat.name for seat in self.seats), *(seat.name for seat in self.waiting.values()))

    @property
    def spoken(self) -> bool:
        return self.options.claims == "spoken"

    def seats_of(self, guest: UUID | None) -> tuple[int, ...]:
        """Return the seats a guest plays from."""
        return () if guest is None else self._held.get(guest.int, ())

    @cached_property
    def _held(self) -> dict[int, tuple[int, ...]]:
        """The seats by guest. Numbers are faster to compare than UUIDs."""
        held: dict[int, tuple[int, ...]] = {}
        for number, seat in enumerate(self.seats):
            if seat.guest is not None and not seat.gone:
                held[seat.guest.int] = (*held.get(seat.guest.int, ()), number)
        return held

    def vacated_by(self, guest: UUID) -> tuple[int, ...]:
        """Return the seats a guest has left and may take back."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.gone and seat.guest == guest)

    def present_players(self, present: frozenset[UUID]) -> tuple[int, ...]:
        """Return the seats of people who are present and not replaced by a stand-in."""
        return tuple(
            n for n, seat in enumerate(self.seats) if seat.guest in present and not seat.stand_in and not seat.gone
        )

    def absent_players(self, present: frozenset[UUID]) -> tuple[int, ...]:
        """Return the seats of people who are away and have not left."""
        return tuple(
            n
            for n, seat in enumerate(self.seats)
            if seat.guest is not None and seat.guest not in present and not seat.gone
        )

    def host_candidates(self, present: frozenset[UUID]) -> tuple[UUID, ...]:
        """Return the guests who could become host: present players, or else present waiting guests."""
        seated = (self.seats[number].guest for number in self.present_players(present))
        waiting = tuple(guest for guest in self.waiting if guest in present)
        return tuple(guest for guest in seated if guest is not None) or waiting

    def all_want_another(self, present: frozenset[UUID]) -> bool:
        """Whether all players voted for another match; the table decides about absent players first."""
        players = self.present_players(present)
        return bool(players) and set(players) <= set(self.again) and not self.absent_players(present)

    def all_ready(self, present: frozenset[UUID]) -> bool:
        return set(self.present_players(present)) <= set(self.ready)

    @property
    def patience(self) -> float | None:
        """Seconds for the current decision (None: no limit). First looks, spoken claims and verdicts have none."""
        round_ = self.round
        if round_ is None or self.stage != "play" or self.paused:
            return None
        due = self.due
        if due.moves == ("wrap",):
            return float(self.options.show_seconds)
        if due.seat is None or round_.turn == 0 or self.spoken or self.seats[due.seat].played_by_bot:
            return None
        return float(self.options.patience_seconds) or None


# increase with each change of the state's fields: older snapshots are then ignored
SHAPE = 14
SNAPSHOT_SCHEMA = SCHEMA * 1000 + SHAPE

encode_table: Callable[[Table], bytes] = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Table)


def decode_table(schema: int, state: bytes) -> Table | None:
    """Return the table of a snapshot; None if it has another schema or does not decode."""
    if schema != SNAPSHOT_SCHEMA:
        return None
    try:
        return _decoder.decode(state)
    except msgspec.DecodeError:
        return None


class Tally(Struct, frozen=True):
    """A player's results at this table so far: matches played to the end, and those won."""

    name: str
    wins: int
    games: int


def tally(table: Table) -> tuple[Tally, ...]:
    """Return the public results, including a match that has just ended; best first."""
    standings = count_match(table) if table.stage == "over" else table.standings
    tallies = (Tally(standing.name, standing.wins, standing.games) for standing in standings)
    return tuple(sorted(tallies, key=lambda tally: -tally.wins))


def count_match(table: Table) -> tuple[Standing, ...]:
    """Return the standings including the current match. A match without a finished round does not count."""
    match = table.match
    if match is None or not match.finished:
        return table.standings
    winners = lowest(match.totals)
    standings = list(table.standings)
    for number, seat in enumerate(table.seats):
        index = _index(standings, seat.guest, seat.name)
        before = standings[index] if index < len(standings) else Standing(seat.name, seat.guest)
        after = structs.replace(before, wins=before.wins + (number in winners), games=before.games + 1)
        standings[index : index + 1] = [after]
    return tuple(standings)


def rename_standing(table: Table, number: int, name: str) -> tuple[Standing, ...]:
    """Return the standings with a new name for the player on a seat."""
    seat = table.seats[number]
    index = _index(table.standings, seat.guest, seat.name)
    return tuple(
        structs.replace(standing, name=name) if n == index else standing for n, standing in enumerate(table.standings)
    )


def _index(standings: Sequence[Standing], guest: UUID | None, name: str) -> int:
    """Return a player's index, or the next free one. The name counts because several people may share a device."""
    found = (n for n, standing in enumerate(standings) if (standing.guest, standing.name) == (guest, name))
    return next(found, len(standings))


def dials_of(table: Table, number: int) -> Mapping[str, float] | None:
    """Return the dials of a seat in this match (None: as level and character say). Of several surprises one is sly."""
    if table.seats[number].surprise is None:
        return table.seats[number].dials
    match, round_ = table.match, table.round
    begun = 0 if match is None else len(match.finished) + (round_ is not None and not round_.over)
    surprises = {
        n: Random(f"{seat.surprise} {seat.name} {table.dealt - begun}")  # with the number of rounds before this match
        for n, seat in enumerate(table.seats)
        if seat.surprise is not None
    }
    slyness = {n: rng.random() for n, rng in surprises.items()}
    is_sly = len(surprises) > 1 and number == max(slyness, key=slyness.__getitem__)
    honesty = 0.0 if is_sly else round(surprises[number].uniform(0.7, 1.0), 2)
    return {
        "memory": round(surprises[number].uniform(0.1, 0.9), 2),
        "honesty": honesty,
        "trust": round(surprises[number].uniform(0.1, 0.9), 2),
    }
