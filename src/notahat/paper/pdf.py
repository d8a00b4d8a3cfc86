"""A deck as a PDF: sheets of fronts and backs, the rules, and a score sheet. Needs the extra `print`."""

import datetime
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fpdf import FPDF
from msgspec import Struct
from PIL import Image

from notahat import gifts
from notahat.gifts.drawing import BOX
from notahat.paper import back, font, rule_pages, web_assets
from notahat.paper.sheet import AIR, FRAME, FRONT, MARGIN, MARK, PAPERS, Flip, Grid, Place, Size, grid
from notahat.rules import Back, Card
from notahat.rules.round import MOST_PLAYERS

INK = (27, 26, 23)
SOFT = (94, 87, 75)
HAIRLINE = 0.15
EDGE = 18.0  # the margin of text pages
GUTTER = 9.0
LINE = 1.36
CREATED = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # a constant, so that the same job gives the same bytes

_BACKS = {one.value: one for one in Back}


class UndrawablePicture(Exception):  # noqa: N818
    """The picture of the own gift with this key cannot be decoded."""


class PrintJob(Struct, frozen=True):
    """What to print, and on what."""

    cards: tuple[Card, ...]
    lang: str = "en"
    paper: str = "a4"
    flip: Flip = "long"
    card: Size = Size(88.0, 55.0)
    ink_saving: bool = False
    pictures: Mapping[str, bytes] = {}  # of own gifts, by key


def pdf(job: PrintJob) -> bytes:
    """Return the PDF. Raise `UndrawablePicture` before anything is drawn."""
    for gift, picture in job.pictures.items():
        try:
            with Image.open(BytesIO(picture)) as opened:
                opened.load()
        except Exception as problem:  # decoders raise all kinds of errors
            raise UndrawablePicture(gift) from problem
    with TemporaryDirectory() as folder:
        builder = _PdfBuilder(job, Path(folder))
        builder.add_cards()
        builder.add_rules()
        builder.add_score_sheet()
        return builder.output()


