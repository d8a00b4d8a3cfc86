"""Chapter 1: words. What a card shows, and where left and right are."""

import msgspec
import pytest

from notahat.rules import Back, Draw, FaceDown, FaceUp, Reason, Wrap, agree, deal, deal_round, view
from support.rounds import after, cards, dealt, offered, refusal


def test_r1_every_card_in_a_deck_shows_a_different_gift() -> None:
    pack = cards("hat< hat> " + " ".join(f"g{n}<" for n in range(20)))
    for attempt in (lambda: deal_round(agree(4), pack), lambda: deal(pack, 4)):
        assert refusal(attempt) is Reason.SAME_GIFT_TWICE


def test_r1_shop_shows_top_gift_without_arrow() -> None:
    seen = msgspec.to_builtins(view(dealt("a< b< c< d< piano>")))
    assert seen["shop"] == {"top": "piano", "left": 9}


def test_r1_a_face_up_card_shows_its_gift_and_no_arrow() -> None:
    card = view(dealt("hat<")).seats[0].column[0]
    assert card == FaceUp("hat")
    assert not hasattr(card, "back")


def test_r1_a_face_down_card_shows_its_arrow_and_has_no_name() -> None:
    phase = view(after(dealt("a< b< c< d< piano>"), Draw(0), Wrap(0))).phase
    assert phase.card == FaceDown(Back.RIGHT)  # type: ignore[union-attr]
    assert FaceDown.__struct_fields__ == ("back",)


@pytest.mark.parametrize(("giver", "back", "receiver"), [(0, "<", 1), (3, "<", 0), (0, ">", 3), (2, ">", 1)])
def test_r1_left_is_next_seat_clockwise(giver: int, back: str, receiver: int) -> None:
    round_ = offered(dealt(f"a< b< c< d< piano{back}", starter=giver), "piano")
    assert round_.phase.receiver == receiver  # type: ignore[union-attr]
