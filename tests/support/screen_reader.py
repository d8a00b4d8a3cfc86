"""What a screen reader speaks: the text of the live region, each time it changes."""

from support.browser_guest import BrowserGuest
from support.scripts import load


def record_speech(guest: BrowserGuest) -> None:
    """Start to record on this page."""
    guest.page.evaluate(load("recordLiveRegion"))


def spoken_in_order(guest: BrowserGuest, *words: str) -> None:
    texts = guest.page.evaluate("globalThis.spoken")
    spoken = " ".join(texts)
    at = 0
    for word in words:
        assert word in spoken[at:], f"{word!r} is missing, or comes too early, in {texts}"
        at = spoken.index(word, at) + len(word)
