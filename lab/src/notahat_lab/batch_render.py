"""A game of the batch simulator as text or as a picture: what everybody at the table sees."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from notahat.rules.round import PENALTIES_THAT_END
from notahat_lab import encoding as enc
from notahat_lab.kernels import PLAYERS


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Refuse what an environment cannot draw."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode!r} is not offered: {' or '.join(modes)}")


def render_row(row: NDArray[np.uint8], gifts: int) -> str:
    """Return columns, penalties, the shop and the decision of one game."""
    seats = []
    for seat in range(row[PLAYERS]):
        column = row[enc.COLUMNS + seat * enc.COLUMN_SLOTS :][:gifts]
        pile = row[enc.PILES + seat * PENALTIES_THAT_END :][:PENALTIES_THAT_END]
        words = [_name(code) for code in column] + [f"-{_name(code)}" for code in pile if code]
        seats.append(f"{seat}: {' '.join(words)}")
    return " | ".join([*seats, f"shop: {_name(row[enc.SHOP_TOP])}", _render_phase(row)])


def _render_phase(row: NDArray[np.uint8]) -> str:
    if row[enc.DECISION] == enc.OVER:
        return "over"
    if row[enc.DECISION] == enc.ANSWERING:
        return f"{row[enc.GIVER]} offers {row[enc.RECEIVER]} this: {_name(row[enc.CLAIM])}"
    return f"{row[enc.GIVER]} has {_name(row[enc.BACK])} in hand"


def _name(code: np.uint8) -> str:
    return enc.NAMES[int(code)]


Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
SIZE, CARD = (960, 600), (110, 34)
INK, PAPER, OPEN, PENALTY = "#1b1a17", "#ebe1ce", "#ffffff", "#a8271f"
WRAPPED = {enc.LEFT: "#f2b632", enc.RIGHT: "#1d5fae", enc.ANY: "#8d8a80"}


def draw_row(row: NDArray[np.uint8], gifts: int) -> NDArray[np.uint8]:
    """Return a picture of one game: the seats around the shop, seat 0 at the bottom, the others clockwise."""
    picture = Image.new("RGB", SIZE, PAPER)
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(16)
    middle, players = (SIZE[0] // 2, SIZE[1] // 2), int(row[PLAYERS])
    _draw_card(draw, font, middle, int(row[enc.SHOP_TOP]))
    draw.text((middle[0], middle[1] + 40), _render_phase(row), INK, font, anchor="mm")
    for seat in range(players):
        angle = math.tau * (0.25 + seat / players)
        x, y = middle[0] + int(380 * math.cos(angle)), middle[1] + int(210 * math.sin(angle))
        draw.text((x, y - 38), f"player_{seat}", INK, font, anchor="mm")
        for slot in range(gifts):
            code = int(row[enc.COLUMNS + seat * enc.COLUMN_SLOTS + slot])
            _draw_card(draw, font, (x, y + slot * (CARD[1] + 4)), code)
        pile = row[enc.PILES + seat * PENALTIES_THAT_END :][:PENALTIES_THAT_END]
        names = ", ".join(_name(code) for code in pile if code)
        draw.text((x, y + gifts * (CARD[1] + 4)), names, PENALTY, font, anchor="mm")
    return np.asarray(picture, np.uint8)


def _draw_card(draw: ImageDraw.ImageDraw, font: Font, centre: tuple[int, int], code: int) -> None:
    if code != enc.NOTHING:
        (x, y), (width, height) = centre, CARD
        box = (x - width // 2, y - height // 2, x + width // 2, y + height // 2)
        draw.rounded_rectangle(box, 6, WRAPPED.get(code, OPEN), INK)
        draw.text(centre, _name(np.uint8(code)), OPEN if code == enc.RIGHT else INK, font, anchor="mm")
