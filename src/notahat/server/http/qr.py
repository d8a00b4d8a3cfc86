"""QR codes as SVG, cached because drawing one takes as long as dozens of moves."""

import re
from collections.abc import Callable

import segno

from notahat.server.caches import LruCache
from notahat.server.settings import BASE_PATH

MAX_CACHED = 512
# a table or, with the table to go on at, a ticket, below the folder of the page
_OWN_LINK = re.compile(r"(?P<base>/(?:[^/]+/)*)(?P<link>t/[\w-]{1,64}|c/[\w-]{1,64}(?:/[\w-]{1,64})?)", re.ASCII)


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


def own_link(path: str, public_url: str, origin: str) -> str | None:
    """Return the link to a path of our own page, for other devices; None if the path is another one."""
    found = _OWN_LINK.fullmatch(path)
    if found is None or not BASE_PATH.fullmatch(found["base"]):
        return None
    return f"{public_url.rstrip('/')}/{found['link']}" if public_url else f"{origin}{path}"


def _draw(link: str) -> str:
    svg = segno.make(link, error="m").svg_inline(scale=8, border=2, dark="#1B1A17", light="#FFFFFF")
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
