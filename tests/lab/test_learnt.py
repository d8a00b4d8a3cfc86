"""The learnt player: it learns within seconds, its memory keeps what everyone was shown, and it sits in the arena."""

from random import Random

import numpy as np
import pytest

from notahat.lab import arena
from notahat.lab.batch import Tables
from notahat.lab.encoding import ACCEPT, ACTOR, DECISION, OVER, REFUSE, WATCH
from notahat.lab.learnt import Learnt, Memory, Weights, learnt
from notahat.lab.observation import Observation
from notahat.lab.tournament import Setup, counts, interval
from notahat.lab.train import train, train_memory


def test_the_memory_learns_what_goes_where() -> None:
    weights = Weights.fresh(np.random.default_rng(3))
    known = train_memory(weights, rounds=30, seed=3, progress=lambda _: None)
    assert known[0] < 0.4
    assert known[29] > 0.9  # one gift each


def test_from_nothing_the_policy_improves() -> None:
    _, _, lead = train(seed=2, rounds=(25, 12), others=("goldfish",) * 3)
    assert np.mean(lead[-3:]) > np.mean(lead[:3]) + 0.3


def test_the_same_seed_gives_the_same_player() -> None:
    one, other = (train(seed=2, rounds=(3, 2), others=("goldfish",) * 3)[0] for _ in range(2))
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name))


@pytest.fixture(scope="module")
def trained() -> Weights:
    from importlib.resources import files

    return Weights.load(files("notahat.lab").joinpath("learnt.json").read_text("utf-8"))


@pytest.mark.parametrize(("players", "gifts"), [(2, 2), (4, 1), (8, 2)])
def test_the_memory_that_comes_along_knows_every_gift(trained: Weights, players: int, gifts: int) -> None:
    """Also with as many players as it never met when it learnt."""
    right = asked = 0
    for seed in range(4):
        luck, tables = Random(seed), Tables(1, players, gifts, edition="special")
        tables.seed(seed)
        tables.deal()
        minds = [Memory(trained.gates) for _ in range(players)]
        while tables.rows[0, DECISION] != OVER:
            seat = int(tables.rows[0, ACTOR])
            present, events, mask = tables.look(seat)
            minds[seat].observe(present, events)
            right += int(minds[seat].hand.argmax()) == tables.known_gifts()[0]
            asked += 1
            if mask[ACCEPT]:
                tables.move(ACCEPT if luck.random() < 0.9 else REFUSE)
            else:
                tables.move(int(luck.choice(np.flatnonzero(mask))))
    assert right > 0.97 * asked


def test_it_beats_regular_players() -> None:
    share, low, _ = interval([one.wins[0] for one in counts(Setup(("learnt", *("regular",) * 3), 77), 60, jobs=1)])
    assert low > 0.25
    assert share > 0.4


def test_it_plays_every_variant() -> None:
    for variant in ({"edition": "special", "gifts": 2}, {"arrows": "black"}):
        result = arena(["learnt", "casual", "goldfish"], games=2, seed=1, jobs=1, **variant)
        assert result.seats[0].name == "learnt"
    assert arena(["learnt", "casual"], games=2, seed=1, jobs=1).games == 2


def test_the_same_seed_plays_the_same(trained: Weights) -> None:
    tables = Tables()
    tables.seed(0)
    tables.deal()
    present, events, mask = tables.look(int(tables.rows[0, ACTOR]))
    seen: Observation = {"observation": present, "events": events, "action_mask": mask}
    assert Learnt(trained, 5)(seen) == Learnt(trained, 5)(seen) != WATCH
    assert learnt("casual", 0, 1) is not learnt("casual", 0, 1)
