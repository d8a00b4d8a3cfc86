"""axe finds nothing, in light and in dark mode (WCAG 2.2 AA), on all pages without a table. It also looks at states of
the gallery (tests/gallery/law.py).
"""

from playwright.sync_api import Browser

from support import axe
from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

PAGES = ("/", "/rules", "/learn", "/privacy", "/credits", "/decks", "/print")


def test_axe_finds_nothing_on_pages_without_a_table(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada:
        for page in PAGES:
            ada.open(page)
            axe.check(ada)
