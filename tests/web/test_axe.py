"""axe finds nothing, in light and in dark mode (WCAG 2.2 AA): in states of the gallery, which stand still, and on all
pages without a table.
"""

import pytest
from playwright.sync_api import Browser

from gallery.server import gallery_server, state_path
from support.axe import check_both
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.server_process import ServerProcess

TABLET = (1024, 768)
TV = (1920, 1080)
PAGES = ("/", "/rules", "/learn", "/privacy", "/credits", "/decks", "/print")
STATES = {
    PHONE: (
        "door-returning",
        "table-reveal-4",
        "table-vote-4",
        "table-sound",
        "table-paused",
        "table-take-back",
        "spoken-judge",
        "spoken-away-ways",
        "late-name-4",
        "menu-host",
        "lobby-options-3",
        "lobby-empty-chair-2",
        "lobby-study-2",
        "probe-sure",
        "controller-vote",
    ),
    DESKTOP: ("table-decide-5", "picker-found", "results-over-4", "replay-offer-4"),
    TABLET: ("tablet-lobby-4", "tablet-idle-6"),
    TV: ("screen-lobby-3", "screen-offer-5", "screen-between-4", "screen-results-2"),
}


@pytest.mark.parametrize("size", STATES, ids=("phone", "desktop", "tablet", "tv"))
def test_axe_finds_nothing_in_states_of_the_gallery(browser: Browser, size: tuple[int, int]) -> None:
    with gallery_server() as url, BrowserGuest(browser, url, size, allow_errors=True, reduced_motion="reduce") as ada:
        for state in STATES[size]:
            ada.page.goto(url + state_path(state))
            ada.page.locator(f"html[data-gallery={state}]").wait_for(state="attached")
            check_both(ada, state)


def test_axe_finds_nothing_on_pages_without_a_table(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada:
        for page in PAGES:
            ada.open(page)
            check_both(ada, page)
