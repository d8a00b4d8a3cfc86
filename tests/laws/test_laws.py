"""Chapter 9: consequences of the rules, checked in random games of all combinations of variants."""

from collections.abc import Iterable
from itertools import pairwise, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from notahat.rules import (
    Accept,
    Back,
    Card,
    Draw,
    Event,
    Give,
    Illegal,
    Judge,
    Move,
    Penalised,
    Refuse,
    Refused,
    Round,
    Wrap,
    legal,
    play,
    view,
)
from notahat.rules.events import Accepted, Drawn, Judged, Offered, Wrapped
from notahat.rules.notation import Game, read, write
from notahat.rules.round import Answering, Giving, Judging, Wrapping
from notahat.rules.view import view_after
from support.rounds import Played, Variant, exchange, face_down, random_game

COMBINATIONS = [
    Variant(seats, gifts_each, edition, special_cards, arrows, spoken, seed=0)
    for seats, gifts_each, (edition, special_cards), arrows, spoken in product(
        range(2, 9),
        (1, 2),
        (("classic", True), ("special", True), ("special", False)),
        ("both", "black", "white"),
        (False, True),
    )
    if seats > 2 or gifts_each == 2
]


def name(variant: Variant) -> str:
    deck = variant.edition if variant.special_cards else f"{variant.edition} without special cards"
    claims = "spoken" if variant.spoken else "entered"
    return f"{variant.seats} players, {variant.gifts_each} each, {deck}, {variant.arrows}, {claims}"


few_seeds = settings(max_examples=4)


def game_of(combination: Variant, seed: int) -> Played:
    return random_game(structs.replace(combination, seed=seed))


@pytest.mark.parametrize("combination", COMBINATIONS, ids=name)
@few_seeds
@given(seed=st.integers(0, 2**32))
def test_r7_3_laws_hold_in_games_of_all_variants(combination: Variant, seed: int) -> None:
    played = game_of(combination, seed)
    for round_ in played.rounds:
        check_r9_1_cards_are_conserved(played, round_)
        check_r9_2_columns_keep_their_size(combination, round_)
    for before, after in pairwise(played.rounds):
        assert view_after(view(before), before, after) == view(after)
    check_r9_3_the_shop_never_runs_dry(combination, played)
    check_the_end(played)
    check_every_penalty_has_one_event(played)
    assert replay(played.game.deal(), (event for events in played.events for event in events)) == played.end
    assert read(write(played.game)) == (played.game,)
    assert played.game.replay() == played.end


def replay(round_: Round, events: Iterable[Event]) -> Round:
    """Return the round after the moves of these events."""
    for event in events:
        move = _move_behind(event)
        if move is not None:
            round_, _ = play(round_, move)
    return round_


def _move_behind(event: Event) -> Move | None:
    """Return the move that caused an event, or None if the event follows from another one."""
    match event:
        case Drawn(giver=giver):
            return Draw(giver)
        case Wrapped(giver=giver):
            return Wrap(giver)
        case Offered(giver=giver, receiver=receiver, claim=claim):
            return Give(giver, claim, receiver)
        case Accepted(receiver=receiver):
            return Accept(receiver)
        case Refused(receiver=receiver):
            return Refuse(receiver)
        case Judged(seat=seat, wrong=wrong):
            return Judge(seat, wrong)
        case _:
            return None


def check_r9_1_cards_are_conserved(played: Played, round_: Round) -> None:
    lying = [card for part in (*round_.columns, *round_.penalties, round_.shop) for card in part]
    if isinstance(round_.phase, Wrapping | Giving | Answering | Judging):
        lying.append(round_.phase.card)
    assert sorted(lying, key=by_gift) == sorted(played.game.cards, key=by_gift)


def check_r9_2_columns_keep_their_size(combination: Variant, round_: Round) -> None:
    assert {len(column) for column in round_.columns} == {combination.gifts_each}
    assert all(0 <= still_open <= combination.gifts_each for still_open in round_.unwrapped)


def check_r9_3_the_shop_never_runs_dry(combination: Variant, played: Played) -> None:
    draws = sum(isinstance(event, Drawn) for events in played.events for event in events)
    assert 1 <= draws <= 2 * combination.seats + 1


