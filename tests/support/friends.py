"""Friends with a table in the browser of one of them, on a static site."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from support.browser_guest import PHONE, BrowserGuest
from support.scripts import call
from support.static_host import plain_host

VANISHED_MS = 11_000  # then a holder that is silent has vanished
# a table in a browser needs the page that the browser keeps
KEPT: dict[str, Any] = {"allow_errors": True, "service_workers": "allow", "reduced_motion": "reduce"}
_TERM = """(code) => ({
  ...JSON.parse(localStorage.getItem(`notahat.peers.${code}`)).vote.term,
  self: JSON.parse(localStorage.getItem("notahat.peers"))[code].device,
})"""
Guests = Callable[..., BrowserGuest]


@contextmanager
def guests_of_site(browser: Browser, folder: Path, rendezvous: str = "") -> Iterator[Guests]:
    """Yield a function that makes guests: it may get their language, and whether they can hold a table."""
    with plain_host(folder, rendezvous) as (url, _), ExitStack() as stack:

        def new_guest(lang: str = "en-GB", holds: bool = True) -> BrowserGuest:
            kept = KEPT if holds else {**KEPT, "service_workers": "block"}
            guest = BrowserGuest(browser, url, PHONE, lang, also=rendezvous, **kept)
            prepare(guest.page)
            return stack.enter_context(guest)

        yield new_guest


def prepare(page: Page) -> None:
    """Record the page's channels to other devices, fake its camera, and let its clock jump."""
    page.clock.install()
    page.add_init_script(call("fakeCamera"))
    page.add_init_script(call("recordChannel"))


def code_of(link: str) -> str:
    return link.partition("#")[2].partition(".")[0]


def term(guest: BrowserGuest, code: str = "") -> dict[str, Any]:
    """Return who holds the table, as this browser knows it."""
    found: dict[str, Any] = guest.page.evaluate(_TERM, code or code_of(guest.page.url))
    return found


def holds(guest: BrowserGuest, code: str = "") -> bool:
    seen = term(guest, code)
    return bool(seen["holder"] == seen["self"])
