"""The learnt player: training, memory, and games in the arena."""

from random import Random

import numpy as np
import pytest

from notahat.lab import arena
from notahat.lab.batch import Tables
from notahat.lab.encoding import ACCEPT, ACTOR, DECISION, OVER, REFUSE, WATCH
from notahat.lab.learnt import LearntPolicy, Memory, Weights, learnt_player
from notahat.lab.observation import Observation
from notahat.lab.tournament import Setup, interval, play_games
from notahat.lab.train import train, train_memory


def test_memory_learns_where_gifts_go() -> None:
    weights = Weights.initial(np.random.default_rng(3))
    known = train_memory(weights, rounds=30, seed=3, progress=lambda _: None)
    assert known[0] < 0.4
    assert known[29] > 0.9  # one gift each


def test_policy_improves_with_training() -> None:
    _, _, lead = train(seed=2, rounds=(15, 10), others=("goldfish",) * 3)
    assert np.mean(lead[-3:]) > np.mean(lead[:3]) + 0.3


def test_same_seed_trains_the_same_weights() -> None:
    one, other = (train(seed=2, rounds=(3, 2), others=("goldfish",) * 3)[0] for _ in range(2))
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name))


@pytest.fixture(scope="module")
def trained() -> Weights:
    from importlib.resources import files

    return Weights.load(files("notahat.lab").joinpath("learnt.json").read_text("utf-8"))


@pytest.mark.parametrize(("players", "gifts"), [(2, 2), (4, 1), (8, 2)])
def test_shipped_memory_knows_every_gift(trained: Weights, players: int, gifts: int) -> None:
    """Also with numbers of players that did not occur in training."""
    right = asked = 0
    for seed in range(4):
        rng, tables = Random(seed), Tables(1, players, gifts, edition="special")
        tables.seed(seed)
        tables.deal()
        memories = [Memory(trained.gates) for _ in range(players)]
        while tables.rows[0, DECISION] != OVER:
            seat = int(tables.rows[0, ACTOR])
            present, events, mask = tables.observe(seat)
            memories[seat].observe(present, events)
            right += int(memories[seat].hand.argmax()) == tables.known_gifts()[0]
            asked += 1
            if mask[ACCEPT]:
                tables.move(ACCEPT if rng.random() < 0.9 else REFUSE)
            else:
                tables.move(int(rng.choice(np.flatnonzero(mask))))
    assert right > 0.97 * asked


def test_learnt_player_beats_regular_players() -> None:
    share, low, _ = interval([one.wins[0] for one in play_games(Setup(("learnt", *("regular",) * 3), 77), 60, jobs=1)])
    assert low > 0.25
    assert share > 0.4


def test_learnt_player_plays_every_variant() -> None:
    for variant in ({"edition": "special", "gifts": 2}, {"arrows": "black"}):
        result = arena(["learnt", "casual", "goldfish"], games=2, seed=1, jobs=1, **variant)
        assert result.seats[0].name == "learnt"
    assert arena(["learnt", "casual"], games=2, seed=1, jobs=1).games == 2


def test_same_seed_makes_the_same_choice(trained: Weights) -> None:
    tables = Tables()
    tables.seed(0)
    tables.deal()
    present, events, mask = tables.observe(int(tables.rows[0, ACTOR]))
    seen: Observation = {"observation": present, "events": events, "action_mask": mask}
    assert LearntPolicy(trained, 5)(seen) == LearntPolicy(trained, 5)(seen) != WATCH
    assert learnt_player("casual", 0, 1) is not learnt_player("casual", 0, 1)
