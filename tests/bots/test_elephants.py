"""What keeps strong tables from stalling and from doubting wrongly, and what a slip of the tongue gives away."""

import pytest
from msgspec.structs import replace

from notahat.bots.character import NOBODY
from notahat.bots.level import Level, level, levels
from notahat.bots.parcel import Parcel
from notahat.bots.player import Player
from notahat.bots.similarity import look_alikes
from notahat.rules import Accept, Draw, Give, Refuse, Round, Wrap, legal, play, view
from support.rounds import dealt

DEAL = "kite< teapot> anchor< violin> saxophone<"


def after(*moves: Draw | Wrap | Give, who: Level, seat: int, seed: int = 1) -> tuple[Player, Round]:
    """Somebody who watched a few moves; three seconds each."""
    player, round_ = Player(who, seat, seed, NOBODY), dealt(DEAL)
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
def test_r9_6_everybody_tires_in_a_very_long_round(name: str) -> None:
    player, _ = after(Draw(0), who=level(name), seat=1)
    mind = player.mind

    def lapses(clock: float) -> int:
        mind.clock = clock
        return sum(not mind._attends() for _ in range(2000))

    fresh = lapses(1200.0)
    assert fresh == pytest.approx(2000 * (1.0 - level(name).attention), abs=80)
    assert lapses(2400.0) > 2.5 * fresh


def refusals(who: Level) -> int:
    """How often, of a hundred, somebody refuses the name of a card that went round unnoticed by them."""
    count = 0
    for seed in range(100):
        player, round_ = after(Draw(0), Wrap(0), Give(0, "saxophone"), who=who, seat=1, seed=seed)
        player.mind.memory.settle("saxophone")
        player.mind.parcels.open.clear()  # as if all were wrapped
        for trace in player.mind.memory.traces:  # and everything else comes to mind at once
            for _ in range(12):
                trace.met(player.mind.clock)
        in_hand(player).sure, in_hand(player).passes = None, 12
        move = player.answer(view(round_), legal(round_), 9.0).move
        assert type(move) in (Accept, Refuse)
        count += type(move) is Refuse
    return count


def test_an_elephant_does_not_doubt_a_name_only_because_it_missed_the_card() -> None:
    elephant = level("elephant")
    assert elephant.gives_credit
    assert refusals(elephant) == 0 < refusals(replace(elephant, gives_credit=False))


def test_a_slip_of_the_tongue_takes_half_a_second_longer() -> None:
    player, round_ = after(Draw(0), Wrap(0), who=level("regular"), seat=0)
    in_hand(player).passes = 1

    def named(slips: float) -> tuple[str | None, float]:
        player.mind.dice = (0.5, 0.5, slips, 0.9, 0.9)
        answer = player.answer(view(round_), legal(round_), 6.0)
        assert type(answer.move) is Give
        return answer.move.claim, answer.seconds

    said, slipped = named(0.9), named(0.0)
    assert said[0] == "saxophone"
    assert slipped[0] in look_alikes()["saxophone"]
    assert slipped[1] == pytest.approx(said[1] + 0.5)
