"""Chapter 5: accept. The card goes on top, and the bottom one is given away."""

from notahat.rules import Accept, Accepted, Back, FaceDown, FaceUp, Legal, Wrap, legal, play, view
from support.rounds import accepted, after, dealt, offered

OFFERED = offered(dealt("guitar> b< c< d< piano>", starter=1), "piano")  # seat 1 gives the piano to seat 0


def test_r5_1_the_receiver_lays_the_card_face_down_on_top_of_the_column() -> None:
    round_, events = play(OFFERED, Accept(0))
    assert events == (Accepted(1, 0),)
    assert view(round_).seats[0].column == (FaceDown(Back.RIGHT),)
    assert round_.columns[0][-1].gift == "piano"


def test_r5_2_they_give_away_the_bottom_card_never_the_one_just_received() -> None:
    round_ = accepted(OFFERED)
    assert view(round_).phase.card == FaceUp("guitar")  # type: ignore[union-attr]
    assert not view(round_).phase.from_shop  # type: ignore[union-attr]


def test_r5_2_a_bottom_card_that_still_lies_face_up_is_wrapped_first() -> None:
    round_ = accepted(OFFERED)
    assert legal(round_) == Legal(0, ("wrap",))
    assert legal(after(round_, Wrap(0))) == Legal(0, ("give",), (3,))


def test_r5_2_a_bottom_card_already_face_down_stays_so() -> None:
    round_ = accepted(OFFERED)
    for _ in range(2):  # the guitar goes right to seat 3, whose d goes left to seat 0, who has the wrapped piano
        round_ = accepted(offered(round_, "anything"))
    assert legal(round_) == Legal(0, ("give",), (3,))
    assert view(round_).phase.card == FaceDown(Back.RIGHT)  # type: ignore[union-attr]


def test_r5_3_so_it_goes_on_without_a_draw() -> None:
    round_, shop = OFFERED, len(OFFERED.shop)
    for _ in range(50):
        round_ = offered(accepted(round_), "anything")
        assert len(round_.shop) == shop
