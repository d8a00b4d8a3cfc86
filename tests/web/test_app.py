"""The app as a whole: size, installation, and offline start."""

import gzip
from pathlib import Path

from playwright.sync_api import Browser, expect

from notahat.bots import CHARACTERS
from support.browser_guest import PHONE, BrowserGuest
from support.pictures import GIFTS, hat
from support.scripts import load
from support.server_process import ServerProcess

STATIC = Path(__file__).parents[2] / "src" / "notahat" / "server" / "static"


def _gzipped(*patterns: str) -> int:
    files = [file for pattern in patterns for file in (STATIC / "assets").glob(pattern)]
    assert files
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def test_bundle_stays_below_size_limits() -> None:
    """Limits by what people wait for: the first page, a table opened by its link, and all that is kept for later."""
    assert _gzipped("index-*.js") <= 30_900
    assert _gzipped("index-*.js", "table-*.js") <= 87_000
    assert _gzipped("*.js") <= 175_000
    assert _gzipped("*.css") <= 19_600
    assert _gzipped("drawings-*.json") <= 250_000


def test_installed_app_works_offline_and_opens_decks(browser: Browser, site: ServerProcess) -> None:
    """Also: it follows shortcuts, and a tab of an older release says so, but not during a round."""
    with BrowserGuest(browser, site.url, PHONE, allow_errors=True, service_workers="allow") as ada:
        ada.open("/?do=join")
        expect(ada.page.locator("#code")).to_be_focused()
        assert ada.page.url == f"{site.url}/"
        ada.until(lambda: ada.page.evaluate("() => navigator.serviceWorker.controller !== null"))
        ada.offline(True)
        ada.page.reload()
        ada.page.get_by_role("heading", name="Not a Hat").wait_for()
        ada.button("Play now").click()
        ada.page.get_by_text("We can’t reach the server. Are you online?").wait_for()
        ada.offline(False)
        ada.page.evaluate(load("shareDeck"), [f"{site.url}/decks", hat().decode()])
        expect(ada.page.locator("[data-cards]")).to_contain_text(str(len(GIFTS)))
        assert ada.page.url == f"{site.url}/decks"
        ada.open("/?do=play")
        ada.at_table()
        ada.page.route("**/index.html", lambda route: route.fulfill(body="<html>a newer release</html>"))
        ada.until(lambda: ada.page.evaluate(load("laterInTheTab")))
        ada.page.get_by_text("Finding the table again…").wait_for(state="detached")  # it connects again
        expect(ada.page.locator("[data-release]")).to_have_count(0)
        ada.page.evaluate(load("goTo"), f"{site.url}/")
        with ada.page.expect_navigation():
            ada.page.locator("[data-release]").get_by_role("button", name="Reload").click()
        expect(ada.page.locator("[data-release]")).to_have_count(0)


def test_bot_names_are_their_keys() -> None:
    """The page makes names from keys."""
    assert [character.name for character in CHARACTERS.values()] == [key.capitalize() for key in CHARACTERS]
