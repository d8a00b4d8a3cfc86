"""The web fonts in the form that fpdf2 needs: static weights, without layout tables."""

from functools import cache
from io import BytesIO
from pathlib import Path

import brotli  # noqa: F401 - fontTools opens woff2 with it
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from fpdf import FPDF

from notahat.paper import web_assets

REGULAR, BOLD = 400, 800
_UNUSED_TABLES = ("GPOS", "GSUB", "GDEF")  # fpdf2 ignores them, and instantiating them is slow


def embed(pdf: FPDF, folder: Path) -> None:
    """Add the fonts to a PDF. The folder must exist until the PDF is written."""
    for family, style, font in (("sans", "", _sans(REGULAR)), ("sans", "B", _sans(BOLD)), ("hand", "", _hand())):
        file = folder / f"{family}{style}.ttf"
        file.write_bytes(font)
        pdf.add_font(family, style, file)


@cache
def _sans(weight: int) -> bytes:
    font = _open(web_assets.SANS)
    instantiateVariableFont(font, {"wght": weight}, inplace=True, static=True)
    return _save(font)


@cache
def _hand() -> bytes:
    return _save(_open(web_assets.HAND))


def _open(source: str) -> TTFont:
    font = TTFont(BytesIO(web_assets.asset(source).read_bytes()), recalcTimestamp=False)
    for table in _UNUSED_TABLES:
        if table in font:
            del font[table]
    return font


def _save(font: TTFont) -> bytes:
    font.flavor = None
    plain = BytesIO()
    font.save(plain)
    return plain.getvalue()
