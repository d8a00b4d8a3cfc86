"""Sheets of paper as eyes and scissors see them: a PDF is rendered and looked at."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2

Picture = npt.NDArray[np.uint8]
DOTS = 4.0  # to the millimetre
POINTS = 72 / 25.4
LIGHT = 245


class Box(NamedTuple):
    """In millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def pages(made: bytes) -> list[Picture]:
    """Every page in grey."""
    document = pypdfium2.PdfDocument(made)
    seen = [np.array(page.render(scale=DOTS / POINTS, grayscale=True).to_numpy()).squeeze() for page in document]
    document.close()
    return seen


def texts(made: bytes) -> list[str]:
    """The words of every page without the spaces between them: where lines break does not matter."""
    document = pypdfium2.PdfDocument(made)
    said = ["".join(page.get_textpage().get_text_range().split()) for page in document]
    document.close()
    return said


def runs(filled: Any, gap: float) -> Iterator[tuple[int, int]]:
    """Where something is, with less than `gap` millimetres of nothing inside."""
    at = np.flatnonzero(filled)
    breaks = np.flatnonzero(np.diff(at) > gap * DOTS)
    starts, ends = [0, *(breaks + 1)], [*breaks, len(at) - 1]
    yield from ((int(at[a]), int(at[b]) + 1) for a, b in zip(starts, ends, strict=True) if len(at))


def seen_backs(page: Picture) -> list[Box]:
    """Papers stand apart: row by row, and in a row from left to right."""
    ink = page < LIGHT
    return [
        Box(left / DOTS, top / DOTS, right / DOTS, bottom / DOTS)
        for top, bottom in runs(np.any(ink, axis=1), 3)
        for left, right in runs(np.any(ink[top:bottom], axis=0), 3)
    ]


def cut(page: Picture) -> list[Box]:
    """The cards as scissors see them, by the marks in the margins."""
    ink = page < 200
    across, down = (
        [(a + b) / 2 / DOTS for a, b in runs(way[first_mark(np.any(way, axis=1))], 0.5)] for way in (ink, ink.T)
    )
    return [Box(left, top, right, bottom) for top, bottom in pairwise(down) for left, right in pairwise(across)]


def first_mark(filled: Any) -> int:
    """A line in the middle of the outermost marks."""
    first = int(np.flatnonzero(filled)[0])
    return first + int(1.5 * DOTS)


def inside(page: Picture, box: Box, by: float = 2.0) -> Picture:
    """What is on a card, but for what is near its edge: crosses to cut by."""
    left, top, right, bottom = (round(DOTS * end) for end in box)
    air = round(by * DOTS)
    return page[top + air : bottom - air, left + air : right - air]
