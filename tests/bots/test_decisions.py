"""Accept or refuse, what to claim, and whom to give to."""

import pytest

from notahat.bots.belief import Belief
from notahat.bots.give import best_offer, known_offer, safe_to_lie, value
from notahat.bots.level import levels
from notahat.bots.parcel import Parcel
from notahat.bots.receive import refusal_point, refuses, truth
from notahat.bots.reputation import Reputation, knowledge, logistic, tell

KNOWS = 0.8


def sure_of(gift: str, share: float = 0.97) -> Belief:
    return Belief({gift: share}, 1.0 - share, gift, 0.5, 0.01)


FORGOTTEN = Belief({}, 1.0, None, -2.0, 0.01)


def test_with_four_players_the_refusal_point_is_two_fifths() -> None:
    assert refusal_point(4) == pytest.approx(0.40, abs=0.005)


def test_the_more_opponents_share_the_gain_the_less_a_refusal_pays() -> None:
    points = [refusal_point(players) for players in range(2, 9)]
    assert points == sorted(points, reverse=True)


def test_a_claim_that_memory_confirms_is_accepted_and_one_that_it_denies_refused() -> None:
    assert not refuses(truth(sure_of("hat").likely("hat"), KNOWS, 5, 0.1), 4, 0.0)
    assert refuses(truth(sure_of("piano").likely("hat"), KNOWS, 5, 0.1), 4, 0.0)


def test_who_remembers_nothing_believes_a_giver_who_can_know() -> None:
    assert truth(FORGOTTEN.likely("hat"), 0.9, 5, 0.1) > truth(FORGOTTEN.likely("hat"), 0.1, 5, 0.1)
    assert not refuses(truth(FORGOTTEN.likely("hat"), 0.9, 5, 0.1), 4, 0.0)


@pytest.mark.parametrize("suspicion", [-1.5, -0.5, 0.5, 1.5])
def test_suspicion_moves_the_refusal_point(suspicion: float) -> None:
    around = [share / 100 for share in range(1, 100)]
    calm = sum(refuses(true, 4, 0.0) for true in around)
    assert (sum(refuses(true, 4, suspicion) for true in around) - calm) * suspicion > 0


def test_a_record_of_false_claims_costs_trust() -> None:
    liar, saint = Reputation(), Reputation()
    liar.false, saint.true = 3, 3
    assert liar.honesty() < Reputation().honesty() < saint.honesty()


def taking(*seconds: float) -> float:
    """How much slower a seat is in the end than it was before."""
    reputation = Reputation()
    return [reputation.took(one) for one in seconds][-1]


def test_who_hesitates_more_than_usual_may_not_know() -> None:
    assert tell(taking(2.0, 2.0, 1.2)) > 0.0 > tell(taking(2.0, 2.0, 4.5))


def test_somebody_slow_is_compared_with_themselves() -> None:
    quick, slow = taking(2.0, 2.2, 1.9, 3.0), taking(6.0, 6.6, 5.7, 9.0)
    assert quick == pytest.approx(slow)
    assert taking(9.0) == 0.0  # nothing to compare with


def test_a_pause_gives_no_more_away_than_a_long_thought() -> None:
    assert tell(taking(2.0, 2.0, 2.0, 60.0)) == tell(taking(2.0, 2.0, 2.0, 86400.0))


def test_the_longer_ago_and_the_further_round_the_less_a_giver_knows() -> None:
    fresh, old = Parcel(1, 0, now=100.0), Parcel(2, 0, now=0.0)
    fresh.passes, old.passes = 1, 12
    assert knowledge(fresh, 110.0, 2.0) > knowledge(old, 110.0, 2.0)


def test_what_was_open_a_moment_ago_is_known_to_all() -> None:
    assert logistic(knowledge(Parcel(1, 0, now=0.0), 5.0, 0.0)) > 0.95


def test_a_true_claim_cannot_cost_the_giver_anything() -> None:
    assert value(1.0, 0.5, 4) > 0.0 > value(0.0, 0.5, 4)


def test_the_known_gift_is_claimed() -> None:
    mine = Belief({"hat": 0.8, "kite": 0.1}, 0.1, "hat", 0.3, 0.01)
    offer = known_offer(mine, (1,))
    assert offer is not None
    assert (offer.claim, offer.to) == ("hat", 1)
    assert known_offer(mine, (1, 2)) is None
    assert known_offer(FORGOTTEN, (1,)) is None
    assert best_offer(mine, ["hat", "kite"], (1,), 0.7, [Reputation() for _ in range(4)], (0,) * 4).claim == "hat"


def reputations(refusals: tuple[int, ...], wrong: tuple[int, ...]) -> list[Reputation]:
    made = []
    for refused, wrongly in zip(refusals, wrong, strict=True):
        reputation = Reputation()
        reputation.offers, reputation.refusals, reputation.wrong_refusals = 10, refused, wrongly
        made.append(reputation)
    return made


def test_r4_3_a_known_special_gift_goes_to_whoever_doubts_wrongly_most() -> None:
    known = reputations((0, 3, 3, 0), (0, 0, 3, 0))
    offer = best_offer(sure_of("hat"), ["hat"], (1, 2, 3), 0.7, known, (0,) * 4)
    assert (offer.claim, offer.to) == ("hat", 2)


def test_r4_3_among_equals_a_known_special_gift_goes_to_the_leader() -> None:
    offer = best_offer(sure_of("hat"), ["hat"], (1, 2, 3), 0.7, reputations((0,) * 4, (0,) * 4), (0, 2, 2, 1))
    assert offer.to == 3


def test_r4_3_an_unknown_special_gift_goes_to_whoever_trusts_most() -> None:
    unsure = Belief({"hat": 0.2, "kite": 0.15}, 0.65, "hat", -1.8, 0.01)
    offer = best_offer(unsure, ["hat", "kite"], (1, 2, 3), 0.7, reputations((0, 4, 0, 4), (0,) * 4), (0,) * 4)
    assert offer.to == 2


def test_lying_is_safe_only_toward_somebody_who_never_refuses_and_cannot_know() -> None:
    trusting, wary = Reputation(), Reputation()
    trusting.offers = 30
    wary.offers, wary.refusals = 30, 10
    assert safe_to_lie(0.01, trusting)
    assert not safe_to_lie(0.01, wary)
    assert not safe_to_lie(0.9, trusting)


@pytest.mark.parametrize("name", list(levels()))
def test_the_trap_of_mutual_acceptance_a_firm_memory_still_refuses_after_many_passes(name: str) -> None:
    """Discounting the own memory for lost track, and not the giver's, would end in nobody ever refusing."""
    missed = 1.0 - levels()[name].attention
    for passes in (1, 10, 60, 300):
        assert refuses(truth(sure_of("piano", 0.99).likely("hat"), logistic(1.0), passes, missed), 4, 0.0)
