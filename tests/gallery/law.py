"""The layout law: what must hold for every state of the gallery at every size, in every language and size of text.

No control is narrower than its longest word, no text is cut off or broken by the letter, controls, cards and names do
not overlap, targets have at least 44 px, what to do now is in sight without scrolling, and axe finds nothing in some.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from playwright.sync_api import Browser, ViewportSize

from gallery.server import state_path
from gallery.states import GalleryState, states
from notahat.gifts import LANGUAGES
from support import axe
from support.scripts import load
from support.timeouts import TIMEOUT

PHONES = ((320, 568), (360, 740), (390, 844), (844, 390))
LARGE = ((768, 1024), (1280, 720), (1920, 1080))
SIZES = (*PHONES, *LARGE)
BIG = ((1280, 720), (1920, 1080), (3840, 2160))
TABLETS = ((768, 1024), (1024, 768), (1280, 720), (1366, 1024), (1920, 1080))
TIGHT = ((320, 568), (844, 390))
TINY: ViewportSize = {"width": 20, "height": 20}  # frames may be larger than the window, which then paints little
# states that together show all kinds of parts, and the size at which axe looks at them
AXE = {
    (390, 844): "home-returning table-reveal-5 table-vote-5 table-sound table-paused table-take-back spoken-judge "
    "spoken-away-ways late-name-4 menu-host lobby-empty-chair-2 lobby-study-2 probe-sure controller-vote",
    (1280, 720): "table-decide-5 lobby-options-3 picker-found results-over-4 replay-offer-4",
    (1024, 768): "tablet-lobby-4 tablet-idle-6",
    (1920, 1080): "screen-lobby-3 screen-offer-5 screen-between-4 screen-results-2",
}
SEATS = (2, 5, 8)  # at the tables of the sample; web/test/game/geometry.test.ts has the others
Size = tuple[int, int]


class Sight(NamedTuple):
    """How a state is looked at."""

    size: Size
    text: int  # 1 or 2

    def __str__(self) -> str:
        width, height = self.size
        return f"{width}x{height}{' at 200 %' if self.text == 2 else ''}"


Case = tuple[str, str, tuple[Sight, ...]]  # state, language, and how it is looked at


def sights(state: GalleryState) -> tuple[Sight, ...]:
    """Return all ways to look at a state. Tablets and big screens scale their text themselves, and are not phones."""
    if state.screen in ("around", "screen"):
        sizes = PHONES[:1] if state.phone else TABLETS if state.screen == "around" else BIG
        return tuple(Sight(size, 1) for size in sizes)
    return tuple(Sight(size, text) for text in (1, 2) for size in (PHONES if state.phone else SIZES))


def every() -> Iterator[list[Case]]:
    """Yield every state, in every language at every size."""
    for name, state in states().items():
        yield [(name, lang, sights(state)) for lang in LANGUAGES]


def sample() -> Iterator[Case]:
    """Yield a fixed part of `every`: each state, but not for each number of players, in one language (the picker in
    all), half of them in German, at both tight sizes, one with large text, and one other. Its name alone decides.
    """
    others = [lang for lang in LANGUAGES if lang != "de"]  # German has the widest words by far
    for name, state in states().items():
        kind, _, seats = name.rpartition("-")
        if kind in ("table-draw", "table-decide", "table-vote", "table-reveal") and int(seats) not in SEATS:
            continue
        number = crc32(name.encode())
        seen = sights(state)
        roomy = [one for one in seen if one.size not in TIGHT] or seen
        wanted = [roomy[number % len(roomy)], *(Sight(size, 1 + (number // 4 + n) % 2) for n, size in enumerate(TIGHT))]
        chosen = tuple(one for one in seen if one in wanted)
        for lang in LANGUAGES if name == "picker" else ["de" if number % 2 == 0 else others[number // 2 % len(others)]]:
            yield name, lang, chosen


class Looker:
    """A page that looks at states in frames of their own, many at once."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._context = browser.new_context(reduced_motion="reduce", viewport=TINY)
        self._context.set_default_timeout(TIMEOUT * 1000)
        self._page = self._context.new_page()
        self._errors: list[str] = []
        self._scripts = {"law": load("layoutFaults"), "axe": axe.AXE.read_text("utf-8"), "check": load("runAxe")}
        self._page.on("pageerror", lambda error: self._errors.append(str(error)))
        self._page.goto(f"{url}/gallery/frames")

    def close(self) -> None:
        self._context.close()

    def faults(self, cases: Sequence[Case]) -> list[str]:
        """Return all faults of these states."""
        self._errors.clear()
        asked = {"cases": [_asked(*case) for case in cases], **self._scripts}
        faults = self._page.evaluate(load("galleryFaults"), asked)
        found = [f"{name} {lang} {one}" for (name, lang, _), some in zip(cases, faults, strict=True) for one in some]
        return found + [f"one of {', '.join(name for name, _, _ in cases)}: {error}" for error in self._errors]


def _asked(name: str, lang: str, seen: tuple[Sight, ...]) -> dict[str, Any]:
    """Return what the page needs to look at a state."""
    state = states()[name]

    def asked(sight: Sight) -> dict[str, Any]:
        width, height = sight.size
        long = sight.text == 2 and (state.screen == "home" or state.now.startswith(("dialog .button", "[data-pick]")))
        shown = {"title": str(sight), "width": width, "height": height, "text": sight.text}
        shown |= {"fixed": state.screen == "screen" and sight.size in BIG, "table": state.screen == "table"}
        return {**shown, "now": "" if long else state.now}  # pages, sheets and all seats scroll

    by_axe = next((asked(Sight(size, 1)) for size, names in AXE.items() if name in names.split()), None)
    return {"name": name, "path": state_path(name, lang=lang), "sights": [asked(one) for one in seen], "axe": by_axe}
