"""Rounds for tests: cards from short text, moves by name, and whole random games."""

from collections.abc import Callable
from random import Random

import pytest
from msgspec import Struct, structs

from notahat import gifts
from notahat.rules import (
    Accept,
    Back,
    Card,
    Draw,
    Event,
    Give,
    Illegal,
    Judge,
    Legal,
    Move,
    Reason,
    Refuse,
    Round,
    Wrap,
    cards_needed,
    deal,
    legal,
    play,
)
from notahat.rules.notation import Game
from notahat.rules.round import Answering, Giving

BACKS = {"<": Back.LEFT, ">": Back.RIGHT, "*": Back.ANY}


def cards(text: str) -> tuple[Card, ...]:
    """`cards("hat< kite> pencil*")`."""
    return tuple(Card(word[:-1], BACKS[word[-1]]) for word in text.split())


def dealt(text: str, seats: int = 4, gifts_each: int = 1, starter: int = 0) -> Round:
    """Deal a round from the cards in a text, with enough spare cards below them."""
    first = cards(text)
    spare = tuple(Card(f"spare_{n}", Back.LEFT) for n in range(cards_needed(seats, gifts_each) - len(first)))
    return deal(first + spare, seats=seats, gifts_each=gifts_each, starter=starter)


def after(round_: Round, *moves: Move) -> Round:
    for move in moves:
        round_, _ = play(round_, move)
    return round_


def offered(round_: Round, claim: str | None, to: int | None = None) -> Round:
    """Draw and wrap as necessary, then give the card with a claim."""
    while (now := legal(round_)).moves != ("give",):
        assert now.seat is not None
        round_ = after(round_, Draw(now.seat) if now.moves == ("draw",) else Wrap(now.seat))
    assert now.seat is not None
    return after(round_, Give(now.seat, claim, to))


def refusal(call: Callable[..., object], *values: object, **options: object) -> Reason:
    """Return the reason for which a call is refused."""
    with pytest.raises(Illegal) as refused:
        call(*values, **options)
    assert refused.value.detail
    return Reason(refused.value.reason)


def accepted(round_: Round) -> Round:
    return after(round_, Accept(the_seat(round_)))


def refused(round_: Round) -> Round:
    return after(round_, Refuse(the_seat(round_)))


def the_seat(round_: Round) -> int:
    seat = legal(round_).seat
    assert seat is not None
    return seat


def face_down(round_: Round) -> list[Card]:
    wrapped = [
        c for column, still_open in zip(round_.columns, round_.unwrapped, strict=True) for c in column[still_open:]
    ]
    if isinstance(round_.phase, Giving | Answering):
        wrapped.append(round_.phase.card)
    return wrapped


def exchange(round_: Round, one: Card, other: Card) -> Round:
    """Return the round with the gifts of two cards exchanged; their backs stay."""
    instead = {one: Card(other.gift, one.back), other: Card(one.gift, other.back)}
    columns = tuple(tuple(instead.get(card, card) for card in column) for column in round_.columns)
    phase = round_.phase
    if isinstance(phase, Giving | Answering):
        phase = structs.replace(phase, card=instead.get(phase.card, phase.card))
    return structs.replace(round_, layout=structs.replace(round_.layout, columns=columns), phase=phase)


class Variant(Struct, frozen=True):
    """A variant of the game, and a seed for all randomness in it."""

    seats: int
    gifts_each: int
    edition: str
    special_cards: bool
    arrows: str
    spoken: bool
    seed: int

    def shuffled(self) -> tuple[Card, ...]:
        pack = list(gifts.cards(self.edition, self.special_cards, self.arrows))
        Random(self.seed).shuffle(pack)
        return tuple(pack)


class Played(Struct, frozen=True):
    """A whole game: its notation, the round after each move, and the events of each move."""

    game: Game
    rounds: tuple[Round, ...]
    events: tuple[tuple[Event, ...], ...]

    @property
    def end(self) -> Round:
        return self.rounds[-1]


def random_game(variant: Variant) -> Played:
    """Play a game with random claims, answers and verdicts to its end."""
    rng = Random(variant.seed + 1)
    pack = variant.shuffled()
    starter = rng.randrange(variant.seats)
    rounds = [deal(pack, variant.seats, variant.gifts_each, starter)]
    moves: list[Move] = []
    all_events: list[tuple[Event, ...]] = []
    while not rounds[-1].over:
        move = random_move(legal(rounds[-1]), variant, rng)
        round_, events = play(rounds[-1], move)
        moves.append(move)
        rounds.append(round_)
        all_events.append(events)
    game = Game(pack, variant.seats, variant.gifts_each, starter, tuple(moves))
    return Played(game, tuple(rounds), tuple(all_events))


def random_move(now: Legal, variant: Variant, rng: Random) -> Move:
    if now.moves == ("judge",):
        return Judge(rng.randrange(variant.seats), rng.choice(["giver", "receiver"]))
    assert now.seat is not None
    match rng.choice(now.moves):
        case "draw":
            return Draw(now.seat)
        case "wrap":
            return Wrap(now.seat)
        case "give":
            claim = None if variant.spoken else rng.choice(list(gifts.catalogue()))
            return Give(now.seat, claim, rng.choice(now.receivers))
        case "accept":
            return Accept(now.seat)
        case answer:
            assert answer == "refuse"
            return Refuse(now.seat)
