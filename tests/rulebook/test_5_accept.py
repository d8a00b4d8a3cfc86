"""Chapter 5: accept. The card goes on top, and the bottom one is given away."""

from notahat.rules import Accept, Accepted, Back, FaceDown, FaceUp, Legal, legal, play, view
from support.rounds import accepted, dealt, offered

OFFERED = offered(dealt("guitar> b< c< d< piano>", starter=1), "piano")  # seat 1 gives the piano to seat 0


def test_r5_1_accepted_card_goes_face_down_on_top() -> None:
    round_, events = play(OFFERED, Accept(0))
    assert events == (Accepted(1, 0),)
    assert view(round_).seats[0].column == (FaceDown(Back.RIGHT),)
    assert round_.columns[0][-1].gift == "piano"


def test_r5_2_receiver_gives_the_bottom_card() -> None:
    round_ = accepted(OFFERED)
    assert view(round_).phase.card == FaceUp("guitar")  # type: ignore[union-attr]
    assert not view(round_).phase.from_shop  # type: ignore[union-attr]


def test_r5_2_wrapped_bottom_card_stays_wrapped() -> None:
    round_ = accepted(OFFERED)
    for _ in range(2):  # the guitar goes right to seat 3, whose d goes left to seat 0, who has the wrapped piano
        round_ = accepted(offered(round_, "anything"))
    assert legal(round_) == Legal(0, ("give",), (3,))
    assert view(round_).phase.card == FaceDown(Back.RIGHT)  # type: ignore[union-attr]


def test_r5_3_play_continues_without_a_draw() -> None:
    round_, shop = OFFERED, len(OFFERED.shop)
    for _ in range(50):
        round_ = offered(accepted(round_), "anything")
        assert len(round_.shop) == shop
