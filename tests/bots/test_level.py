"""Traits of levels: tiring in long rounds, credit for missed cards, and hesitation."""

import pytest
from msgspec.structs import replace

from notahat.bots.character import NEUTRAL
from notahat.bots.level import Level, level, levels
from notahat.bots.mind import DecisionRolls
from notahat.bots.parcel import Parcel
from notahat.bots.player import Player
from notahat.bots.similarity import catalogue_look_alikes
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


def refusals(who: Level) -> int:
    """Return how often, of a hundred, a player refuses the name of a card that it never noticed."""
    count = 0
    for seed in range(100):
        player, round_ = after(Draw(0), Wrap(0), Give(0, "saxophone"), who=who, seat=1, seed=seed)
        player.mind.memory.forget("saxophone")
        player.mind.parcels.open_gifts.clear()  # as if all were wrapped
        for trace in player.mind.memory.traces:  # and everything else is remembered well
            for _ in range(12):
                trace.add_reference(player.mind.clock)
        in_hand(player).sure, in_hand(player).passes = None, 12
        move = player.answer(view(round_), legal(round_), 9.0).move
        assert type(move) in (Accept, Refuse)
        count += type(move) is Refuse
    return count


def test_elephant_gives_credit_for_a_card_it_missed() -> None:
    elephant = level("elephant")
    assert elephant.gives_credit
    assert refusals(elephant) < 0.5 * refusals(replace(elephant, gives_credit=False))


@pytest.mark.parametrize("name", list(levels()))
def test_player_who_missed_a_gift_just_shown_believes_its_name(name: str) -> None:
    answers = []
    for seed in range(50):
        player, round_ = after(Draw(0), Wrap(0), Give(0, "saxophone"), who=level(name), seat=1, seed=seed)
        player.mind.memory.forget("saxophone")
        in_hand(player).sure = None
        answers.append(type(player.answer(view(round_), legal(round_), 9.0).move))
    assert answers.count(Accept) >= 49


def test_slip_takes_half_a_second_longer() -> None:
    player, round_ = after(Draw(0), Wrap(0), who=level("regular"), seat=0)
    in_hand(player).passes = 1

    def claim_with(roll: float) -> tuple[str | None, float]:
        player.mind.rolls = DecisionRolls(slip=roll, lie=0.9, act=0.9)
        answer = player.answer(view(round_), legal(round_), 6.0)
        assert type(answer.move) is Give
        return answer.move.claim, answer.seconds

    said, slipped = claim_with(0.9), claim_with(0.0)
    assert said[0] == "saxophone"
    assert slipped[0] in catalogue_look_alikes()["saxophone"]
    assert slipped[1] == pytest.approx(said[1] + 0.5)


def test_answer_against_the_own_judgement_takes_longer() -> None:
    """The receiver remembers a saxophone and hears of an armchair."""
    who = replace(level("casual"), self_doubt=0.0)
    player, round_ = after(Draw(0), Wrap(0), Give(0, "armchair"), who=who, seat=1)
    in_hand(player).sure, in_hand(player).passes = None, 3

    def answer_with(roll: float) -> tuple[type, float]:
        player.mind.rolls = DecisionRolls(doubt=roll)
        answer = player.answer(view(round_), legal(round_), 9.0)
        return type(answer.move), answer.seconds

    refused, accepted = answer_with(0.0), answer_with(1.0)
    assert (refused[0], accepted[0]) == (Refuse, Accept)
    assert accepted[1] > refused[1]
