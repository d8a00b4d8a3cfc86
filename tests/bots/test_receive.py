"""When to accept and when to refuse."""

import pytest

from notahat.bots.decisions import claim_probability, doubt
from notahat.bots.memory import Belief
from notahat.bots.presets import levels

KNOWS = 0.8


def belief_in_hat(gift: str, share: float = 0.97) -> float:
    """Return the probability of a hat for a player that is sure of another gift or of this one."""
    return Belief({gift: share}, 1.0 - share, gift, 0.5, 0.01).probability("hat")


def doubts(true: float) -> float:
    return doubt(true, 4, suspicion=0.0, noise=0.5)


@pytest.mark.parametrize("name", levels())
def test_remembered_claim_is_accepted_and_contradicted_one_refused(name: str) -> None:
    level, least = levels()[name], 0.7 if name == "goldfish" else 0.85
    agrees, differs = (claim_probability(belief_in_hat(gift), KNOWS, level.self_doubt) for gift in ("hat", "piano"))
    assert doubt(agrees, 4, 0.0, level.decision_noise) < 0.01
    assert doubt(differs, 4, 0.0, level.decision_noise) > least


@pytest.mark.parametrize("suspicion", [-1.5, -0.5, 0.5, 1.5])
def test_suspicion_moves_the_refusal_threshold(suspicion: float) -> None:
    for true in (0.1, 0.4, 0.8):
        assert (doubt(true, 4, suspicion, 0.5) - doubts(true)) * suspicion > 0
