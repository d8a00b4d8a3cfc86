"""The drawing of a position, and the short text of a round."""

from xml.etree import ElementTree

from msgspec import structs

from notahat.rules import Draw, Judge, Round, ShopView, Wrap, svg, view
from support.rounds import accepted, after, dealt, offered, refused


def texts(round_: Round) -> list[str]:
    """All texts of the drawing, which must be well-formed."""
    return [one.text or "" for one in ElementTree.fromstring(svg(view(round_))).iter() if one.text]  # noqa: S314 - ours


def test_drawing_shows_columns_shop_and_phase() -> None:
    round_ = dealt("hat> kite> egg* book> harp<", seats=4)
    assert {"hat", "kite", "egg", "book", "harp", "shop: 9", "seat 0 is to draw"} <= set(texts(round_))
    wrapped = after(round_, Draw(0), Wrap(0))
    assert "seat 0 is to give it to 1" in texts(wrapped)
    given = offered(wrapped, "a <nice> cake")
    assert {"← left", "seat 0 to seat 1: “a <nice> cake”"} <= set(texts(given))
    assert "seat 1 is to wrap it" in texts(accepted(given))
    assert {"penalties: harp", "seat 0: 1"} <= set(texts(refused(given)))
    aloud = offered(round_, None)
    assert "seat 0 to seat 1: said aloud" in texts(aloud)
    assert "who was wrong: seat 0 or seat 1?" in texts(refused(aloud))


def test_drawing_of_the_end_crowns_winners() -> None:
    round_ = dealt("", seats=3)
    while not round_.over:
        round_ = after(refused(offered(round_, None)), Judge(0, "giver"))
    assert {"the round is over", "seat 1: 0 ♛"} <= set(texts(round_))
    assert "shop: 0" in svg(structs.replace(view(round_), shop=ShopView(None, 0)))


def test_repr_of_a_round_is_short() -> None:
    assert repr(dealt("", seats=4)) == "<Round of 4: turn 0, Drawing, scores (0, 0, 0, 0), shop 9>"
    assert dealt("")._repr_svg_().startswith("<svg")
