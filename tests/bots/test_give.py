"""What to claim, and who receives a special card."""

from notahat.bots.decisions import Reputation, best_offer, known_offer
from notahat.bots.memory import Belief

FORGOTTEN = Belief({}, 1.0, None, -2.0, 0.01)
SURE = Belief({"hat": 0.97}, 0.03, "hat", 0.5, 0.01)


def test_known_gift_is_claimed() -> None:
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


def test_r4_3_known_special_gift_goes_to_worst_refuser() -> None:
    known = reputations((0, 3, 3, 0), (0, 0, 3, 0))
    offer = best_offer(SURE, ["hat"], (1, 2, 3), 0.7, known, (0,) * 4)
    assert (offer.claim, offer.to) == ("hat", 2)


def test_r4_3_among_equals_known_special_gift_goes_to_the_leader() -> None:
    offer = best_offer(SURE, ["hat"], (1, 2, 3), 0.7, reputations((0,) * 4, (0,) * 4), (0, 2, 2, 1))
    assert offer.to == 3


def test_r4_3_unknown_special_gift_goes_to_who_trusts_most() -> None:
    unsure = Belief({"hat": 0.2, "kite": 0.15}, 0.65, "hat", -1.8, 0.01)
    offer = best_offer(unsure, ["hat", "kite"], (1, 2, 3), 0.7, reputations((0, 4, 0, 4), (0,) * 4), (0,) * 4)
    assert offer.to == 2
