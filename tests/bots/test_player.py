"""A player sees what a person sees, and the same views and events give the same answers."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from notahat.bots import LEVELS, Answer, Bot, sit_down
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.player import LONGEST_THOUGHT
from notahat.bots.presets import levels
from notahat.gifts import Deck, cards, read_deck
from notahat.gifts.hat_file import look_alikes_in
from notahat.rules import (
    Accept,
    Card,
    Draw,
    Event,
    Give,
    Move,
    Refuse,
    Refused,
    Round,
    Wrap,
    deal,
    legal,
    play,
    view,
)
from notahat.rules.view import AnswerView, FaceUp
from support.pictures import hat, own, picture
from support.rounds import exchange, face_down

SECONDS = 3.0  # between two moves


def play_out(
    players: Sequence[Bot],
    cards: Sequence[Card],
    gifts_each: int = 1,
    cap: int = 400,
    observer: Callable[[Round, tuple[Event, ...], float], None] = lambda *_: None,
) -> tuple[Answer, ...]:
    """Play to the end or to the cap on decisions, and return these."""
    round_, now = deal(cards, len(players), gifts_each, starter=0), 0.0
    events: tuple[Event, ...] = ()
    answers: list[Answer] = []
    while True:
        for player in players:
            player.see(view(round_), events, now)
        observer(round_, events, now)
        if round_.over or len(answers) == cap:
            return tuple(answers)
        allowed = legal(round_)
        assert allowed.seat is not None
        if allowed.moves in (("draw",), ("wrap",)):
            move: Move = Draw(allowed.seat) if allowed.moves == ("draw",) else Wrap(allowed.seat)
        else:
            answers.append(players[allowed.seat].answer(view(round_), allowed, now))
            move = answers[-1].move
        round_, events = play(round_, move)
        now += SECONDS


def shuffled(seed: int, edition: str = "classic", arrows: str = "both") -> list[Card]:
    deck = list(cards(edition, arrows=arrows))
    Random(seed).shuffle(deck)
    return deck


@pytest.mark.parametrize("gifts", [1, 2])
def test_player_rebuilt_from_the_events_makes_the_same_moves(gifts: int) -> None:
    history: list[tuple[Round, tuple[Event, ...], float]] = []
    answers = play_out(
        [sit_down(level, seat, seat) for seat, level in enumerate(LEVELS)],
        shuffled(11),
        gifts,
        cap=120,
        observer=lambda *seen: history.append(seen),
    )
    decisions = [
        number for number, (round_, *_) in enumerate(history, 1) if {"give", "accept"} & {*legal(round_).moves}
    ]
    for seen, answer in list(zip(decisions, answers, strict=False))[::6]:
        rebuilt = sit_down(LEVELS[answer.move.seat], answer.move.seat, answer.move.seat)
        for round_, events, now in history[:seen]:
            rebuilt.see(view(round_), events, now)
        assert rebuilt.answer(view(round_), legal(round_), now) == answer


def next_move(bots: Sequence[Bot], round_: Round, now: float) -> tuple[Move, float]:
    allowed = legal(round_)
    assert allowed.seat is not None
    if allowed.moves == ("draw",):
        return Draw(allowed.seat), 1.0
    if allowed.moves == ("wrap",):
        return Wrap(allowed.seat), 3.0
    answer = bots[allowed.seat].answer(view(round_), allowed, now)
    return answer.move, answer.seconds


@pytest.mark.parametrize("edition", ["classic", "special"])
@pytest.mark.parametrize("seed", range(2))
def test_r9_5_shuffling_hidden_fronts_changes_no_decision(seed: int, edition: str) -> None:
    """Until a hidden card is revealed, all players decide the same in both worlds."""
    compared = 0
    for exchange_at in range(20, 100, 16):
        rng = Random(exchange_at)
        true_bots, false_bots = ([sit_down(LEVELS[s], s, seed * 10 + s) for s in range(4)] for _ in range(2))
        true = false = deal(shuffled(seed, edition), 4)
        events: tuple[Event, ...] = ()
        now = 0.0
        while not true.over and true.turn < 140:
            for bot, other in zip(true_bots, false_bots, strict=True):
                bot.see(view(true), events, now)
                other.see(view(false), events, now)
            if true.turn == exchange_at:
                false = exchange(true, *rng.sample(face_down(true), 2))
            move, seconds = next_move(true_bots, true, now)
            assert (move, seconds) == next_move(false_bots, false, now)
            compared += true != false and type(move) in (Give, Accept, Refuse)
            true, events = play(true, move)
            false, others = play(false, move)
            now += seconds
            if events != others:
                assert any(isinstance(event, Refused) for event in events)
                break
    assert compared > 10


@pytest.mark.parametrize(
    ("seats", "gifts", "edition", "arrows"),
    [
        (2, 2, "classic", "both"),
        (2, 2, "special", "both"),
        (3, 1, "classic", "white"),
        (5, 2, "special", "black"),
        (8, 1, "special", "both"),
        (8, 2, "classic", "both"),
    ],
)
def test_every_variant_is_played_by_the_rules(seats: int, gifts: int, edition: str, arrows: str) -> None:
    bots = [sit_down(LEVELS[seat % 4], seat, seat) for seat in range(seats)]
    answers = play_out(bots, shuffled(seats, edition, arrows), gifts, cap=240)
    assert answers
    assert all(0.0 < answer.seconds <= LONGEST_THOUGHT for answer in answers)


@pytest.mark.parametrize("level", LEVELS)
def test_open_gift_is_never_claimed(level: str) -> None:
    """Open gifts lie on discard piles, in columns and on top of the shop."""
    claims = 0

    def check(round_: Round, events: tuple[Event, ...], now: float) -> None:
        nonlocal claims
        seen = view(round_)
        if isinstance(seen.phase, AnswerView):
            shown = {card.gift for seat in seen.seats for card in seat.column if isinstance(card, FaceUp)}
            shown |= {gift for seat in seen.seats for gift in seat.penalties} | {seen.shop.top or ""}
            assert seen.phase.claim not in shown
            claims += 1

    for seed in range(6):
        bots = [sit_down(level, seat, seed * 10 + seat) for seat in range(4)]
        play_out(bots, shuffled(seed), gifts_each=1 + seed % 2, cap=160, observer=check)
    assert claims > 150


def own_deck() -> Deck:
    """Return a deck of twelve own gifts; the first two are look-alikes."""
    gifts = [own(f"thing {letter * 3}", picture(size=(8 + n, 5))) for n, letter in enumerate("abcdefghjkop")]
    gifts[0]["look_alikes"] = ["#2"]
    return read_deck(hat(balanced=[f"#{n + 1}" for n in range(12)], own=gifts))


@pytest.mark.parametrize("level", ["goldfish", "regular"])
def test_own_gifts_are_remembered_and_claimed(level: str) -> None:
    deck, rng = own_deck(), Random(3)
    claims = []
    for _ in range(6):
        bots = [sit_down(level, seat, rng.getrandbits(60), None, look_alikes_in(deck)) for seat in range(3)]
        answers = play_out(bots, rng.sample(deck.cards, len(deck.cards)))
        claims += [answer.move.claim for answer in answers if isinstance(answer.move, Give)]
    assert sum(claim in {gift.key for gift in deck.own} for claim in claims) > len(claims) / 2


def test_slip_names_only_marked_look_alikes() -> None:
    deck = own_deck()
    first, second, third = (gift.key for gift in deck.own[:3])
    mind = Mind(levels()["goldfish"], 0, 1, view(deal(deck.cards, seats=3)), 0.0, look_alikes_in(deck))
    passed = Parcel(1)
    passed.passes = 3
    mind.parcels.open_gifts.clear()  # as if all were wrapped
    said = {mind.with_slip(first, passed, step / 10_000) for step in range(10_000)}
    assert said == {first, second}
    assert {mind.with_slip(third, passed, step / 10_000) for step in range(10_000)} == {third}
