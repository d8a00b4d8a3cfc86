"""The environments: conformance tests, stable numbers, and saved games."""

import contextlib
import copy
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from notahat.gifts import catalogue
from notahat.live import pace
from notahat_lab import env as lab
from notahat_lab.batch import Tables
from notahat_lab.encoding import (
    ACTIONS,
    BACKS,
    CODES,
    DECISION,
    GIFTS,
    OVER,
)
from notahat_lab.env import ACCEPT, REFUSE, TO, WATCH
from notahat_lab.kernels import SCORES
from notahat_lab.solo import Solo

with warnings.catch_warnings():
    # PettingZoo's own tests import one of its old environments, which warns about itself.
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, seed_test

VARIANTS: list[dict[str, Any]] = [
    {},
    {"edition": "special"},
    {"players": 2},
    {"players": 3, "arrows": "white", "recall": True},
    {"players": 8, "gifts": 2, "edition": "special", "recall": True},
]
dict_observations = pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo expects them from its own games only


@dict_observations
@pytest.mark.parametrize("make", [lab.env, lab.raw_env])
@pytest.mark.parametrize("options", VARIANTS)
def test_passes_the_api_test(make: Callable[..., Any], options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=200)


@pytest.mark.parametrize("options", VARIANTS)
def test_passes_the_seed_test(options: dict[str, Any]) -> None:
    seed_test(lambda: lab.env(**options), num_cycles=100)


def random_action(mask: np.ndarray[Any, Any], rng: Random) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("options", VARIANTS)
def test_rewards_are_penalties_and_a_point_for_the_winners(options: dict[str, Any]) -> None:
    for seed in range(10):
        game = lab.env(**options)
        game.reset(seed=seed)
        total = dict.fromkeys(game.possible_agents, 0.0)
        for agent, reward, _ in play_moves(game, 10_000, seed):
            total[agent] += reward
        scores = game.unwrapped.row[SCORES : SCORES + len(total)].tolist()
        winners = [seat for seat, score in enumerate(scores) if score == min(scores)]
        assert max(scores) == 3
        for seat, score in enumerate(scores):
            assert total[f"player_{seat}"] == pytest.approx(-score + (1 / len(winners) if seat in winners else 0))


def test_encoding_is_stable() -> None:
    """Trained policies depend on these numbers: none of them may ever change."""
    assert (ACCEPT, REFUSE, WATCH, TO, ACTIONS) == (0, 1, 2, 8, 256)
    assert (CODES["accordion"], CODES["hat"], CODES["yo_yo"]) == (16, 91, 205)
    assert list(BACKS.values()) == [1, 2, 3]
    assert all(code == 16 + catalogue()[gift].number for code, gift in GIFTS.items())
    assert lab.raw_env.metadata["name"] == "notahat_v1"
    for players in (2, 4, 8):
        space = lab.raw_env(players=players).observation_space("player_0")
        assert {name: part.shape for name, part in space.items()} == {
            "observation": (48,),
            "events": (16, 8),
            "action_mask": (256,),
        }


def test_passes_the_parallel_api_test() -> None:
    parallel_api_test(lab.parallel_env(players=3), num_cycles=100)


def play_moves(game: Any, moves: int, seed: int) -> list[Any]:
    """Play random moves. Return all observations and rewards."""
    rng, history = Random(seed), []
    for _ in range(moves):
        if not game.agents:
            break
        seen, reward, terminated, truncated, _ = game.last()
        history.append((game.agent_selection, reward, {name: part.tolist() for name, part in seen.items()}))
        game.step(None if terminated or truncated else random_action(seen["action_mask"], rng))
    return history


@pytest.mark.parametrize("make", [lab.env, lab.raw_env])
@pytest.mark.parametrize("moves", [0, 7, 60])
def test_saved_and_copied_games_continue_alike(make: Callable[..., Any], moves: int) -> None:
    game = make(recall=True)
    game.reset(seed=moves)
    play_moves(game, moves, seed=1)
    copies = [game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), make(recall=True)]  # noqa: S301
    saved = game.save()
    copies[-1].restore(saved)
    on = play_moves(game, 25, seed=2)
    for other in copies:
        assert play_moves(other, 25, seed=2) == on
    game.restore(saved)
    assert play_moves(game, 25, seed=2) == on


def test_rendering_shows_only_open_gifts() -> None:
    game = lab.raw_env(render_mode="ansi")
    game.reset(seed=3)
    shown = game.render()
    assert isinstance(shown, str)
    assert GIFTS[int(game.tables.known_gifts()[0])] not in shown
    assert "in hand" in shown


def play_alone(game: Solo, seed: int) -> tuple[float, list[Any]]:
    """Play a game with random actions of the learner. Return its total reward and the history."""
    rng = Random(seed)
    seen, info = game.reset(seed=seed)
    total, history, ended = 0.0, [info["seat"]], False
    while not ended:
        assert game.observation_space.contains(seen)
        action = random_action(seen["action_mask"], rng)
        seen, reward, terminated, truncated, _ = game.step(action)
        total, ended = total + reward, terminated or truncated
        history.append((action, reward, *(part.tolist() for part in seen.values())))
    return total, history


def test_solo_plays_against_computer_players() -> None:
    game: Any = gymnasium.make(
        "notahat_lab.gym:notahat/Solo-v1", others=("regular", "casual/gustav", "goldfish"), max_cycles=60
    ).unwrapped
    seats = set()
    for seed in range(8):
        total, history = play_alone(game, seed)
        assert play_alone(game, seed) == (total, history)
        assert -3 <= total <= 1
        seats.add(history[0])
    assert len(seats) > 1


@pytest.mark.parametrize("others", [1, 3, 7])
def test_solo_simulates_what_the_rules_play(others: int) -> None:
    game, placed = Solo(("goldfish",) * others), Tables(1, others + 1)
    compared = 0
    for seed in range(6):
        rng = Random(seed)
        seen, _ = game.reset(seed=seed)
        while seen["observation"][DECISION] != OVER:
            if not seen["action_mask"][WATCH]:  # the rules have no turns to watch
                placed.place(game._round)
                np.testing.assert_array_equal(game.state(), placed.states()[0])
                compared += 1
            seen, *_ = game.step(random_action(seen["action_mask"], rng))
        assert game._round.over
    assert compared > 10


@pytest.mark.filterwarnings("ignore")
def test_solo_passes_gymnasiums_check() -> None:
    check_env(Solo(("casual",), max_cycles=20), skip_render_check=True)


CLOCK = """
heard = []

class Clock:
    def __init__(self, seat, seed):
        pass

    def see(self, view, events, now):
        heard.append(now)
"""


def test_r3_2_first_look_in_solo_lasts_as_long_as_in_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clock.py").write_text(CLOCK)
    monkeypatch.syspath_prepend(tmp_path)
    with contextlib.suppress(AttributeError):  # these players see the first draw, but cannot answer
        Solo(("clock:Clock",) * 7, gifts=2).reset(seed=1)
    assert next(now for now in sys.modules["clock"].heard if now) == pace.first_look(16)