class _PdfBuilder:
    def __init__(self, job: PrintJob, folder: Path) -> None:
        self._job = job
        self._page = PAPERS[job.paper]
        self._grid = grid(job.paper, job.card)
        self._words: dict[str, str] = web_assets.read_json(f"src/words/{job.lang}.json")
        self._pdf = FPDF(unit="mm", format=(self._page.width, self._page.height))
        self._set_up()
        font.embed(self._pdf, folder)

    def _set_up(self) -> None:
        pdf = self._pdf
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_title(f"Not a Hat: {self._text('print.title')}")
        pdf.set_lang(self._job.lang)
        pdf.set_creator("notahat")
        pdf.set_creation_date(CREATED)

    def output(self) -> bytes:
        return bytes(self._pdf.output())

    def _text(self, key: str) -> str:
        return _printable(self._words[key])

    # the cards

    def add_cards(self) -> None:
        """Add pages of fronts, each followed by the page of their backs."""
        cards = iter(self._job.cards)
        for places in self._grid.fronts(len(self._job.cards)):
            placed = [(next(cards), place) for place in places]
            self._new_page()
            _cut_marks(self._pdf, self._grid)
            for card, place in placed:
                self._front(card.gift, place, self._job.card)
            self._new_page()
            for card, place in placed:
                self._back(card.back, self._grid.back(place, self._job.flip), self._job.card, FRAME, self._rotated)

    @property
    def _rotated(self) -> bool:
        """Whether backs are upside down, because the printer flips over the short edge."""
        return self._job.flip == "short"

    def _new_page(self) -> None:
        self._pdf.add_page()
        self._pdf.set_text_color(*INK)
        self._pdf.set_draw_color(*INK)

    def _front(self, gift: str, place: Place, size: Size) -> None:
        side = size.height * FRONT
        x, y = place.x + (size.width - side) / 2, place.y + (size.height - side) / 2
        picture = self._job.pictures.get(gift)
        self._draw(_gift_svg(gift) if picture is None else picture, Place(x, y), Size(side, side))

    def _back(self, kind: Back, place: Place, size: Size, frame: float, rotated: bool = False) -> None:
        scale = min((size.width - 2 * frame) / back.WIDE, (size.height - 2 * frame) / back.HIGH)
        scaled = Size(back.WIDE * scale, back.HIGH * scale)
        x, y = place.x + (size.width - scaled.width) / 2, place.y + (size.height - scaled.height) / 2
        self._draw(_back_svg(kind, self._job.ink_saving, rotated), Place(x, y), scaled)

    def _draw(self, picture: bytes, place: Place, size: Size) -> None:
        self._pdf.image(BytesIO(picture), *place, *size, keep_aspect_ratio=True)

    # the rules: two columns of text and small cards

    def add_rules(self) -> None:
        text = _Columns(self._pdf, self._page)
        self._new_page()
        text.title(self._text("rules.title"))
        parts = list(rule_pages.PARTS)
        for i, part in enumerate(parts):
            following = parts[i + 1 : i + 3]
            text.require(sum(self._height(one, text) for one in [part, *_kept_with(part, following)]))
            self._add_part(part, text)
        self._add_small_print()

    def _height(self, part: rule_pages.Part, text: "_Columns") -> float:
        if part.kind == "over":
            return 0.0
        if part.kind == "row":
            return text.card.height + 4.5
        if part.kind == "column":
            return 3 * (text.card.height * 0.8 + 1) + 3.5
        return text.height(self._part_text(part), part.kind)

    def _add_part(self, part: rule_pages.Part, text: "_Columns") -> None:
        if part.kind == "over":
            text.start_right_column()
        elif part.kind == "row":
            self._add_row(part.of.split(), text)
        elif part.kind == "column":
            self._add_column(part.of.split(), text)
        else:
            text.write(self._part_text(part), part.kind)

    def _part_text(self, part: rule_pages.Part) -> str:
        if part.kind == "offer":
            return _printable(gifts.typeset(gifts.offer(part.of, self._job.lang)))
        if part.kind == "denial":
            return _printable(gifts.typeset(gifts.denial(part.of, self._job.lang)))
        return self._text(part.of)

    def _add_row(self, shown: Sequence[str], text: "_Columns") -> None:
        x, y = text.x, text.y + 1
        for what in shown:
            if what == ">":
                _draw_arrow(self._pdf, x + 1, y + text.card.height / 2)
                x += 9
            else:
                self._draw_small_card(what, Place(x, y), text.card)
                x += text.card.width + 2.5
        text.y = y + text.card.height + 3.5

    def _add_column(self, shown: Sequence[str], text: "_Columns") -> None:
        card = Size(text.card.width * 0.8, text.card.height * 0.8)
        for what in shown:
            self._draw_small_card(what, Place(text.x, text.y + 1), card)
            text.y += card.height + 1
        text.y += 3.5

    def _draw_small_card(self, what: str, place: Place, card: Size) -> None:
        if what in _BACKS:
            self._back(_BACKS[what], place, card, 0)
            return
        with self._pdf.local_context(draw_color=INK, line_width=0.25):
            self._pdf.rect(*place, *card, round_corners=True, corner_radius=1.6)
        self._front(what, place, card)

    def _add_small_print(self) -> None:
        lines = " ".join((*(self._text(key) for key in rule_pages.SMALL_PRINT), rule_pages.LICENCE))
        pdf = self._pdf
        pdf.set_font("sans", size=7)
        pdf.set_text_color(*SOFT)
        width = self._page.width - 2 * EDGE
        high: Any = pdf.multi_cell(width, 3.2, lines, dry_run=True, output="HEIGHT")
        pdf.set_xy(EDGE, self._page.height - MARGIN - 4 - high)
        pdf.multi_cell(width, 3.2, lines, align="L")
        pdf.set_text_color(*INK)

    # the score sheet: a column for each player, a row for each round

    def add_score_sheet(self) -> None:
        self._new_page()
        pdf, width = self._pdf, self._page.width - 2 * EDGE
        pdf.set_font("hand", size=30)
        pdf.set_xy(EDGE, EDGE)
        pdf.cell(width, 12, self._text("print.scores"))
        pdf.set_font("sans", size=10)
        pdf.set_xy(EDGE, EDGE + 15)
        pdf.multi_cell(width, 4.9, self._text("rules.end_text"), align="L", new_x="LMARGIN", new_y="NEXT")
        self._add_score_table(pdf.get_y() + 6)

    def _add_score_table(self, top: float) -> None:
        pdf, most = self._pdf, MOST_PLAYERS
        head, first = 24.0, 24.0
        each = (self._page.width - 2 * EDGE - first) / most
        line = min(17.0, (self._page.height - EDGE - top - head) / (most + 1))
        lines = [top, *(top + head + i * line for i in range(most + 2))]
        for y in lines:
            pdf.set_line_width(0.6 if y in (lines[1], lines[-2]) else 0.2)
            pdf.line(EDGE, y, self._page.width - EDGE, y)
        pdf.set_line_width(0.2)
        for x in (EDGE, *(EDGE + first + i * each for i in range(most + 1))):
            pdf.line(x, top, x, lines[-1])
        labels = [self._text("print.round"), *(str(n + 1) for n in range(most)), self._text("print.total")]
        for i, label in enumerate(labels):
            bold = i in (0, most + 1)
            pdf.set_font("sans" if bold else "hand", "B" if bold else "", 11 if bold else 17)
            pdf.set_xy(EDGE, lines[i])
            pdf.cell(first - 3, lines[i + 1] - lines[i], label, align="R")


