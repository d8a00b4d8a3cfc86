"""Render a PDF and find cards, cut marks and texts on its pages."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2

Picture = npt.NDArray[np.uint8]
DOTS = 4.0  # per millimetre
POINTS = 72 / 25.4  # per millimetre
LIGHT = 245  # a lighter pixel is paper


class Box(NamedTuple):
    """A rectangle in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def pages(pdf: bytes) -> list[Picture]:
    """Return every page in greyscale."""
    document = pypdfium2.PdfDocument(pdf)
    pictures = [np.array(page.render(scale=DOTS / POINTS, grayscale=True).to_numpy()).squeeze() for page in document]
    document.close()
    return pictures


def texts(pdf: bytes) -> list[str]:
    """Return the text of every page without spaces and line breaks."""
    document = pypdfium2.PdfDocument(pdf)
    words = ["".join(page.get_textpage().get_text_range().split()) for page in document]
    document.close()
    return words


def runs(filled: Any, gap: float) -> Iterator[tuple[int, int]]:
    """Yield the ranges that are filled, with gaps of less than `gap` millimetres."""
    at = np.flatnonzero(filled)
    breaks = np.flatnonzero(np.diff(at) > gap * DOTS)
    starts, ends = [0, *(breaks + 1)], [*breaks, len(at) - 1]
    yield from ((int(at[a]), int(at[b]) + 1) for a, b in zip(starts, ends, strict=True) if len(at))


def seen_backs(page: Picture) -> list[Box]:
    """Return the card backs, row by row, and in a row from left to right."""
    ink = page < LIGHT
    return [
        Box(left / DOTS, top / DOTS, right / DOTS, bottom / DOTS)
        for top, bottom in runs(np.any(ink, axis=1), 3)
        for left, right in runs(np.any(ink[top:bottom], axis=0), 3)
    ]


def cut(page: Picture) -> list[Box]:
    """Return the cards between the cut marks in the margins."""
    ink = page < 200
    across, down = (
        [(a + b) / 2 / DOTS for a, b in runs(side[first_mark(np.any(side, axis=1))], 0.5)] for side in (ink, ink.T)
    )
    return [Box(left, top, right, bottom) for top, bottom in pairwise(down) for left, right in pairwise(across)]


def first_mark(filled: Any) -> int:
    """Return the row through the middle of the outermost marks."""
    first = int(np.flatnonzero(filled)[0])
    return first + int(1.5 * DOTS)


def inside(page: Picture, box: Box, by: float = 2.0) -> Picture:
    """Return the content of a card without its edge, where the cut marks are."""
    left, top, right, bottom = (round(DOTS * end) for end in box)
    margin = round(by * DOTS)
    return page[top + margin : bottom - margin, left + margin : right - margin]
