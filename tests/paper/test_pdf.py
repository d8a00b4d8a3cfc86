"""The PDF, rendered and checked page by page."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from notahat import gifts
from notahat.paper import printed_deck, rule_pages
from notahat.paper.pdf import PrintJob, pdf
from notahat.paper.sheet import LARGEST, MARGIN, PAPERS, TOLERANCE, Size, grid
from notahat.rules import Back, Card
from support.pdf_pages import DOTS, Picture, cut, inside, pages, seen_backs, texts

WORDS = Path(__file__).parents[2] / "web/src/words"
CLASSIC, SPECIAL = printed_deck.cards("classic"), printed_deck.cards("special")
JOBS = {
    "all of classic on A4": PrintJob(CLASSIC),
    "special on Letter, short edge, saving ink": PrintJob(
        SPECIAL[70:90], "de", "letter", "short", LARGEST, ink_saving=True
    ),
    "special, small": PrintJob(SPECIAL[65:100], "fr", "letter", "long", Size(56.0, 35.0)),
}


@pytest.fixture(scope="module", params=JOBS)
def job(request: pytest.FixtureRequest) -> PrintJob:
    return JOBS[request.param]


@pytest.fixture(scope="module")
def made(job: PrintJob) -> bytes:
    return pdf(job)


@pytest.fixture(scope="module")
def seen(made: bytes) -> list[Picture]:
    return pages(made)


def sheets(job: PrintJob, seen: list[Picture]) -> list[tuple[Picture, Picture, tuple[Card, ...]]]:
    """Return fronts, backs and expected cards of each sheet."""
    laid = grid(job.paper, job.card)
    each = laid.columns * laid.rows
    of = [job.cards[first : first + each] for first in range(0, len(job.cards), each)]
    return [(seen[2 * i], seen[2 * i + 1], cards) for i, cards in enumerate(of)]


def behind(page: Picture, job: PrintJob) -> Picture:
    """Return a page as seen through the sheet from its other side."""
    return page[:, ::-1] if job.flip == "long" else page[::-1, :]


def test_pdf_has_all_pages_and_each_card_once(job: PrintJob, seen: list[Picture]) -> None:
    laid = sheets(job, seen)
    assert len(seen) in (2 * len(laid) + 2, 2 * len(laid) + 3)  # the rules on one page or two, and a score sheet
    fronts = [(front, box) for front, _, _ in laid for box in cut(front)]
    drawn = [inside(front, box) for front, box in fronts]
    full = [one for one in drawn if one.min() < 100]
    assert len(full) == len(job.cards)
    assert len({one.tobytes() for one in full}) == len(job.cards)
    assert all((box.right - box.left, box.bottom - box.top) == pytest.approx(job.card, abs=0.6) for _, box in fronts)


def test_every_back_is_behind_its_front(job: PrintJob, seen: list[Picture]) -> None:
    for front, back, cards in sheets(job, seen):
        cells, backs = cut(front)[: len(cards)], seen_backs(behind(back, job))
        assert len(backs) == len(cards)
        for cell, paper in zip(cells, backs, strict=True):
            assert paper.middle == pytest.approx(cell.middle, abs=0.5)
            assert paper.left - cell.left > TOLERANCE
            assert paper.top - cell.top > TOLERANCE


def test_right_arrow_is_behind_every_gift(job: PrintJob, seen: list[Picture]) -> None:
    """Without colour: black arrows are black in the middle, white ones white, and all of a kind are alike."""
    like: dict[Back, npt.NDArray[np.float64]] = {}
    for _, back, cards in sheets(job, seen):
        page = behind(back, job)
        for box, card in zip(seen_backs(page), cards, strict=True):
            paper = inside(page, box, by=0)
            middle = paper[paper.shape[0] // 2, paper.shape[1] // 2]
            if card.back is not Back.ANY:
                assert (middle < 60) if card.back is Back.LEFT else (middle > 200)
            coarse = downscale(paper)
            assert np.abs(like.setdefault(card.back, coarse) - coarse).max() < 40
    assert all(np.abs(a - b).max() > 60 for a in like.values() for b in like.values() if a is not b)


def downscale(paper: Picture) -> npt.NDArray[np.float64]:
    """Return a back reduced to 8 by 5 shades of grey."""
    rows = (band for band in np.array_split(paper, 5, axis=0))
    return np.array([[part.mean() for part in np.array_split(row, 8, axis=1)] for row in rows])


def test_margins_are_white(job: PrintJob, seen: list[Picture]) -> None:
    rim = round((MARGIN - 0.5) * DOTS)
    for page in seen:
        assert page.shape == pytest.approx([side * DOTS for side in PAPERS[job.paper][::-1]], abs=2)
        assert min(edge.min() for edge in (page[:rim], page[-rim:], page[:, :rim], page[:, -rim:])) == 255


@pytest.mark.parametrize("lang", gifts.LANGUAGES)
def test_rules_fit_on_two_pages_in_every_language(lang: str) -> None:
    front, back, *written, scores = texts(pdf(PrintJob(CLASSIC[:1], lang, "letter")))  # the shorter paper
    assert (front, back) == ("", "")  # a card has no name
    assert len(written) == 2
    words = json.loads((WORDS / f"{lang}.json").read_text("utf-8"))
    texts_ = [words[part.of] for part in rule_pages.PARTS if part.of in words]
    spoken = [gifts.typeset(line("piano", lang)) for line in (gifts.offer, gifts.denial)]
    assert len(texts_) == 26
    for sentence in (*texts_, *spoken, *(words[key] for key in rule_pages.SMALL_PRINT), rule_pages.LICENCE):
        assert any("".join(sentence.split()) in page for page in written), sentence
    for key in ("print.scores", "rules.end_text", "print.round", "print.total"):
        assert "".join(words[key].split()) in scores


def test_same_job_gives_same_bytes_with_fonts() -> None:
    made = pdf(PrintJob(CLASSIC[:1]))
    assert made == pdf(PrintJob(CLASSIC[:1]))
    assert made.count(b"/FontFile2") == 3
