"""Players keep their seat across reloads, lost networks, server restarts and devices."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess, running_server


def test_phone_reconnects_after_reload_offline_and_restart(browser: Browser, tmp_path: Path) -> None:
    with (
        running_server(tmp_path, pace=100.0) as server,
        BrowserGuest(browser, server.url, PHONE, allow_errors=True) as ada,
    ):
        code = ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        mine = ada.page.get_by_role("region", name="Your place, Ada")
        expect(mine).to_be_visible()
        drawn = ada.page.locator("[data-do=draw]")
        drawn.wait_for()

        ada.page.reload()
        drawn.wait_for()
        expect(mine).to_be_visible()

        ada.offline(True)
        ada.page.get_by_text("Finding the table again").wait_for()
        ada.offline(False)
        ada.page.get_by_text("Finding the table again").wait_for(state="detached")
        drawn.wait_for()

        server.stop()
        ada.page.get_by_text("Finding the table again").wait_for()
        server.start()
        ada.page.get_by_text("Finding the table again").wait_for(state="detached")
        drawn.click()
        ada.page.locator("[data-do=give]").wait_for()
        assert ada.page.url.endswith(f"/t/{code}")


def test_player_continues_on_another_device(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url, PHONE, allow_errors=True) as other:
        code = ada.new_table("Ada")
        other.new_table("Eve")  # it is another guest already, with a seat
        ada.button("Menu").click()
        with ada.page.expect_response("**/api/tickets") as answer:
            ada.button("Continue on another device").click()
        ada.page.locator("dialog[open] svg.qr").wait_for()
        ada.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; }")
        ada.page.locator("dialog[open] [data-copy]").click()
        ada.page.wait_for_function("() => globalThis.copied")
        link = str(ada.page.evaluate("() => globalThis.copied"))
        assert link.startswith(f"{site.url}{answer.value.json()['link']}/{code[:4]}")
        expect(ada.page.locator("[data-elsewhere]")).to_contain_text("For you only")
        other.open(link.removeprefix(site.url))
        other.page.get_by_text("This link is for one person only").wait_for()
        other.page.locator("[data-do=take]").click()
        other.page.get_by_text("You’re already a guest here.").wait_for()
        other.page.locator("[data-instead]").click()
        other.page.locator("[data-chair].yours").wait_for()
        assert "Ada (you)" in other.text()


def test_missing_files_are_requested_again(browser: Browser, site: ServerProcess) -> None:
    """On a first visit texts are missing for a while; then a release removes files of an open tab. The page reloads
    once by itself, and if that does not help, it shows a link to the first page.
    """
    with BrowserGuest(browser, site.url, PHONE, lang="de-DE", allow_errors=True) as ada:
        ada.page.route("**/assets/de-*.json", lambda route: route.abort())
        ada.open()
        expect(ada.page.get_by_text("Der Server antwortet noch nicht.")).to_be_visible()
        ada.page.unroute("**/assets/de-*.json")

        ada.page.route("**/assets/late-*.js", lambda route: route.fulfill(status=404), times=1)
        ada.page.locator("nav a[href$='/decks']").click()
        ada.page.get_by_role("heading", name="Deck erstellen").wait_for()

        ada.page.route("**/assets/late-*.js", lambda route: route.fulfill(status=404))
        ada.open()
        ada.page.locator("nav a[href$='/decks']").click()
        expect(ada.page.get_by_text("Der Server ist nicht zu erreichen.")).to_be_visible()
        ada.page.locator("a.button").click()
        ada.page.get_by_role("heading", name="Not a Hat").wait_for()
