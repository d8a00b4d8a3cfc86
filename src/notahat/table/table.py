"""A live table as it stands: who sits where, what was agreed, and the match that is being played."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from notahat.gifts import Deck, cards, catalogue
from notahat.gifts.deck import variant
from notahat.rules import Card, Match, Round, legal
from notahat.rules.round import Over, cards_needed
from notahat.table.options import Options

MOST_SEATS = 8
FEWEST_SEATS = 2
MOST_SEATS_OF_ONE = 4  # a family at one device; the host's own may have them all
MOST_FACES = 60  # of each seat from one deal to the next: a log keeps them all
MOST_APPLAUSE = 200
MOST_DECKS = 12  # ever put on one table: a log keeps them all
STAND_IN_LEVEL = "casual"
EMOTES = ("hello", "thanks", "sorry", "laugh", "wow", "hmm", "oops", "clap")

Stage = Literal["lobby", "play", "between", "over"]


class Seat(Struct, frozen=True):
    """A chair. A computer player has a level and no guest; a person may have a computer player sitting in."""

    name: str
    guest: UUID | None = None
    level: str | None = None
    character: str | None = None
    stand_in: bool = False
    gone: bool = False  # left on purpose or removed: they do not come back by just being here
    faces: int = 0  # pulled since the last deal

    @property
    def played_by_bot(self) -> bool:
        return self.guest is None or self.stand_in


class Standing(Struct, frozen=True):
    """How somebody has done at this table: matches played to the end, and those won."""

    name: str
    guest: UUID | None = None
    wins: int = 0
    games: int = 0


class Waiting(Struct, frozen=True):
    """Somebody who came during a match and plays from the next round on."""

    guest: UUID
    name: str


class Agreement(Struct, frozen=True):
    """That somebody lets the rounds be studied that they play after so many."""

    guest: UUID
    dealt: int


class Table(Struct, frozen=True):
    """The state: every event of the log folded. It knows hidden cards, so only `view` shows it to anybody."""

    code: str
    owner: UUID
    options: Options
    deputy: UUID | None = None
    seats: tuple[Seat, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    removed: tuple[UUID, ...] = ()
    removed_names: tuple[str, ...] = ()  # what each of them was called
    screen: UUID | None = None  # the big screen that this table was opened on: it never sits, and may start
    applause: int = 0  # faces of those who watch, since the last deal
    locked: bool = False
    match: Match | None = None
    ended: bool = False  # by the host, before its time
    paused: bool = False
    ready: tuple[int, ...] = ()
    stands: bool = False  # the end of this round, since somebody was ready to go on: it may have been looked at (12.2)
    again: tuple[int, ...] = ()  # who wants another match
    dealt: int = 0  # rounds at this table so far
    seeds: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()  # of the matches before this one
    day: str | None = None  # the gift of which day is played here
    deck: Deck | None = None  # that somebody made; without one, the edition is played
    deck_version: int = 0  # where in the log that deck is, pictures and all
    decks: int = 0  # put here so far
    study: bool = False  # people are asked whether their rounds may be studied
    agreed: tuple[Agreement, ...] = ()
    since: float = 0.0  # when the present decision began
    at: float = 0.0
    version: int = 0

    @property
    def host(self) -> UUID:
        return self.deputy or self.owner

    @property
    def round(self) -> Round | None:
        return self.match.round if self.match else None

    @property
    def stage(self) -> Stage:
        match = self.match
        if match is None:
            return "lobby"
        if self.ended or len(match.finished) == match.of:
            return "over"
        return "between" if match.round is None or type(match.round.phase) is Over else "play"

    @property
    def looking(self) -> bool:
        """Everybody looks round before a computer player begins (3.2): who has seen enough may say so."""
        round_ = self.round
        if round_ is None or round_.turn > 0 or self.stage != "play":
            return False
        starter = legal(round_).seat
        return starter is not None and self.seats[starter].played_by_bot

    @property
    def correctable(self) -> bool:
        """Whether a hasty verdict may still be corrected, also one that ended the round or the match (12.2): until the
        next move, or until somebody is ready to go on after a round.
        """
        round_ = self.round
        if round_ is None or self.ended or self.stands:
            return False
        return legal(round_).correctable

    @property
    def cards(self) -> tuple[Card, ...]:
        """What is played with, in the order of the deck."""
        options = self.options
        if self.deck is not None:
            return variant(self.deck.cards, options.special_cards, options.arrows)
        return cards(options.edition, options.special_cards, options.arrows)

    def knows(self, gift: str) -> bool:
        """Whether a gift can be named here: every one of the catalogue, and the deck's own (4.3)."""
        return gift in catalogue() or (self.deck is not None and any(own.key == gift for own in self.deck.own))

    def gifts_each(self, seats: int) -> int:
        return 2 if seats == 2 else self.options.gifts_each  # rule 7.2

    def missing_cards(self, seats: int) -> int:
        """How many cards more it takes to deal to so many (9.3); editions have enough for everybody."""
        if self.deck is None:
            return 0
        return max(0, cards_needed(seats, self.gifts_each(seats)) - len(self.cards))

    @property
    def spoken(self) -> bool:
        return self.options.claims == "spoken"

    def held_by(self, guest: UUID | None) -> tuple[int, ...]:
        """The seats a guest plays from."""
        if guest is None:
            return ()
        held: tuple[int, ...] = ()
        number = guest.int  # this is asked for everybody at every move, and comparing whole ids takes its time
        for n, seat in enumerate(self.seats):
            if seat.guest is not None and seat.guest.int == number and not seat.gone:
                held += (n,)
        return held

    def left_by(self, guest: UUID) -> tuple[int, ...]:
        """The seats a guest has left and may take back."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.gone and seat.guest == guest)

    def waits(self, guest: UUID) -> bool:
        """Whether a guest came during a match and waits for a seat."""
        return any(waiting.guest == guest for waiting in self.waiting)

    def agrees(self, guest: UUID) -> bool:
        """Whether a guest lets rounds be studied that they play here."""
        return any(agreement.guest == guest for agreement in self.agreed)

    def persons_here(self, present: frozenset[UUID]) -> tuple[int, ...]:
        """The seats of people who are here and play for themselves."""
        return tuple(
            n for n, seat in enumerate(self.seats) if seat.guest in present and not seat.stand_in and not seat.gone
        )

    def heirs(self, present: frozenset[UUID]) -> tuple[UUID, ...]:
        """Who is here and could be host: people who play, or else people who wait for a seat."""
        seated = (self.seats[number].guest for number in self.persons_here(present))
        waiting = (waiting.guest for waiting in self.waiting if waiting.guest in present)
        return tuple(guest for guest in seated if guest is not None) or tuple(waiting)

    def all_want_another(self, present: frozenset[UUID]) -> bool:
        return bool(self.again) and set(self.persons_here(present)) <= set(self.again)

    def all_ready(self, present: frozenset[UUID]) -> bool:
        return set(self.persons_here(present)) <= set(self.ready)

    @property
    def patience(self) -> float | None:
        """How many seconds the present decision may take before the house acts; None is for ever.

        The first look lasts as long as the starter likes, and nobody but people can speak or judge aloud.
        """
        round_ = self.round
        if round_ is None or self.stage != "play" or self.paused:
            return None
        due = legal(round_)
        if due.moves == ("wrap",):
            return float(self.options.show_seconds)
        if due.seat is None or round_.turn == 0 or self.spoken or self.seats[due.seat].played_by_bot:
            return None
        return float(self.options.patience_seconds) or None
