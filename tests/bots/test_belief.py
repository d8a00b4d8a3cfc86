"""What comes to mind: look-alikes, other parcels, other backs, and gifts that lie open."""

from itertools import pairwise
from random import Random

import msgspec
import pytest

from notahat.bots import sit_down
from notahat.bots.belief import belief, slip, thoughts, wavering
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


def share(memory: Memory, asked: Parcel, gift: str) -> float:
    found = thoughts(memory, asked, CASUAL, 60.0, STILL)
    return belief(found, CASUAL, set(), slip(CASUAL)).shares.get(gift, 0.0)


def remembering(*known: tuple[Parcel, str]) -> Memory:
    memory = Memory()
    for one, gift in known:
        memory.store(one, gift, 40.0)
    return memory


def test_the_own_gift_comes_first_and_all_shares_are_one() -> None:
    hat, kite = parcel(1, 0), parcel(2, 1)
    memory = remembering((hat, "hat"), (kite, "kite"))
    found = belief(thoughts(memory, hat, CASUAL, 60.0, STILL), CASUAL, set(), slip(CASUAL))
    assert found.best == "hat"
    assert sum(found.shares.values()) + found.unknown == pytest.approx(1.0)


def test_gifts_that_lie_open_are_out_of_the_question() -> None:
    hat, kite = parcel(1, 0), parcel(2, 1)
    memory = remembering((hat, "hat"), (kite, "kite"))
    found = belief(thoughts(memory, hat, CASUAL, 60.0, STILL), CASUAL, {"hat"}, slip(CASUAL))
    assert set(found.shares) == {"kite"}


def test_after_long_nothing_comes_to_mind() -> None:
    hat = parcel(1, 0)
    memory = remembering((hat, "hat"))
    found = belief(thoughts(memory, hat, CASUAL, 4000.0, STILL), CASUAL, set(), slip(CASUAL))
    assert found.best is None
    assert found.unknown > 0.5


def test_a_look_alike_elsewhere_is_confused_more_often() -> None:
    hat = parcel(1, 0)
    alike = remembering((hat, "hat"), (parcel(2, 1), "crown"))
    unlike = remembering((hat, "hat"), (parcel(2, 1), "piano"))
    assert share(alike, hat, "crown") > share(unlike, hat, "piano")


def test_a_look_alike_that_is_nowhere_is_likelier_than_anything_else_that_is_nowhere() -> None:
    hat = parcel(1, 0)
    memory = remembering((hat, "hat"))
    found = belief(thoughts(memory, hat, CASUAL, 60.0, STILL), CASUAL, set(), slip(CASUAL))
    assert found.likely("hat") > found.likely("crown") > found.likely("piano") > 0.0


def test_r7_1_with_one_colour_the_back_helps_less() -> None:
    asked = parcel(1, 0, Back.LEFT)
    two_colours = remembering((asked, "hat"), (parcel(2, 1, Back.RIGHT), "piano"))
    one_colour = remembering((asked, "hat"), (parcel(2, 1, Back.LEFT), "piano"))
    assert share(one_colour, asked, "piano") > share(two_colours, asked, "piano")


def test_the_same_holder_is_confused_more_often_than_another() -> None:
    asked = parcel(1, 0)
    same = remembering((asked, "hat"), (parcel(2, 0), "piano"))
    other = remembering((asked, "hat"), (parcel(2, 1), "piano"))
    assert share(same, asked, "piano") > share(other, asked, "piano")


def test_noise_is_logistic_and_shuffled() -> None:
    noise = wavering()
    assert sum(noise) / len(noise) == pytest.approx(0.0, abs=0.05)
    assert sum(x * x for x in noise) / len(noise) == pytest.approx(3.29, abs=0.2)
    neighbours = sum(x * y for x, y in pairwise(noise)) / len(noise)
    assert neighbours == pytest.approx(0.0, abs=0.2)


def test_a_better_level_is_better_in_everything() -> None:
    ordered = list(levels().values())
    for worse, better in pairwise(ordered):
        assert worse.attention < better.attention
        assert worse.noise > better.noise
        assert worse.confusion < better.confusion
        assert worse.rehearses <= better.rehearses


def test_an_unknown_level_or_character_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match="goldfish"):
        sit_down("genius", 0, 1)
    with pytest.raises(LookupError, match="berta"):
        sit_down("casual", 0, 1, "nobody")


def test_a_mind_that_slips_says_a_look_alike() -> None:
    player = sit_down("goldfish", 0, 1)
    assert isinstance(player, Player)
    player.see(view(dealt("hat< kite< egg< key<")), (), 0.0)
    passed = parcel(9, 0)
    passed.passes = 3
    luck = Random(5)
    said = {player.mind.slipped("hat", passed, luck.random()) for _ in range(2000)}
    assert "hat" in said
    assert said - {"hat"} <= {"crown", "cap", "party_hat", "sun_hat", "bucket", "traffic_cone", "ufo"}
    assert len(said) > 3


def test_levels_are_plain_data() -> None:
    assert msgspec.to_builtins(CASUAL)["attention"] == 0.9
