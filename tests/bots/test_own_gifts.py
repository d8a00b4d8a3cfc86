"""Computer players play with gifts that are in no catalogue, and take those for one another that were marked so."""

from random import Random

import pytest

from notahat.bots import Bot, sit_down
from notahat.bots.level import levels
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.similarity import Likeness
from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import look_alikes_with
from notahat.rules import Draw, Event, Give, Move, Round, Wrap, deal, legal, play, view
from support.pictures import hat, own, picture

MOST_MOVES = 2000


def a_deck() -> Deck:
    """Twelve own gifts and nothing else; the first two look alike."""
    gifts = [own(f"thing {letter * 3}", picture(size=(8 + n, 5))) for n, letter in enumerate("abcdefghjkop")]
    gifts[0]["look_alikes"] = ["#2"]
    return read_deck(hat(balanced=[f"#{n + 1}" for n in range(12)], own=gifts))


def played(deck: Deck, luck: Random, level: str) -> tuple[Round, list[str | None]]:
    cards = list(deck.cards)
    luck.shuffle(cards)
    round_, claims = deal(cards, seats=3), []
    likeness = look_alikes_with(deck)
    bots = [sit_down(level, seat, luck.getrandbits(60), None, likeness) for seat in range(3)]
    see(bots, round_, (), 0.0)
    for now in range(1, MOST_MOVES):
        due = legal(round_)
        if due.seat is None:
            break
        if due.moves[0] in ("draw", "wrap"):
            move: Move = Draw(due.seat) if due.moves[0] == "draw" else Wrap(due.seat)
        else:
            move = bots[due.seat].answer(view(round_), due, float(now)).move
        if isinstance(move, Give):
            claims.append(move.claim)
        round_, events = play(round_, move)
        see(bots, round_, events, float(now))
    return round_, claims


def see(bots: list[Bot], round_: Round, events: tuple[Event, ...], now: float) -> None:
    for bot in bots:
        bot.see(view(round_), events, now)


@pytest.mark.parametrize("level", ["goldfish", "regular"])
def test_whole_rounds_are_played_with_own_gifts_alone(level: str) -> None:
    deck, luck = a_deck(), Random(3)
    mine = {gift.key for gift in deck.own}
    games = [played(deck, luck, level) for _ in range(6)]
    assert any(round_.over for round_, _ in games)
    claims = [claim for _, said in games for claim in said]
    assert sum(claim in mine for claim in claims) > len(claims) / 2


def test_a_marked_look_alike_slips_out_and_an_unmarked_one_does_not() -> None:
    deck = a_deck()
    first, second, third = (gift.key for gift in deck.own[:3])
    likeness: Likeness = look_alikes_with(deck)
    mind = Mind(levels()["goldfish"], 0, 1, view(deal(deck.cards, seats=3)), 0.0, likeness)
    passed = Parcel(1)
    passed.passes = 3
    mind.parcels.open.clear()  # as if all were wrapped
    said = {mind.slipped(first, passed, step / 10_000) for step in range(10_000)}
    assert said == {first, second}
    assert {mind.slipped(third, passed, step / 10_000) for step in range(10_000)} == {third}
