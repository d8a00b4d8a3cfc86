"""Beliefs: look-alikes, other parcels, other backs, and open gifts."""

from itertools import pairwise
from random import Random

import pytest

from notahat.bots import sit_down
from notahat.bots.belief import activations, form_belief, logistic_noise, slip_probability
from notahat.bots.level import level, levels
from notahat.bots.memory import Memory
from notahat.bots.parcel import Parcel
from notahat.bots.player import Player
from notahat.rules import Back, view
from support.rounds import dealt

CASUAL = level("casual")
STILL = (0.0,) * 20


def parcel(number: int, holder: int, back: Back = Back.LEFT) -> Parcel:
    made = Parcel(number, holder)
    made.back = back
    return made


def probability(memory: Memory, asked: Parcel, gift: str) -> float:
    found = activations(memory, asked, CASUAL, 60.0, STILL)
    return form_belief(found, CASUAL, set(), slip_probability(CASUAL)).probabilities.get(gift, 0.0)


def remembering(*known: tuple[Parcel, str]) -> Memory:
    memory = Memory()
    for one, gift in known:
        memory.store(one, gift, 40.0)
    return memory


def test_own_gift_is_best_and_probabilities_sum_to_one() -> None:
    hat, kite = parcel(1, 0), parcel(2, 1)
    memory = remembering((hat, "hat"), (kite, "kite"))
    found = form_belief(activations(memory, hat, CASUAL, 60.0, STILL), CASUAL, set(), slip_probability(CASUAL))
    assert found.best == "hat"
    assert sum(found.probabilities.values()) + found.unknown == pytest.approx(1.0)


def test_open_gifts_are_ignored() -> None:
    hat, kite = parcel(1, 0), parcel(2, 1)
    memory = remembering((hat, "hat"), (kite, "kite"))
    found = form_belief(activations(memory, hat, CASUAL, 60.0, STILL), CASUAL, {"hat"}, slip_probability(CASUAL))
    assert set(found.probabilities) == {"kite"}


def test_nothing_is_retrieved_after_a_long_time() -> None:
    hat = parcel(1, 0)
    memory = remembering((hat, "hat"))
    found = form_belief(activations(memory, hat, CASUAL, 4000.0, STILL), CASUAL, set(), slip_probability(CASUAL))
    assert found.best is None
    assert found.unknown > 0.5


def test_look_alike_in_other_parcel_is_confused_more_often() -> None:
    hat = parcel(1, 0)
    alike = remembering((hat, "hat"), (parcel(2, 1), "crown"))
    unlike = remembering((hat, "hat"), (parcel(2, 1), "piano"))
    assert probability(alike, hat, "crown") > probability(unlike, hat, "piano")


def test_unseen_look_alike_is_more_probable_than_other_gifts() -> None:
    hat = parcel(1, 0)
    memory = remembering((hat, "hat"))
    found = form_belief(activations(memory, hat, CASUAL, 60.0, STILL), CASUAL, set(), slip_probability(CASUAL))
    assert found.probability("hat") > found.probability("crown") > found.probability("piano") > 0.0


def test_r7_1_with_one_colour_the_back_helps_less() -> None:
    asked = parcel(1, 0, Back.LEFT)
    two_colours = remembering((asked, "hat"), (parcel(2, 1, Back.RIGHT), "piano"))
    one_colour = remembering((asked, "hat"), (parcel(2, 1, Back.LEFT), "piano"))
    assert probability(one_colour, asked, "piano") > probability(two_colours, asked, "piano")


def test_parcels_of_same_holder_are_confused_more_often() -> None:
    asked = parcel(1, 0)
    same = remembering((asked, "hat"), (parcel(2, 0), "piano"))
    other = remembering((asked, "hat"), (parcel(2, 1), "piano"))
    assert probability(same, asked, "piano") > probability(other, asked, "piano")


def test_parcel_that_left_last_is_confused_more_often() -> None:
    asked, left, other = parcel(1, 0), parcel(2, 1), parcel(2, 1)
    left.previous_holder = 0
    gone, elsewhere = remembering((asked, "hat"), (left, "piano")), remembering((asked, "hat"), (other, "piano"))
    assert probability(gone, asked, "piano") > probability(elsewhere, asked, "piano")


def test_gift_known_to_be_elsewhere_is_avoided() -> None:
    asked, top = parcel(1, 0), parcel(2, 0)
    memory = remembering((asked, "hat"), (top, "piano"))
    seen, unseen = (activations(memory, asked, CASUAL, 60.0, STILL, placed, 2.0) for placed in ({"piano"}, ()))
    assert seen[1][0] == unseen[1][0] - 2.0
    assert seen[0] == unseen[0]


def test_player_who_missed_a_pass_knows_less_of_the_parcel() -> None:
    asked = parcel(1, 0)
    memory = remembering((asked, "hat"), (parcel(2, 1), "piano"))
    before = probability(memory, asked, "hat")
    asked.lost = True
    assert probability(memory, asked, "hat") < before


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


def test_better_level_notices_more_and_varies_less() -> None:
    ordered = list(levels().values())
    for worse, better in pairwise(ordered):
        assert worse.attention < better.attention
        assert worse.noise > better.noise
        assert worse.rehearses <= better.rehearses


def test_unknown_level_or_character_raises_lookup_error() -> None:
    with pytest.raises(LookupError, match="goldfish"):
        sit_down("genius", 0, 1)
    with pytest.raises(LookupError, match="berta"):
        sit_down("casual", 0, 1, "nobody")


def test_slip_names_a_look_alike() -> None:
    player = sit_down("goldfish", 0, 1)
    assert isinstance(player, Player)
    player.see(view(dealt("hat< kite< egg< key<")), (), 0.0)
    passed = parcel(9, 0)
    passed.passes = 3
    rng = Random(5)
    said = {player.mind.with_slip("hat", passed, rng.random()) for _ in range(2000)}
    assert "hat" in said
    assert said - {"hat"} <= {"crown", "cap", "party_hat", "sun_hat", "bucket", "traffic_cone", "ufo"}
    assert len(said) > 3
