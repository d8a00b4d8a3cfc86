"""Traits of levels: tiring in long rounds, credit for forgotten cards, hesitation; and dials between them."""

import pytest
from msgspec.structs import astuple, replace

from notahat.bots import CHARACTERS
from notahat.bots.parcel import Parcel
from notahat.bots.player import Player
from notahat.bots.presets import NEUTRAL, Dials, Level, level, levels
from notahat.rules import Accept, Draw, Give, Refuse, Round, Wrap, legal, play, view
from support.rounds import dealt

DEAL = "kite< teapot> anchor< violin> saxophone<"


def after(*moves: Draw | Wrap | Give, who: Level, seat: int, seed: int = 1) -> tuple[Player, Round]:
    """Return a player that saw these moves, three seconds apart, and the round."""
    player, round_ = Player(who, seat, seed, NEUTRAL), dealt(DEAL)
    player.see(view(round_), (), 0.0)
    for number, move in enumerate(moves, 1):
        round_, events = play(round_, move)
        player.see(view(round_), events, 3.0 * number)
    return player, round_


def in_hand(player: Player) -> Parcel:
    hand = player.mind.parcels.hand
    assert hand is not None
    return hand


@pytest.mark.parametrize("name", list(levels()))
def test_r9_6_attention_falls_in_a_very_long_round(name: str) -> None:
    player, _ = after(Draw(0), who=level(name), seat=1)
    mind = player.mind

    def lapses(clock: float) -> int:
        mind.clock = clock
        return sum(not mind._pays_attention() for _ in range(2000))

    fresh = lapses(1200.0)
    assert fresh == pytest.approx(2000 * (1.0 - level(name).attention), abs=80)
    assert lapses(2400.0) > 2.5 * fresh


def refusals(who: Level, remembered: str | None) -> int:
    """Return how often, of a hundred, a player refuses "saxophone" for a card that it remembers as something else."""
    count = 0
    for seed in range(100):
        player, round_ = after(Draw(0), Wrap(0), Give(0, "saxophone"), who=who, seat=1, seed=seed)
        mind, hand = player.mind, in_hand(player)
        mind.memory.forget("saxophone")
        mind.parcels.open_gifts.clear()  # as if all were wrapped
        if remembered is not None:
            mind.memory.store(hand, remembered, mind.clock)
        for trace in mind.memory.traces:  # and everything else is remembered well
            for _ in range(12):
                trace.add_reference(mind.clock)
        hand.sure, hand.lost, hand.passes = None, False, 12
        count += type(player.answer(view(round_), legal(round_), 9.0).move) is Refuse
    return count


@pytest.mark.parametrize("name", list(levels()))
def test_forgotten_card_is_no_reason_to_doubt_its_name(name: str) -> None:
    assert refusals(level(name), None) < 0.4 * refusals(level(name), "armchair")


@pytest.mark.parametrize("name", list(levels()))
def test_player_who_missed_a_gift_just_shown_believes_its_name(name: str) -> None:
    answers = []
    for seed in range(50):
        player, round_ = after(Draw(0), Wrap(0), Give(0, "saxophone"), who=level(name), seat=1, seed=seed)
        player.mind.memory.forget("saxophone")
        in_hand(player).sure = None
        answers.append(type(player.answer(view(round_), legal(round_), 9.0).move))
    assert answers.count(Accept) >= 49


def test_levels_are_presets_of_the_memory_dial() -> None:
    dialled = [Dials(memory=third / 3).level(level("casual")) for third in range(4)]
    for one, preset in zip(dialled, levels().values(), strict=True):
        assert astuple(one) == pytest.approx(astuple(preset))
    between = Dials(memory=0.5).level(level("casual"))
    assert level("casual").attention < between.attention < level("regular").attention


def test_honesty_and_trust_change_the_temper_only() -> None:
    edgar = CHARACTERS["edgar"]
    assert Dials().character(edgar) == Dials(memory=0.2).character(edgar) == edgar
    assert Dials(honesty=1.0).character(edgar).boldness == 0.0
    sly = Dials(honesty=0.0, trust=0.0).character(edgar)
    assert sly == replace(edgar, boldness=0.3, suspicion=1.5)
