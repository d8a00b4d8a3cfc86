"""Chapter 6: refuse. The card is opened, and the player who was wrong keeps it."""

import pytest

from notahat.rules import (
    Accept,
    Draw,
    Ended,
    Give,
    Judge,
    Legal,
    Penalised,
    Reason,
    Refuse,
    Refused,
    Wrap,
    legal,
    play,
    view,
)
from support.rounds import after, dealt, offered, refusal, refused

ROUND = dealt("a< b< c< d< piano< book< fork<")


def test_r6_1_a_true_claim_refused_blames_the_receiver() -> None:
    round_, events = play(offered(ROUND, "piano"), Refuse(1))
    assert events == (Refused(0, 1, "piano", "piano"), Penalised(1, "piano"))
    assert round_.scores == (0, 1, 0, 0)


def test_r6_1_a_false_claim_refused_blames_the_giver() -> None:
    round_, events = play(offered(ROUND, "hat"), Refuse(1))
    assert events == (Refused(0, 1, "hat", "piano"), Penalised(0, "piano"))
    assert round_.scores == (1, 0, 0, 0)


def test_r6_2_card_becomes_penalty_and_columns_stay() -> None:
    before = offered(ROUND, "hat")
    round_ = refused(before)
    assert view(round_).seats[0].penalties == ("piano",)
    assert round_.columns == before.columns


def test_r6_3_player_who_was_wrong_draws_next() -> None:
    giver_wrong, receiver_wrong = refused(offered(ROUND, "hat")), refused(offered(ROUND, "piano"))
    assert legal(giver_wrong) == Legal(0, ("draw",))
    assert legal(receiver_wrong) == Legal(1, ("draw",))
    assert legal(after(receiver_wrong, Draw(1), Wrap(1))) == Legal(1, ("give",), (2,))


def test_r6_3_third_penalty_ends_the_round() -> None:
    round_ = refused(offered(refused(offered(ROUND, "hat")), "hat"))
    left = len(round_.shop)
    last = offered(round_, "hat")
    over, events = play(last, Refuse(1))
    assert events[-1] == Ended((3, 0, 0, 0), (1, 2, 3))
    assert over.over
    assert len(over.shop) == left - 1
    assert legal(over) == Legal(None, ())


@pytest.mark.parametrize("move", [Draw(0), Wrap(0), Give(0, "hat"), Accept(1), Refuse(1), Judge(0, "giver")])
def test_r6_3_after_the_end_no_move_is_legal(move: Draw | Wrap | Give | Accept | Refuse | Judge) -> None:
    over = refused(offered(refused(offered(refused(offered(ROUND, "hat")), "hat")), "hat"))
    assert refusal(play, over, move) is Reason.ROUND_OVER