class _Columns:
    """Text that flows through two columns and on to the next page."""

    def __init__(self, pdf: FPDF, page: Size) -> None:
        self._pdf = pdf
        self._page = page
        self.width = (page.width - 2 * EDGE - GUTTER) / 2
        wide = (self.width - 5) / 3
        self.card = Size(wide, wide * 5 / 8)
        self._column = 0
        self._top = EDGE
        self.y = EDGE

    @property
    def x(self) -> float:
        return EDGE + self._column * (self.width + GUTTER)

    def title(self, text: str) -> None:
        self._pdf.set_font("hand", size=30)
        self._pdf.set_xy(EDGE, EDGE - 2)
        self._pdf.cell(0, 12, text)
        self._top = self.y = EDGE + 14

    def require(self, height: float) -> None:
        """Go to the next column unless there is this much space."""
        if self.y + height > self._page.height - EDGE - 6:
            self._next_column()

    def start_right_column(self) -> None:
        if not self._column:
            self._next_column()

    def _next_column(self) -> None:
        if self._column:
            self._pdf.add_page()
            self._top = EDGE
        self._column = 1 - self._column
        self.y = self._top

    def height(self, text: str, kind: rule_pages.Kind) -> float:
        size, above, below, indent = self._style(kind)
        lines: Any = self._pdf.multi_cell(
            self.width - indent, size * LINE * 0.3528, text, dry_run=True, output="HEIGHT", align="L"
        )
        return above + float(lines) + below

    def write(self, text: str, kind: rule_pages.Kind) -> None:
        size, above, below, indent = self._style(kind)
        self.y += above
        start = self.y
        self._pdf.set_xy(self.x + indent, self.y)
        self._pdf.multi_cell(self.width - indent, size * LINE * 0.3528, text, align="L")
        self.y = self._pdf.get_y()
        if kind == "important":
            with self._pdf.local_context(draw_color=INK, line_width=1.1):
                self._pdf.line(self.x + 0.6, start, self.x + 0.6, self.y)
        if kind == "tip":
            with self._pdf.local_context(fill_color=INK):
                self._pdf.circle(self.x + 1.2, start + 2.4, 0.6, style="F")
        self.y += below

    def _style(self, kind: rule_pages.Kind) -> tuple[float, float, float, float]:
        """Set the font; return its size, the space above and below, and the indent."""
        family, style, size, above, below, indent = _STYLES[kind]
        self._pdf.set_font(family, style, size)
        return size, above, below, indent


_TEXT = ("sans", "", 10.8, 0.0, 2.0, 0.0)
_STYLES: dict[str, tuple[str, Any, float, float, float, float]] = {
    "lead": ("sans", "", 12.5, 0.0, 2.0, 0.0),
    "head": ("sans", "B", 14, 2.8, 1.2, 0.0),
    "text": _TEXT,
    "example": _TEXT,
    "important": ("sans", "B", 10.8, 0.6, 2.4, 4.0),
    "tip": ("sans", "", 10.8, 0.0, 1.6, 4.0),
    "offer": ("hand", "", 18, 0.6, 1.6, 0.0),
    "denial": ("hand", "", 18, 0.0, 1.6, 0.0),
}


def _kept_with(part: rule_pages.Part, following: Sequence[rule_pages.Part]) -> Sequence[rule_pages.Part]:
    """Return the parts that must be in the same column: those after a heading, a picture or a spoken line."""
    if part.kind == "head":
        return following if following and following[0].kind in ("row", "column", "offer", "denial") else following[:1]
    return following[:1] if part.kind in ("row", "column", "offer", "denial") else ()


def _cut_marks(pdf: FPDF, grid: Grid) -> None:
    """Draw the marks at both ends of every cut, and a small cross where four cards meet."""
    across, down = grid.cuts()
    left, right, top, bottom = across[0], across[-1], down[0], down[-1]
    pdf.set_line_width(HAIRLINE)
    for x in across:
        pdf.line(x, top - AIR - MARK, x, top - AIR)
        pdf.line(x, bottom + AIR, x, bottom + AIR + MARK)
    for y in down:
        pdf.line(left - AIR - MARK, y, left - AIR, y)
        pdf.line(right + AIR, y, right + AIR + MARK, y)
    for x in across[1:-1]:
        for y in down[1:-1]:
            pdf.line(x - 1, y, x + 1, y)
            pdf.line(x, y - 1, x, y + 1)


def _draw_arrow(pdf: FPDF, x: float, y: float) -> None:
    with pdf.local_context(draw_color=INK, line_width=0.6):
        pdf.line(x, y, x + 5, y)
        pdf.polyline([(x + 3.4, y - 1.6), (x + 5, y), (x + 3.4, y + 1.6)])


def _gift_svg(gift: str) -> bytes:
    ink = _drawings()[gift].replace("currentColor", "#1b1a17")
    return _svg(" ".join(map(str, BOX)), f'<g transform="rotate(-1.2 36 36)" fill="#1b1a17">{ink}</g>')


@cache
def _drawings() -> dict[str, str]:
    drawings: dict[str, str] = web_assets.read_json("src/made/drawings.json")
    return drawings


@cache
def _back_svg(kind: Back, ink_saving: bool, rotated: bool) -> bytes:
    rotation = f"rotate(180 {back.WIDE / 2:g} {back.HIGH / 2:g})" if rotated else "rotate(0)"
    return _svg(f"0 0 {back.WIDE} {back.HIGH}", f'<g transform="{rotation}">{back.svg(kind, ink_saving)}</g>')


def _svg(box: str, inside: str) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inside}</svg>'.encode()


def _printable(text: str) -> str:
    """Replace the narrow no-break space, which the fonts do not have, by a wide one."""
    return text.replace("\u202f", "\u00a0")
