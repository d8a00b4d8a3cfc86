"""The PDF, rendered and looked at page by page."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from notahat import gifts
from notahat.paper import printed_deck, rule_pages
from notahat.paper.pdf import Order, pdf
from notahat.paper.sheet import LARGEST, MARGIN, PAPERS, TOLERANCE, Size, grid
from notahat.rules import Back, Card
from support.pdf_pages import DOTS, Picture, cut, inside, pages, seen_backs, texts

WORDS = Path(__file__).parents[2] / "web/src/words"
CLASSIC, SPECIAL = printed_deck.cards("classic"), printed_deck.cards("special")
ORDERS = {
    "all of classic on A4": Order(CLASSIC),
    "special on Letter, short edge, saving ink": Order(
        SPECIAL[70:90], "de", "letter", "short", LARGEST, ink_saving=True
    ),
    "special, small": Order(SPECIAL[65:100], "fr", "letter", "long", Size(56.0, 35.0)),
}


@pytest.fixture(scope="module", params=ORDERS)
def order(request: pytest.FixtureRequest) -> Order:
    return ORDERS[request.param]


@pytest.fixture(scope="module")
def made(order: Order) -> bytes:
    return pdf(order)


@pytest.fixture(scope="module")
def seen(made: bytes) -> list[Picture]:
    return pages(made)


def sheets(order: Order, seen: list[Picture]) -> list[tuple[Picture, Picture, tuple[Card, ...]]]:
    """Fronts, backs and what they should be, sheet by sheet."""
    laid = grid(order.paper, order.card)
    each = laid.columns * laid.rows
    of = [order.cards[first : first + each] for first in range(0, len(order.cards), each)]
    return [(seen[2 * i], seen[2 * i + 1], cards) for i, cards in enumerate(of)]


def behind(page: Picture, order: Order) -> Picture:
    """A page as it would be seen through the sheet from its other side."""
    return page[:, ::-1] if order.flip == "long" else page[::-1, :]


def test_every_page_is_there_and_every_card_once(order: Order, seen: list[Picture]) -> None:
    laid = sheets(order, seen)
    assert len(seen) in (2 * len(laid) + 2, 2 * len(laid) + 3)  # the rules on one page or two, and a score sheet
    fronts = [(front, box) for front, _, _ in laid for box in cut(front)]
    drawn = [inside(front, box) for front, box in fronts]
    full = [one for one in drawn if one.min() < 100]
    assert len(full) == len(order.cards)
    assert len({one.tobytes() for one in full}) == len(order.cards)
    assert all((box.right - box.left, box.bottom - box.top) == pytest.approx(order.card, abs=0.6) for _, box in fronts)


def test_every_back_falls_on_its_front(order: Order, seen: list[Picture]) -> None:
    for front, back, cards in sheets(order, seen):
        cells, backs = cut(front)[: len(cards)], seen_backs(behind(back, order))
        assert len(backs) == len(cards)
        for cell, paper in zip(cells, backs, strict=True):
            assert paper.middle == pytest.approx(cell.middle, abs=0.5)
            assert paper.left - cell.left > TOLERANCE
            assert paper.top - cell.top > TOLERANCE


def test_the_right_arrow_is_behind_every_gift(order: Order, seen: list[Picture]) -> None:
    """Also without colour: black arrows are black in the middle, white ones white, and each kind is like itself."""
    like: dict[Back, npt.NDArray[np.float64]] = {}
    for _, back, cards in sheets(order, seen):
        page = behind(back, order)
        for box, card in zip(seen_backs(page), cards, strict=True):
            paper = inside(page, box, by=0)
            middle = paper[paper.shape[0] // 2, paper.shape[1] // 2]
            if card.back is not Back.ANY:
                assert (middle < 60) if card.back is Back.LEFT else (middle > 200)
            coarse = from_afar(paper)
            assert np.abs(like.setdefault(card.back, coarse) - coarse).max() < 40
    assert all(np.abs(a - b).max() > 60 for a in like.values() for b in like.values() if a is not b)


def from_afar(paper: Picture) -> npt.NDArray[np.float64]:
    """A back in 8 by 5 shades of grey."""
    rows = (band for band in np.array_split(paper, 5, axis=0))
    return np.array([[part.mean() for part in np.array_split(row, 8, axis=1)] for row in rows])


def test_nothing_is_outside_of_what_printers_print(order: Order, seen: list[Picture]) -> None:
    rim = round((MARGIN - 0.5) * DOTS)
    for page in seen:
        assert page.shape == pytest.approx([side * DOTS for side in PAPERS[order.paper][::-1]], abs=2)
        assert min(edge.min() for edge in (page[:rim], page[-rim:], page[:, :rim], page[:, -rim:])) == 255


@pytest.mark.parametrize("lang", gifts.LANGUAGES)
def test_the_rules_are_on_two_pages_in_every_language(lang: str) -> None:
    front, back, *written, scores = texts(pdf(Order(CLASSIC[:1], lang, "letter")))  # the shorter paper
    assert (front, back) == ("", "")  # a card has no name
    assert len(written) == 2
    words = json.loads((WORDS / f"{lang}.json").read_text("utf-8"))
    told = [words[part.of] for part in rule_pages.PARTS if part.of in words]
    spoken = [gifts.typeset(line("piano", lang)) for line in (gifts.offer, gifts.denial)]
    assert len(told) == 26
    for sentence in (*told, *spoken, *(words[key] for key in rule_pages.SMALL_PRINT), rule_pages.LICENCE):
        assert any("".join(sentence.split()) in page for page in written), sentence
    for key in ("print.scores", "rules.end_text", "print.round", "print.total"):
        assert "".join(words[key].split()) in scores


def test_the_same_order_gives_the_same_bytes_with_fonts_inside() -> None:
    made = pdf(Order(CLASSIC[:1]))
    assert made == pdf(Order(CLASSIC[:1]))
    assert made.count(b"/FontFile2") == 3
