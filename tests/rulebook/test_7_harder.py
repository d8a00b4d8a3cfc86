"""Chapter 7: harder. One colour, two gifts, special cards, and all of them together."""

import pytest

from notahat.gifts import cards
from notahat.rules import Back, FaceDown, FaceUp, legal, view
from support.rounds import accepted, dealt, offered


@pytest.mark.parametrize(("arrows", "back"), [("black", Back.LEFT), ("white", Back.RIGHT)])
def test_r7_1_one_colour_removes_the_other_arrow(arrows: str, back: Back) -> None:
    classic = cards("classic", arrows=arrows)
    assert len(classic) == 55
    assert {card.back for card in classic} == {back}


@pytest.mark.parametrize(("arrows", "back"), [("black", Back.LEFT), ("white", Back.RIGHT)])
def test_r7_1_special_cards_stay_if_played_with(arrows: str, back: Back) -> None:
    assert {card.back for card in cards("special", arrows=arrows)} == {back, Back.ANY}
    assert len(cards("special", arrows=arrows)) == 70
    assert len(cards("special", special_cards=False, arrows=arrows)) == 40


def test_r7_1_an_unknown_colour_is_refused_by_name() -> None:
    with pytest.raises(LookupError, match="no arrows 'red'"):
        cards("classic", arrows="red")


def test_r7_2_two_open_cards_first_dealt_at_the_bottom() -> None:
    seen = view(dealt("a0< b0< c0< a1< b1< c1<", seats=3, gifts_each=2))
    assert [seat.column for seat in seen.seats] == [(FaceUp(f"{s}0"), FaceUp(f"{s}1")) for s in "abc"]


def test_r7_2_each_is_wrapped_only_when_it_is_about_to_be_given() -> None:
    round_ = dealt("a0< b0< c0< a1< b1< c1< piano<", seats=3, gifts_each=2)
    round_ = accepted(offered(round_, "piano"))
    assert view(round_).seats[1].column == (FaceUp("b1"), FaceDown(Back.LEFT))
    assert view(round_).phase.card == FaceUp("b0")  # type: ignore[union-attr]


@pytest.mark.parametrize("back", "<>*")
def test_r9_4_with_two_players_arrows_mean_the_other(back: str) -> None:
    round_ = dealt(f"a< b< c< d< piano{back}", seats=2, gifts_each=2)
    assert legal(offered(round_, "piano")).seat == 1
