"""When to accept and when to refuse."""

import pytest

from notahat.bots.belief import Belief
from notahat.bots.level import levels
from notahat.bots.receive import claim_probability, refusal_threshold, should_refuse
from notahat.bots.reputation import logistic

KNOWS = 0.8


def belief_in_hat(gift: str, share: float = 0.97) -> float:
    """Return the probability of a hat for a player that is sure of another gift or of this one."""
    return Belief({gift: share}, 1.0 - share, gift, 0.5, 0.01).probability("hat")


FORGOTTEN = Belief({}, 1.0, None, -2.0, 0.01).probability("hat")


def test_refusal_threshold_with_four_players_is_two_fifths() -> None:
    assert refusal_threshold(4) == pytest.approx(0.40, abs=0.005)


def test_refusal_pays_less_with_more_opponents() -> None:
    thresholds = [refusal_threshold(players) for players in range(2, 9)]
    assert thresholds == sorted(thresholds, reverse=True)


def test_remembered_claim_is_accepted_and_contradicted_refused() -> None:
    assert not should_refuse(claim_probability(belief_in_hat("hat"), KNOWS, 5, 0.1), 4, 0.0)
    assert should_refuse(claim_probability(belief_in_hat("piano"), KNOWS, 5, 0.1), 4, 0.0)


def test_forgotten_gift_is_accepted_from_a_giver_who_can_know() -> None:
    assert claim_probability(FORGOTTEN, 0.9, 5, 0.1) > claim_probability(FORGOTTEN, 0.1, 5, 0.1)
    assert not should_refuse(claim_probability(FORGOTTEN, 0.9, 5, 0.1), 4, 0.0)


@pytest.mark.parametrize("suspicion", [-1.5, -0.5, 0.5, 1.5])
def test_suspicion_moves_the_refusal_threshold(suspicion: float) -> None:
    around = [share / 100 for share in range(1, 100)]
    calm = sum(should_refuse(true, 4, 0.0) for true in around)
    assert (sum(should_refuse(true, 4, suspicion) for true in around) - calm) * suspicion > 0


@pytest.mark.parametrize("name", list(levels()))
def test_firm_memory_still_refuses_after_many_passes(name: str) -> None:
    """If only the own memory were discounted for lost track, and not the giver's, no claim would ever be refused."""
    inattention = 1.0 - levels()[name].attention
    for passes in (1, 10, 60, 300):
        true = claim_probability(belief_in_hat("piano", 0.99), logistic(1.0), passes, inattention)
        assert should_refuse(true, 4, 0.0)
