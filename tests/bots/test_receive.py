"""When to accept and when to refuse."""

import pytest

from notahat.bots.belief import Belief
from notahat.bots.level import levels
from notahat.bots.receive import claim_probability, doubt, refusal_threshold
from notahat.bots.reputation import logistic

KNOWS = 0.8


def belief_in_hat(gift: str, share: float = 0.97) -> float:
    """Return the probability of a hat for a player that is sure of another gift or of this one."""
    return Belief({gift: share}, 1.0 - share, gift, 0.5, 0.01).probability("hat")


def doubts(true: float) -> float:
    return doubt(true, 4, suspicion=0.0, noise=0.5)


FORGOTTEN = Belief({}, 1.0, None, -2.0, 0.01).probability("hat")


def test_refusal_threshold_with_four_players_is_two_fifths() -> None:
    assert refusal_threshold(4) == pytest.approx(0.40, abs=0.005)


def test_refusal_pays_less_with_more_opponents() -> None:
    thresholds = [refusal_threshold(players) for players in range(2, 9)]
    assert thresholds == sorted(thresholds, reverse=True)


def test_remembered_claim_is_accepted_and_contradicted_one_refused() -> None:
    assert doubts(claim_probability(belief_in_hat("hat"), KNOWS, 0.05)) < 0.1
    assert doubts(claim_probability(belief_in_hat("piano"), KNOWS, 0.05)) > 0.85


def test_forgotten_gift_is_accepted_from_a_giver_who_can_know() -> None:
    assert claim_probability(FORGOTTEN, 0.9, 0.1) > claim_probability(FORGOTTEN, 0.1, 0.1)
    assert doubts(claim_probability(FORGOTTEN, 0.9, 0.1)) < 0.5


def test_player_who_may_have_lost_track_believes_more() -> None:
    against = belief_in_hat("piano")
    assert claim_probability(against, KNOWS, 0.5) > claim_probability(against, KNOWS, 0.1)


def test_no_giver_outweighs_a_clear_memory() -> None:
    """A giver's record and hesitation change only how likely it knows, and that evidence is bounded."""
    certainly_knows = claim_probability(belief_in_hat("piano"), 1.0, 0.0)
    assert doubts(certainly_knows) > 0.9
    assert claim_probability(FORGOTTEN, 1.0, 0.0) < 1.0


def test_half_of_all_claims_at_the_threshold_are_refused() -> None:
    assert doubt(refusal_threshold(4), 4, 0.0, 0.5) == pytest.approx(0.5)


@pytest.mark.parametrize("suspicion", [-1.5, -0.5, 0.5, 1.5])
def test_suspicion_moves_the_refusal_threshold(suspicion: float) -> None:
    for true in (0.1, 0.4, 0.8):
        assert (doubt(true, 4, suspicion, 0.5) - doubts(true)) * suspicion > 0


@pytest.mark.parametrize("name", list(levels()))
def test_firm_memory_refuses_an_ordinary_giver(name: str) -> None:
    """If only the own memory were discounted for lost track, and not the giver's, no claim would ever be refused."""
    level = levels()[name]
    true = claim_probability(belief_in_hat("piano", 0.99), logistic(0.5), level.self_doubt)
    assert doubt(true, 4, 0.0, level.decision_noise) > 0.5
