"""Where cards lie on sheets of paper, so that every back falls on its front. In millimetres, from the top left corner.

Browsers that print by themselves are told these numbers (tools/web_catalogue.py) and lay the same sheets.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

MARGIN = 6.0  # what home printers may leave white
MARK = 3.0  # the length of a cut mark
AIR = 1.0  # between a mark and the cards
TOLERANCE = 2.0  # how far the two sides of a sheet may be apart
FRONT = 0.86  # of a card's height, for its drawing
FRAME = TOLERANCE + 1.0  # white around a back, so that a sheet that slipped shows no neighbour's paper

PaperName = Literal["a4", "letter"]
Flip = Literal["long", "short"]


class Size(NamedTuple):
    """Of a sheet or of a card."""

    width: float
    height: float


class Place(NamedTuple):
    """The top left corner of a card."""

    x: float
    y: float


PAPERS: Mapping[str, Size] = {"a4": Size(210.0, 297.0), "letter": Size(215.9, 279.4)}
FLIPS: tuple[Flip, ...] = ("long", "short")
LARGEST = Size(88.0, 55.0)
SMALLEST = Size(40.0, 25.0)
OFFERED = (LARGEST, Size(72.0, 45.0), Size(64.0, 40.0), Size(56.0, 35.0))  # where people pick and do not type
_MM = r"[0-9]{1,3}(?:\.[0-9])?"


class Grid(NamedTuple):
    """Cards that touch each other, in the middle of an upright sheet."""

    sheet: Size
    card: Size
    columns: int
    rows: int

    @property
    def corner(self) -> Place:
        """Where the first card lies."""
        wide, high = self.columns * self.card.width, self.rows * self.card.height
        return Place((self.sheet.width - wide) / 2, (self.sheet.height - high) / 2)

    def fronts(self, count: int) -> Iterator[tuple[Place, ...]]:
        """For each sheet the places of its fronts, row by row."""
        each = self.columns * self.rows
        for first in range(0, count, each):
            yield tuple(self._place(i) for i in range(min(each, count - first)))

    def back(self, front: Place, flip: Flip) -> Place:
        """Where the back of a front lies, seen on the page that is printed behind it."""
        if flip == "long":
            return Place(self.sheet.width - front.x - self.card.width, front.y)
        return Place(front.x, self.sheet.height - front.y - self.card.height)

    def cuts(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Where to cut: from left to right, and from top to bottom."""
        x, y = self.corner
        across = tuple(x + i * self.card.width for i in range(self.columns + 1))
        down = tuple(y + i * self.card.height for i in range(self.rows + 1))
        return across, down

    def _place(self, i: int) -> Place:
        row, column = divmod(i, self.columns)
        return Place(self.corner.x + column * self.card.width, self.corner.y + row * self.card.height)


def grid(paper: str, card: Size) -> Grid:
    """As many cards as a sheet holds, with room for cut marks that every printer prints."""
    sheet = PAPERS[paper]
    taken = 2 * (MARGIN + MARK + AIR)
    return Grid(sheet, card, int((sheet.width - taken) // card.width), int((sheet.height - taken) // card.height))


def size(text: str) -> Size:
    """`88x55`, or `88` for cards of the usual shape."""
    read = re.fullmatch(rf"({_MM})(?:\s*[x×]\s*({_MM}))?(?:\s*mm)?", text.strip().lower())
    if read is None:
        raise ValueError(f"no size of a card: {text!r}; such as 88x55, in millimetres")
    width = float(read[1])
    card = Size(width, float(read[2]) if read[2] else width * LARGEST.height / LARGEST.width)
    if not (SMALLEST.width <= card.width <= LARGEST.width and SMALLEST.height <= card.height <= LARGEST.height):
        raise ValueError(f"a card is between {_told(SMALLEST)} and {_told(LARGEST)} mm, not {_told(card)}")
    return card


def _told(card: Size) -> str:
    return f"{card.width:g}x{card.height:g}"
