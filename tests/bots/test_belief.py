"""Beliefs: look-alikes, other parcels, other backs, and open gifts."""

from itertools import pairwise

import pytest

from notahat.bots.memory import Memory, activations, form_belief, logistic_noise, slip_probability
from notahat.bots.parcel import Parcel
from notahat.bots.presets import level, levels
from notahat.rules import Back

CASUAL = level("casual")
STILL = (0.0,) * 20


def parcel(number: int, holder: int, back: Back = Back.LEFT) -> Parcel:
    made = Parcel(number, holder)
    made.back = back
    return made


def remembering(*known: tuple[Parcel, str]) -> Memory:
    memory = Memory()
    for one, gift in known:
        memory.store(one, gift, 40.0)
    return memory


def test_open_gifts_are_ignored() -> None:
    hat, kite = parcel(1, 0), parcel(2, 1)
    memory = remembering((hat, "hat"), (kite, "kite"))
    found = form_belief(activations(memory, hat, CASUAL, 60.0, STILL), CASUAL, {"hat"}, slip_probability(CASUAL))
    assert set(found.probabilities) == {"kite"}


@pytest.mark.parametrize("name", list(levels()))
def test_more_cards_leave_less_activation_for_each(name: str) -> None:
    few, many = levels()[name], levels()[name].with_load(17)
    assert few.with_load(5) == few.with_load(3) == few
    assert many.threshold > few.threshold
    assert many.confusion < few.confusion


def test_noise_is_logistic_and_shuffled() -> None:
    noise = logistic_noise()
    assert sum(noise) / len(noise) == pytest.approx(0.0, abs=0.05)
    assert sum(x * x for x in noise) / len(noise) == pytest.approx(3.29, abs=0.2)
    neighbours = sum(x * y for x, y in pairwise(noise)) / len(noise)
    assert neighbours == pytest.approx(0.0, abs=0.2)


def confusion(other: Parcel, gift: str = "piano") -> float:
    """Return how probable the gift of another parcel is for the parcel of a hat."""
    asked = parcel(1, 0)
    found = activations(remembering((asked, "hat"), (other, gift)), asked, CASUAL, 60.0, STILL)
    return form_belief(found, CASUAL, set(), slip_probability(CASUAL)).probabilities.get(gift, 0.0)


def test_r7_1_like_gifts_backs_holders_and_ways_are_confused() -> None:
    elsewhere, left = parcel(2, 1), parcel(2, 1)
    left.previous_holder = 0
    assert confusion(elsewhere, "crown") > confusion(elsewhere)
    assert confusion(elsewhere) > confusion(parcel(2, 1, Back.RIGHT)), "one colour of arrows is harder"
    assert min(confusion(parcel(2, 0)), confusion(left)) > confusion(elsewhere)
