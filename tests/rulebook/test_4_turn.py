"""Chapter 4: a turn. Draw, wrap, give, and who may answer."""

import pytest

from notahat.rules import (
    Accept,
    Back,
    Draw,
    Drawn,
    FaceDown,
    FaceUp,
    Give,
    Legal,
    Offered,
    Reason,
    Refuse,
    Wrap,
    Wrapped,
    legal,
    play,
    view,
)
from support.rounds import after, dealt, offered, refusal

FIVE = "a< b< c< d< piano>"


def test_r4_1_starter_draws_and_shows_the_top_card() -> None:
    round_, events = play(dealt(FIVE), Draw(0))
    assert events == (Drawn(0, "piano"),)
    seen = view(round_)
    assert seen.phase.card == FaceUp("piano")  # type: ignore[union-attr]
    assert seen.phase.from_shop  # type: ignore[union-attr]
    assert (seen.shop.top, seen.shop.left) == ("spare_0", 8)


def test_r4_2_wrapping_shows_the_arrow() -> None:
    round_, events = play(after(dealt(FIVE), Draw(0)), Wrap(0))
    assert events == (Wrapped(0, Back.RIGHT),)
    assert view(round_).phase.card == FaceDown(Back.RIGHT)  # type: ignore[union-attr]


def test_r4_3_the_arrow_says_who_receives_it() -> None:
    round_ = after(dealt(FIVE), Draw(0), Wrap(0))
    assert legal(round_) == Legal(0, ("give",), (3,))
    round_, events = play(round_, Give(0, "hat"))
    assert events == (Offered(0, 3, "hat"),)


def test_r4_3_naming_the_only_receiver_changes_nothing() -> None:
    round_ = after(dealt(FIVE), Draw(0), Wrap(0))
    assert play(round_, Give(0, "hat", to=3)) == play(round_, Give(0, "hat"))


def test_r4_3_a_special_card_goes_to_anyone_but_the_giver() -> None:
    round_ = after(dealt("a< b< c< d< pencil*", starter=2), Draw(2), Wrap(2))
    assert legal(round_).receivers == (0, 1, 3)
    for to in (0, 1, 3):
        assert legal(after(round_, Give(2, "hat", to=to))).seat == to


def test_r4_3_a_special_card_needs_a_receiver() -> None:
    round_ = after(dealt("a< b< c< d< pencil*"), Draw(0), Wrap(0))
    assert refusal(play, round_, Give(0, "hat")) is Reason.RECEIVER_NEEDED


@pytest.mark.parametrize(("back", "others"), [(">", (0, 1, 2, 4, -1)), ("*", (0, 4, -1))])
def test_r4_3_nobody_else_can_receive_it(back: str, others: tuple[int, ...]) -> None:
    round_ = after(dealt(f"a< b< c< d< piano{back}"), Draw(0), Wrap(0))
    for to in others:
        assert refusal(play, round_, Give(0, "hat", to=to)) is Reason.NOT_A_RECEIVER


@pytest.mark.parametrize("claim", ["piano", "a", "spare_0", "a unicorn nobody has seen"])
def test_r4_3_any_gift_may_be_claimed(claim: str) -> None:
    assert view(offered(dealt(FIVE), claim)).phase.claim == claim  # type: ignore[union-attr]


def test_r4_4_only_the_receiver_answers() -> None:
    round_ = offered(dealt(FIVE), "piano")
    assert legal(round_) == Legal(3, ("accept", "refuse"))
    for bystander in (0, 1, 2):
        assert refusal(play, round_, Accept(bystander)) is Reason.NOT_YOUR_TURN
        assert refusal(play, round_, Refuse(bystander)) is Reason.NOT_YOUR_TURN


def test_turn_counts_moves() -> None:
    rounds = [dealt(FIVE)]
    for move in (Draw(0), Wrap(0), Give(0, "hat"), Accept(3), Wrap(3)):
        rounds.append(after(rounds[-1], move))
    assert [view(round_).turn for round_ in rounds] == [0, 1, 2, 3, 4, 5]
