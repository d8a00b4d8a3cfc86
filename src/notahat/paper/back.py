"""The backs of printed cards as SVG of 160 × 100.

Four signs show the direction, so that it can be read without colour: the arrow, its colour (black or white), the slant
of the stripes and the darkness of the paper. All backs of one direction are identical.
"""

from typing import NamedTuple

from notahat.rules import Back

WIDE, HIGH = 160, 100
INK = "#14120e"

_ARROW = "M-21 .5Q-2 -1.2 17.5 -.2M4.5 -14.5Q10.5 -6 19.5 0 11 5.5 4.5 15"
_LOOPS = "M58 50C40 30 22 36 27 50 22 64 40 70 58 50ZM102 50C120 30 138 36 133 50 138 64 120 70 102 50Z"
_RIBBON = "M3 50.5Q80 48.8 157 50.2M80 3Q78.8 50 80.4 97"
_LOWER_HALF = "M152 2Q158 2 158 8V92Q158 98 152 98H8Q2 98 2.6 92Z"  # below the diagonal
_EDGE = 5  # stripes end here, so that round corners need no clipping
_ANY_ARROWS = ((48, 31, 205, 0.8), (92, 22, -62, 0.7), (112, 69, 25, 0.8), (68, 79, 118, 0.7))


class Wrapping(NamedTuple):
    """The colours of one wrapping paper."""

    paper: str
    stripe: str
    ribbon: str
    arrow: str


_MARIGOLD = Wrapping("#eca91a", "#dc950c", "#7c4a05", INK)
_BLUE = Wrapping("#1d5fae", "#2a70c4", "#0c3a74", "#ffffff")
_PAPERS = {Back.LEFT: _MARIGOLD, Back.RIGHT: _BLUE}


def svg(back: Back, ink_saving: bool = False) -> str:
    """Return the content of an SVG of 160 × 100."""
    if back is Back.ANY:
        return _any_in_lines() if ink_saving else _any_in_colour()
    return _in_lines(back) if ink_saving else _in_colour(back)


def _in_colour(back: Back) -> str:
    paper = _PAPERS[back]
    return "".join(
        (
            f'<rect x="2" y="2" width="156" height="96" rx="9" fill="{paper.paper}"/>',
            _line(_stripes(back, 26), paper.stripe, 7, "butt"),
            _line(_RIBBON, paper.ribbon, 7, "butt"),
            f'<path d="{_LOOPS}" fill="{paper.paper}" stroke="{paper.ribbon}" stroke-width="5"/>',
            f'<circle cx="80" cy="50" r="36" fill="{paper.paper}" stroke="{paper.ribbon}" stroke-width="3.5"/>',
            _arrow(80, 50, _angle(back), 1.22, paper.arrow),
        )
    )


def _any_in_colour() -> str:
    arrows = ((_MARIGOLD, _ANY_ARROWS[:2]), (_BLUE, _ANY_ARROWS[2:]))
    return "".join(
        (
            f'<rect x="2" y="2" width="156" height="96" rx="9" fill="{_MARIGOLD.paper}"/>',
            _line(_stripes(Back.LEFT, 26), _MARIGOLD.stripe, 7, "butt"),
            f'<path d="{_LOWER_HALF}" fill="{_BLUE.paper}"/>',  # covers the ends of the stripes
            _line(_stripes(Back.RIGHT, 26, above=False), _BLUE.stripe, 7, "butt"),
            *(_arrow(*place, paper.arrow) for paper, places in arrows for place in places),
        )
    )


def _in_lines(back: Back) -> str:
    return "".join(
        (
            _frame(),
            _line(_stripes(back, 20), "#8a8a8a", 0.9, "butt"),
            f'<circle cx="80" cy="50" r="34" fill="#ffffff" stroke="{INK}" stroke-width="1.4"/>',
            _black_or_white(80, 50, _angle(back), 1.15, back is Back.LEFT),
        )
    )


def _any_in_lines() -> str:
    return "".join(
        (
            _frame(),
            _line("M4 96L156 4", INK, 1.1, "butt"),
            _line(_stripes(Back.LEFT, 20, above=True), "#8a8a8a", 0.9, "butt"),
            _line(_stripes(Back.RIGHT, 20, above=False), "#8a8a8a", 0.9, "butt"),
            *(_black_or_white(*place, black=i < 2) for i, place in enumerate(_ANY_ARROWS)),
        )
    )


def _frame() -> str:
    return f'<rect x="2" y="2" width="156" height="96" rx="9" fill="#ffffff" stroke="{INK}" stroke-width="1.4"/>'


def _black_or_white(x: float, y: float, angle: float, scale: float, black: bool) -> str:
    """Return a solid arrow, or the outline of one: a wide stroke below a narrower white one."""
    solid = _arrow(x, y, angle, scale, INK, 8.4)
    return solid if black else solid + _arrow(x, y, angle, scale, "#ffffff", 5.2)


def _arrow(x: float, y: float, angle: float, scale: float, colour: str, width: float = 7.6) -> str:
    turned = f'transform="translate({x} {y}) rotate({angle}) scale({scale})"'
    return _line(_ARROW, colour, width, "round", turned)


def _line(path: str, colour: str, width: float, ends: str, more: str = "") -> str:
    drawn = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="{ends}" stroke-linejoin="round"'
    return f'<path d="{path}" {drawn} {more}/>'.replace(" />", "/>")


def _angle(back: Back) -> int:
    return 180 if back is Back.LEFT else 0


def _stripes(back: Back, apart: int, above: bool | None = None) -> str:
    """Return stripes that slant in the arrow's direction; on special cards only on one side of the diagonal."""
    slant = 0.6 if back is Back.LEFT else -0.6
    starts = range(-70, 231, apart)
    return "".join(_stripe(start, slant, above) for start in starts)


def _stripe(start: float, slant: float, above: bool | None) -> str:
    """Return the line x = start + slant · y, clipped to the card."""
    top, bottom = float(_EDGE), float(HIGH - _EDGE)
    low, high = sorted(((_EDGE - start) / slant, (WIDE - _EDGE - start) / slant))
    if above is not None:  # the diagonal is y = 100 - 0.625 x
        crossing = (HIGH - 0.625 * start) / (1 + 0.625 * slant)
        top, bottom = (top, min(bottom, crossing - 3)) if above else (max(top, crossing + 3), bottom)
    top, bottom = max(top, low), min(bottom, high)
    if bottom - top < 4:
        return ""
    return f"M{start + slant * top:.1f} {top:.1f}L{start + slant * bottom:.1f} {bottom:.1f}"