def check_the_end(played: Played) -> None:
    scores = played.end.scores
    assert played.end.over
    assert sorted(scores)[-1] == 3
    assert sorted(scores)[-2] < 3
    assert played.end.winners == tuple(seat for seat, score in enumerate(scores) if score == min(scores))
    assert all(not earlier.over and earlier.winners == () for earlier in played.rounds[:-1])


def check_every_penalty_has_one_event(played: Played) -> None:
    penalties = [event.gift for events in played.events for event in events if isinstance(event, Penalised)]
    assert sorted(penalties) == sorted(card.gift for pile in played.end.penalties for card in pile)


def by_gift(card: Card) -> str:
    return card.gift


@settings(max_examples=300)
@given(combination=st.sampled_from(COMBINATIONS), data=st.data(), seed=st.integers(0, 2**32))
def test_r9_5_exchanging_hidden_gifts_is_invisible(combination: Variant, data: st.DataObject, seed: int) -> None:
    played = game_of(combination, seed)
    start = data.draw(st.integers(0, len(played.rounds) - 1))
    hidden = face_down(played.rounds[start])
    if len(hidden) < 2:
        return
    one, other = data.draw(st.permutations(hidden))[:2]
    truth, swapped = played.rounds[start], exchange(played.rounds[start], one, other)
    for move in played.game.moves[start:]:
        assert seen(truth) == seen(swapped)
        truth, events = play(truth, move)
        swapped, as_swapped = play(swapped, move)
        if any(isinstance(event, Refused) and event.gift in (one.gift, other.gift) for event in events):
            return
        assert events == as_swapped
    assert seen(truth) == seen(swapped)


def seen(round_: Round) -> tuple[bytes, bytes]:
    return msgspec.json.encode(view(round_)), msgspec.json.encode(legal(round_))


@few_seeds
@given(seed=st.integers(0, 2**32))
def test_old_rounds_never_change(seed: int) -> None:
    played = game_of(COMBINATIONS[seed % len(COMBINATIONS)], seed)
    before = [msgspec.json.encode(round_) for round_ in played.rounds]
    for round_, move in zip(played.rounds, played.game.moves, strict=False):
        play(round_, move)
        view(round_)
        legal(round_)
    assert [msgspec.json.encode(round_) for round_ in played.rounds] == before


@settings(max_examples=300)
@given(combination=st.sampled_from(COMBINATIONS), data=st.data(), seed=st.integers(0, 2**32))
def test_moves_not_listed_by_legal_are_illegal(combination: Variant, data: st.DataObject, seed: int) -> None:
    played = game_of(combination, seed)
    round_ = data.draw(st.sampled_from(played.rounds))
    now, before = legal(round_), msgspec.json.encode(round_)
    for move in every_move(combination.seats):
        listed = type(move).__struct_config__.tag in now.moves and now.seat in (move.seat, None)
        if isinstance(move, Judge) and now.correctable:
            continue
        try:
            play(round_, move)
        except Illegal:
            assert not listed or not receiver_possible(move, now.receivers)
        else:
            assert listed
        assert msgspec.json.encode(round_) == before


def every_move(seats: int) -> list[Move]:
    plain: list[Move] = [kind(seat) for kind in (Draw, Wrap, Accept, Refuse) for seat in range(seats)]
    gifts: list[Move] = [Give(seat, "hat", to) for seat in range(seats) for to in (None, *range(seats))]
    return [*plain, *gifts, *(Judge(seat, "giver") for seat in range(seats))]


def receiver_possible(move: Move, receivers: tuple[int, ...]) -> bool:
    to = getattr(move, "to", None)
    return not receivers or to in receivers or (to is None and len(receivers) == 1)


@given(
    claims=st.lists(st.one_of(st.none(), st.text()), min_size=1, max_size=4),
    gifts=st.lists(st.text(min_size=1), min_size=33, max_size=33, unique=True),
)
def test_notation_round_trips_any_gift_and_claim(claims: list[str | None], gifts: list[str]) -> None:
    game = Game(
        cards=tuple(Card(gift, list(Back)[n % 3]) for n, gift in enumerate(gifts)),
        seats=8,
        gifts_each=2,
        starter=3,
        moves=tuple(Give(3, claim, to) for claim in claims for to in (None, 5)),
    )
    assert read(write(game, game)) == (game, game)
