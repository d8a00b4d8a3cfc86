"""The drawings: OpenMoji's from its npm package, our own from this package."""

import re
from importlib.resources import files
from pathlib import Path

from notahat.gifts.gift import Gift

OWN = "own"
BOX = (2, 2, 68, 68)  # x, y, width and height of what cards show of a drawing
_SHRUNK = frozenset({"butterfly", "cupcake", "flute", "glasses", "paintbrush", "snake"})  # drawn beyond the box


def svg(gift: Gift, openmoji: Path) -> str:
    """Return a gift's drawing as SVG; `openmoji` is the folder of the unpacked npm package."""
    if gift.drawing == OWN:
        return files("notahat.gifts").joinpath("drawings", f"{gift.key}.svg").read_text("utf-8")
    return (openmoji / "black" / "svg" / f"{gift.drawing}.svg").read_text("utf-8")


def slim(drawing: str) -> str:
    """Return the drawing without ids, comments and space between tags, so that nothing in it names the gift."""
    drawing = re.sub(r"<!--.*?-->|<\?xml.*?\?>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'\s+id="[^"]*"', "", drawing)
    return re.sub(r">\s+<", "><", drawing).strip()


def fit(gift: Gift, content: str) -> str:
    """Return the content of a drawing, made smaller if it would be cut off by the box."""
    if gift.key not in _SHRUNK:
        return content
    return f'<g transform="translate(2.16 2.16) scale(.94)">{content}</g>'
