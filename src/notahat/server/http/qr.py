"""QR codes as SVG, cached because drawing one takes as long as dozens of moves."""

from collections.abc import Callable

import segno

from notahat.server.caches import LruCache

MAX_CACHED = 512


class QrCodes:
    """A cache of drawn QR codes."""

    def __init__(self) -> None:
        self._cache: LruCache[str, str] = LruCache(MAX_CACHED)

    def svg(self, link: str, may_draw: Callable[[], bool]) -> str | None:
        """Return the QR code of a link; None if it is not cached and may not be drawn."""
        svg = self._cache.touch(link)
        if svg is None and may_draw():
            svg = self._cache[link] = _draw(link)
        return svg


def _draw(link: str) -> str:
    svg = segno.make(link, error="m").svg_inline(scale=8, border=2, dark="#1B1A17", light="#FFFFFF")
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
