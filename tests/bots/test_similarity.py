"""Computer players handle gifts outside the catalogue and their marked look-alikes."""

from random import Random

import pytest

from notahat.bots import Bot, sit_down
from notahat.bots.memory import LookAlikes
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.presets import levels
from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import look_alikes_in
from notahat.rules import Draw, Event, Give, Move, Round, Wrap, deal, legal, play, view
from support.pictures import hat, own, picture

MOST_MOVES = 2000


def a_deck() -> Deck:
    """Return a deck of twelve own gifts; the first two are look-alikes."""
    gifts = [own(f"thing {letter * 3}", picture(size=(8 + n, 5))) for n, letter in enumerate("abcdefghjkop")]
    gifts[0]["look_alikes"] = ["#2"]
    return read_deck(hat(balanced=[f"#{n + 1}" for n in range(12)], own=gifts))


def played(deck: Deck, rng: Random, level: str) -> tuple[Round, list[str | None]]:
    cards = list(deck.cards)
    rng.shuffle(cards)
    round_, claims = deal(cards, seats=3), []
    look_alikes = look_alikes_in(deck)
    bots = [sit_down(level, seat, rng.getrandbits(60), None, look_alikes) for seat in range(3)]
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
def test_whole_rounds_are_played_with_own_gifts(level: str) -> None:
    deck, rng = a_deck(), Random(3)
    mine = {gift.key for gift in deck.own}
    games = [played(deck, rng, level) for _ in range(6)]
    assert any(round_.over for round_, _ in games)
    claims = [claim for _, said in games for claim in said]
    assert sum(claim in mine for claim in claims) > len(claims) / 2


def test_slip_names_only_marked_look_alikes() -> None:
    deck = a_deck()
    first, second, third = (gift.key for gift in deck.own[:3])
    look_alikes: LookAlikes = look_alikes_in(deck)
    mind = Mind(levels()["goldfish"], 0, 1, view(deal(deck.cards, seats=3)), 0.0, look_alikes)
    passed = Parcel(1)
    passed.passes = 3
    mind.parcels.open_gifts.clear()  # as if all were wrapped
    said = {mind.with_slip(first, passed, step / 10_000) for step in range(10_000)}
    assert said == {first, second}
    assert {mind.with_slip(third, passed, step / 10_000) for step in range(10_000)} == {third}
