"""QR codes: each is drawn once and kept, because drawing one takes as long as dozens of moves."""

from collections import OrderedDict
from collections.abc import Callable

import segno

MOST_KEPT = 512


class QrCodes:
    """The newest drawings."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, str] = OrderedDict()

    def of(self, link: str, may_draw: Callable[[], bool]) -> str | None:
        """A link's drawing; None where a new one would be needed and may not be drawn."""
        svg = self._kept.get(link)
        if svg is None:
            if not may_draw():
                return None
            svg = self._kept[link] = _draw(link)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(link)
        return svg


def _draw(link: str) -> str:
    svg = segno.make(link, error="m").svg_inline(scale=8, border=2, dark="#1B1A17", light="#FFFFFF")
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
