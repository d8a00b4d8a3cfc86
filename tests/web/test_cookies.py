"""A browser that keeps no cookies learns why it cannot play."""

from playwright.sync_api import Browser

from scripted_players import ScriptedPlayers
from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

SENTENCE = "Your browser doesn’t keep the cookie that tells this server who you are."


def test_blocked_cookies_are_named_as_the_reason(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, allow_errors=True) as ada, ScriptedPlayers(site.url) as players:
        # as if the browser dropped the cookie of the response
        ada.page.route("**/api/guests", lambda route: route.fulfill(status=201, json={"token": None}))
        ada.open(f"/t/{players.open_table('Ben')}")
        ada.page.get_by_text(SENTENCE).wait_for()
        ada.open()
        ada.page.locator("[data-new]").click()
        ada.page.get_by_text(SENTENCE).wait_for()
