"""What players conclude from others' claims, hesitation and distance."""

import pytest

from notahat.bots.decisions import Reputation, hesitation_logit, knowledge_logit
from notahat.bots.parcel import Parcel


def test_false_claims_cost_trust() -> None:
    liar, saint = Reputation(), Reputation()
    liar.false_claims, saint.true_claims = 3, 3
    assert liar.honesty_logit() < Reputation().honesty_logit() < saint.honesty_logit()


def slowness(*seconds: float) -> float:
    """Return how much slower the last claim is than the ones before."""
    reputation = Reputation()
    return [reputation.record_time(one) for one in seconds][-1]


def test_hesitation_lowers_trust() -> None:
    assert hesitation_logit(slowness(2.0, 2.0, 1.2)) > 0.0 > hesitation_logit(slowness(2.0, 2.0, 4.5))


def test_slow_seat_is_compared_with_itself() -> None:
    quick, slow = slowness(2.0, 2.2, 1.9, 3.0), slowness(6.0, 6.6, 5.7, 9.0)
    assert quick == pytest.approx(slow)
    assert slowness(9.0) == 0.0  # nothing to compare with


def test_pause_reveals_no_more_than_a_long_thought() -> None:
    assert hesitation_logit(slowness(2.0, 2.0, 2.0, 60.0)) == hesitation_logit(slowness(2.0, 2.0, 2.0, 86400.0))


def test_giver_knows_less_with_time_and_passes() -> None:
    fresh, old = Parcel(1, 0, now=100.0), Parcel(2, 0, now=0.0)
    fresh.passes, old.passes = 1, 12
    assert knowledge_logit(fresh, 110.0, 2.0) > knowledge_logit(old, 110.0, 2.0)
