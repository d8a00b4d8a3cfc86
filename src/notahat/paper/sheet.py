"""The layout of cards on sheets, in millimetres from the top left corner, with every back behind its front.

Browsers that print use the same numbers (tools/web_catalogue.py).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

MARGIN = 6.0  # home printers may not print here
MARK = 3.0  # the length of a cut mark
AIR = 1.0  # between a mark and the cards
TOLERANCE = 2.0  # the offset between both sides of a sheet
FRONT = 0.86  # of a card's height, for its drawing
FRAME = TOLERANCE + 1.0  # white around a back, so that a shifted sheet does not show the neighbour's back

PaperName = Literal["a4", "letter"]
Flip = Literal["long", "short"]


class Size(NamedTuple):
    """The size of a sheet or a card."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.width:g}x{self.height:g}"


class Place(NamedTuple):
    """The top left corner of a card."""

    x: float
    y: float


PAPERS: Mapping[str, Size] = {"a4": Size(210.0, 297.0), "letter": Size(215.9, 279.4)}
FLIPS: tuple[Flip, ...] = ("long", "short")
LARGEST = Size(88.0, 55.0)
SMALLEST = Size(40.0, 25.0)
SIZES = (LARGEST, Size(72.0, 45.0), Size(64.0, 40.0), Size(56.0, 35.0))  # the choice in the web app
_MM = r"[0-9]{1,3}(?:\.[0-9])?"


class Grid(NamedTuple):
    """Adjoining cards in the middle of an upright sheet."""

    sheet: Size
    card: Size
    columns: int
    rows: int

    @property
    def corner(self) -> Place:
        """The position of the first card."""
        wide, high = self.columns * self.card.width, self.rows * self.card.height
        return Place((self.sheet.width - wide) / 2, (self.sheet.height - high) / 2)

    def fronts(self, count: int) -> Iterator[tuple[Place, ...]]:
        """Yield the positions of the fronts of each sheet, row by row."""
        per_sheet = self.columns * self.rows
        for first in range(0, count, per_sheet):
            yield tuple(self._place(i) for i in range(min(per_sheet, count - first)))

    def back(self, front: Place, flip: Flip) -> Place:
        """Return the position of a front's back on the page that is printed behind it."""
        if flip == "long":
            return Place(self.sheet.width - front.x - self.card.width, front.y)
        return Place(front.x, self.sheet.height - front.y - self.card.height)

    def cuts(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the x positions and the y positions of all cuts."""
        x, y = self.corner
        across = tuple(x + i * self.card.width for i in range(self.columns + 1))
        down = tuple(y + i * self.card.height for i in range(self.rows + 1))
        return across, down

    def _place(self, i: int) -> Place:
        row, column = divmod(i, self.columns)
        return Place(self.corner.x + column * self.card.width, self.corner.y + row * self.card.height)


def grid(paper: str, card: Size) -> Grid:
    """Return the grid with as many cards as fit, with room for cut marks within the printable area."""
    sheet = PAPERS[paper]
    border = 2 * (MARGIN + MARK + AIR)
    return Grid(sheet, card, int((sheet.width - border) // card.width), int((sheet.height - border) // card.height))


def parse_size(text: str) -> Size:
    """Parse `88x55`, or `88` for cards of the usual proportions. Raise `ValueError`."""
    read = re.fullmatch(rf"({_MM})(?:\s*[x×]\s*({_MM}))?(?:\s*mm)?", text.strip().lower())
    if read is None:
        raise ValueError(f"{text!r} is not a card size: write it in millimetres, such as 88x55")
    width = float(read[1])
    card = Size(width, float(read[2]) if read[2] else width * LARGEST.height / LARGEST.width)
    if not (SMALLEST.width <= card.width <= LARGEST.width and SMALLEST.height <= card.height <= LARGEST.height):
        raise ValueError(f"a card is between {SMALLEST} and {LARGEST} mm, not {card}")
    return card
