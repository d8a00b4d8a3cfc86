"""The layout law: what must hold for every state of the gallery at every size, in every language and size of text.

No control is narrower than its longest word, no text is cut off or broken by the letter, controls, cards and names do
not overlap, targets have at least 44 px, and what to do now is in sight without scrolling.
"""

from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

from playwright.sync_api import Browser, Page

from gallery.server import state_path
from gallery.states import GalleryState, states
from notahat.gifts import LANGUAGES
from support.scripts import load

PHONES = ((320, 568), (360, 740), (390, 844), (844, 390))
LARGE = ((768, 1024), (1280, 720), (1920, 1080))
SIZES = (*PHONES, *LARGE)
BIG = ((1280, 720), (1920, 1080), (3840, 2160))
TABLETS = ((768, 1024), (1024, 768), (1280, 720), (1366, 1024), (1920, 1080))
LARGE_TEXT = ((320, 568), (844, 390), (1280, 720))
OTHERS = ("pt", "it", "nl", "fr", "es", "en")  # German has the widest words by far, then these
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
    if state.screen != "table":
        return tuple(Sight(size, 1) for size in (TABLETS if state.screen == "around" else BIG))
    return tuple(Sight(size, text) for text in (1, 2) for size in (PHONES if state.phone else SIZES))


def every() -> Iterator[Case]:
    """Yield every state in every language at every size."""
    for name, state in states().items():
        for lang in LANGUAGES:
            yield name, lang, sights(state)


def sample() -> Iterator[Case]:
    """Yield a fixed part of `every`: each state once, about half of them in German, at its smallest size, at two
    others, and with large text at one. Language and sizes depend on its name only.
    """
    for name, state in states().items():
        number = crc32(name.encode())
        lang = "de" if number % 2 == 0 else OTHERS[number // 2 % len(OTHERS)]
        smallest, *normal = (sight for sight in sights(state) if sight.text == 1)
        large = [sight for sight in sights(state) if sight.text == 2 and sight.size in LARGE_TEXT]
        others = (normal[number % len(normal)], normal[(number + len(normal) // 2) % len(normal)])
        yield name, lang, (smallest, *others, *large[number % 3 :][:1])


class Looker:
    """A page that goes from state to state."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._context = browser.new_context(reduced_motion="reduce")
        self.page: Page = self._context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._url = url

    def close(self) -> None:
        self._context.close()

    def open(self, name: str, lang: str, **how: str) -> None:
        self.page.goto(self._url + state_path(name, lang=lang, **how))
        self.page.wait_for_function("name => document.documentElement.dataset.gallery === name", arg=name)
        self.page.evaluate("() => document.fonts.ready")

    def look(self, sight: Sight) -> None:
        """Resize the window and the text, and wait for the layout."""
        width, height = sight.size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(load("setTextSize"), sight.text)

    def faults(self, name: str, lang: str, sights: tuple[Sight, ...]) -> list[str]:
        """Return all faults of a state in one language."""
        self.open(name, lang)
        found = [f"{name} {lang} {sight}: {fault}" for sight in sights for fault in self._faults_now(name, sight)]
        found += [f"{name} {lang}: {error}" for error in self.errors]
        self.errors.clear()
        return found

    def _faults_now(self, name: str, sight: Sight) -> list[str]:
        self.look(sight)
        state = states()[name]
        scrolls = sight.text == 2 and state.now.startswith("dialog .button")  # a sheet with large text
        asked = {"now": "" if scrolls else state.now, "fixed": state.screen == "screen" and sight.size in BIG}
        faults: list[str] = self.page.evaluate(load("layoutFaults"), asked)
        return faults
