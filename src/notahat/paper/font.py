"""The page's fonts as fpdf2 takes them: one weight each, and without tables that only browsers read."""

from functools import cache
from io import BytesIO
from pathlib import Path

import brotli  # noqa: F401 - fontTools opens woff2 with it
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from fpdf import FPDF

from notahat.paper import web_assets

REGULAR, BOLD = 400, 800
_UNREAD = ("GPOS", "GSUB", "GDEF")  # making one weight of these takes longer than all the rest of a book


def embed(pdf: FPDF, folder: Path) -> None:
    """Give the fonts to a PDF; the files must stay in the folder until it is written."""
    for family, style, font in (("sans", "", _sans(REGULAR)), ("sans", "B", _sans(BOLD)), ("hand", "", _hand())):
        file = folder / f"{family}{style}.ttf"
        file.write_bytes(font)
        pdf.add_font(family, style, file)


@cache
def _sans(weight: int) -> bytes:
    font = _opened(web_assets.SANS)
    instantiateVariableFont(font, {"wght": weight}, inplace=True, static=True)
    return _saved(font)


@cache
def _hand() -> bytes:
    return _saved(_opened(web_assets.HAND))


def _opened(source: str) -> TTFont:
    font = TTFont(BytesIO(web_assets.found(source).read_bytes()), recalcTimestamp=False)
    for table in _UNREAD:
        if table in font:
            del font[table]
    return font


def _saved(font: TTFont) -> bytes:
    font.flavor = None
    plain = BytesIO()
    font.save(plain)
    return plain.getvalue()
