"""The environment: PettingZoo's own conformance tests, and the swift round against the rules."""

import pickle
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from notahat.gifts import cards
from notahat.lab import env as lab
from notahat.lab.env import ACCEPT, ILLEGAL_REWARD, REFUSE, TO
from notahat.lab.swift import (
    ANSWERING,
    BACKS,
    CLAIMING,
    CODES,
    COLUMNS,
    DECISION,
    GIFTS,
    NOBODY,
    OVER,
    RECEIVING,
    SwiftRound,
)
from notahat.rules import (
    Accept,
    Draw,
    FaceUp,
    Give,
    Illegal,
    Move,
    Refuse,
    Round,
    View,
    Wrap,
    cards_needed,
    deal,
    legal,
    play,
    view,
)
from notahat.rules.round import Answering, Giving
from notahat.rules.view import AnswerView, GiveView

with warnings.catch_warnings():
    # PettingZoo's own tests import one of its old environments, which warns about itself.
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, render_test, seed_test

VARIANTS: list[dict[str, Any]] = [
    {},
    {"edition": "special"},
    {"players": 2, "gifts": 2},
    {"players": 3, "arrows": "white", "recall": True},
    {"players": 8, "gifts": 2, "edition": "special", "recall": True},
]
dict_observations = pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo knows them for its own games only


@dict_observations
@pytest.mark.parametrize("make", [lab.env, lab.raw_env])
@pytest.mark.parametrize("options", VARIANTS)
def test_it_passes_the_api_test(make: Callable[..., Any], options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=200)


@pytest.mark.parametrize("options", VARIANTS)
def test_it_passes_the_seed_test(options: dict[str, Any]) -> None:
    seed_test(lambda: lab.env(**options), num_cycles=100)


def test_it_passes_the_render_test() -> None:
    render_test(lab.env)


def picked(mask: np.ndarray[Any, Any], luck: Random) -> int:
    return int(luck.choice(np.flatnonzero(mask)))


def play_randomly(game: Any, seed: int) -> dict[str, float]:
    """A whole game of random legal actions; everyone's sum of rewards."""
    luck = Random(seed)
    game.reset(seed=seed)
    total: dict[str, float] = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        total[agent] += reward
        game.step(None if terminated or truncated else picked(seen["action_mask"], luck))
    return total


@pytest.mark.parametrize("options", VARIANTS)
def test_a_game_ends_with_three_penalties_and_a_shared_point_for_the_winners(options: dict[str, Any]) -> None:
    for seed in range(10):
        game = lab.env(**options)
        total = play_randomly(game, seed)
        scores = game.unwrapped.round.scores
        winners = [seat for seat, score in enumerate(scores) if score == min(scores)]
        assert max(scores) == 3
        for seat, score in enumerate(scores):
            assert total[f"player_{seat}"] == pytest.approx(-score + (1 / len(winners) if seat in winners else 0))


@pytest.mark.parametrize("make", [lab.env, lab.raw_env])
def test_after_so_many_cycles_a_game_is_truncated(make: Callable[..., Any]) -> None:
    game = make(max_cycles=5)
    game.reset(seed=1)
    steps = 0
    for _ in game.agent_iter():
        seen, _, terminated, truncated, _ = game.last()
        assert not terminated
        game.step(None if truncated else int(np.flatnonzero(seen["action_mask"])[0]))
        steps += not truncated
    assert steps == 10
    assert not game.agents


def test_r4_3_a_special_card_is_two_decisions_receiver_then_claim() -> None:
    game = lab.raw_env(edition="special")
    for seed in range(40):
        game.reset(seed=seed)
        if game.round.row[DECISION] == RECEIVING:
            break
    agent = game.agent_selection
    seat = int(agent[-1])
    mask = game.observe(agent)["action_mask"]
    assert set(np.flatnonzero(mask)) == {TO + other for other in range(4) if other != seat}
    game.step(TO + (seat + 2) % 4)
    assert game.agent_selection == agent
    assert set(np.flatnonzero(game.observe(agent)["action_mask"])) == set(range(len(GIFTS)))
    game.step(GIFTS.index("hat"))
    assert game.agent_selection == f"player_{(seat + 2) % 4}"


def test_only_whoever_must_act_has_anything_to_do() -> None:
    game = lab.env()
    game.reset(seed=1)
    for agent in game.agents:
        assert game.observe(agent)["action_mask"].any() == (agent == game.agent_selection)


def test_shared_masks_cannot_be_written_on() -> None:
    game = lab.env()
    game.reset(seed=1)
    with pytest.raises(ValueError, match="read-only"):
        game.last()[0]["action_mask"][0] = 1


def test_observations_stay_as_they_were_when_the_game_goes_on() -> None:
    game = lab.env()
    game.reset(seed=1)
    before = game.last()[0]
    kept = before["observation"].copy()
    game.step(0)
    game.step(REFUSE)
    assert (before["observation"] == kept).all()


def test_an_illegal_move_ends_the_game_with_a_bad_reward(caplog: pytest.LogCaptureFixture) -> None:
    game = lab.env()
    game.reset(seed=1)
    agent = game.agent_selection
    game.step(ACCEPT)
    assert "Illegal move" in caplog.text
    assert all(game.terminations.values())
    assert game.rewards[agent] == ILLEGAL_REWARD
    assert sum(game.rewards.values()) == ILLEGAL_REWARD
    for _ in game.agent_iter():
        game.last()
        game.step(None)
    assert not game.agents


