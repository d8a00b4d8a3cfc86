"""What a screen reader speaks: each text that is added to the live region."""

from support.browser_guest import BrowserGuest
from support.scripts import call, load


def record_speech(guest: BrowserGuest) -> None:
    """Start to record on this page."""
    guest.page.evaluate(load("recordLiveRegion"))


def record_speech_of_next_page(guest: BrowserGuest) -> None:
    """Record from the beginning of the page that is opened next."""
    guest.page.add_init_script(call("recordLiveRegion"))


def spoken(guest: BrowserGuest) -> list[str]:
    texts: list[str] = guest.page.evaluate("globalThis.spoken")
    return texts


def spoken_in_order(guest: BrowserGuest, *words: str) -> None:
    texts = spoken(guest)
    text = " ".join(texts)
    at = 0
    for word in words:
        assert word in text[at:], f"{word!r} is missing, or comes too early, in {texts}"
        at = text.index(word, at) + len(word)