@pytest.mark.parametrize("action", [-1, TO + 4, 10_000])
def test_an_action_out_of_bounds_is_an_assertion(action: int) -> None:
    game = lab.env()
    game.reset(seed=1)
    with pytest.raises(AssertionError):
        game.step(action)


def test_the_order_of_calls_is_checked() -> None:
    game = lab.env()
    for call in (lambda: game.step(0), game.last, game.agent_iter, lambda: game.observe("player_0")):
        with pytest.raises(Exception, match="reset"):
            call()
    with pytest.raises(AttributeError):
        _ = game.agent_selection
    game.reset(seed=1)
    turns = iter(game.agent_iter())
    next(turns)
    with pytest.raises(AssertionError, match="step"):
        next(turns)


def test_nobody_can_skip_a_turn() -> None:
    game = lab.raw_env()
    game.reset(seed=1)
    with pytest.raises(ValueError, match="must act"):
        game.step(None)


def test_r3_1_impossible_tables_are_refused() -> None:
    with pytest.raises(Illegal):
        lab.raw_env(players=2, gifts=1)


def test_it_can_be_pickled() -> None:
    game = lab.raw_env(players=3, recall=True)
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert copy.possible_agents == game.possible_agents


def test_rendering_shows_what_lies_open_and_nothing_else() -> None:
    game = lab.raw_env(render_mode="ansi")
    game.reset(seed=3)
    shown = game.render()
    assert shown is not None
    hidden = GIFTS[game.round.known()[0] - min(CODES.values())]
    assert hidden not in shown
    assert "in hand" in shown


def test_perfect_recall_knows_every_gift_and_the_present_does_not() -> None:
    game = lab.raw_env(recall=True)
    game.reset(seed=3)
    wrapped = 0
    for _ in range(40):
        seen: Any = game.observe(game.agent_selection)
        columns = seen["observation"][COLUMNS : COLUMNS + 4]
        assert min(seen["recall"]) > len(BACKS)
        wrapped = sum(code <= len(BACKS) for code in columns)
        game.step(ACCEPT if seen["action_mask"][ACCEPT] else 0)
    assert wrapped >= 2


# The swift round is the one second copy of the rules: here they are played side by side.


def decided(round_: Round) -> Round:
    """Draw and wrap, as the swift round does by itself."""
    while (now := legal(round_)).moves in (("draw",), ("wrap",)):
        assert now.seat is not None
        move: Move = Draw(now.seat) if now.moves == ("draw",) else Wrap(now.seat)
        round_, _ = play(round_, move)
    return round_


def expected(seen: View, gifts: int, decision: int, to: int) -> list[int]:
    """The row that a view of the rules should give."""
    phase = seen.phase
    match phase:
        case GiveView(giver=giver, card=card):
            now = [decision, giver, to, BACKS[card.back], 0]
        case AnswerView(giver=giver, receiver=receiver, card=card, claim=str(claim)):
            now = [ANSWERING, giver, receiver, BACKS[card.back], CODES[claim]]
        case _:
            now = [OVER, NOBODY, NOBODY, 0, 0]
    columns = [CODES[c.gift] if isinstance(c, FaceUp) else BACKS[c.back] for s in seen.seats for c in s.column]
    piles = [code for s in seen.seats for code in [*(CODES[gift] for gift in s.penalties), 0, 0, 0][:3]]
    assert len(columns) == len(seen.seats) * gifts
    return [*now, CODES[seen.shop.top] if seen.shop.top else 0, *columns, *piles]


@pytest.mark.parametrize("edition", ["classic", "special"])
@pytest.mark.parametrize(("players", "gifts"), [(2, 2), (3, 1), (4, 1), (4, 2), (6, 2), (8, 1)])
def test_the_swift_round_is_the_same_game_as_the_rules(edition: str, players: int, gifts: int) -> None:
    deck = cards(edition)
    swift = SwiftRound(deck, players, gifts)
    for seed in range(12):
        luck = Random(seed)
        order = luck.sample(range(len(deck)), cards_needed(players, gifts) + 1)
        starter = luck.randrange(players)
        round_ = decided(deal([deck[card] for card in order], players, gifts, starter))
        swift.deal(order, starter)
        for _ in range(200):
            phase = round_.phase
            if type(phase) is Giving:
                receivers = phase.receivers
                special = len(receivers) > 1
                decision, to = (RECEIVING, NOBODY) if special else (CLAIMING, receivers[0])
                assert list(swift.row[DECISION:]) == expected(view(round_), gifts, decision, to)
                to = luck.choice(receivers)
                if special:
                    swift.give_to(to)
                    assert list(swift.row[DECISION:]) == expected(view(round_), gifts, CLAIMING, to)
                claim = phase.card.gift if luck.random() < 0.7 else luck.choice(GIFTS)
                swift.give(CODES[claim])
                round_, _ = play(round_, Give(phase.giver, claim, to))
            elif type(phase) is Answering:
                assert list(swift.row[DECISION:]) == expected(view(round_), gifts, ANSWERING, phase.receiver)
                if luck.random() < 0.75:
                    swift.accept()
                    round_, _ = play(round_, Accept(phase.receiver))
                else:
                    swift.refuse()
                    round_, _ = play(round_, Refuse(phase.receiver))
                round_ = decided(round_)
            else:
                break
            known = [CODES[card.gift] for column in round_.columns for card in column]
            assert list(swift.known())[1:] == known
        assert swift.scores == list(round_.scores)
        if round_.over:
            assert list(swift.row[DECISION:]) == expected(view(round_), gifts, OVER, NOBODY)
