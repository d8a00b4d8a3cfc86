"""Plain HTTP, as in home networks: what browsers then lack has a fallback or is not offered."""

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess


def test_all_offered_features_work_over_plain_http(browser: Browser, site: ServerProcess) -> None:
    # this address reaches the machine, but is not trusted as a local one
    url = site.url.replace("127.0.0.1", "0.0.0.0")  # noqa: S104
    with BrowserGuest(browser, url, PHONE, reduced_motion="reduce", allow_errors=True) as ada:
        ada.open()
        assert ada.page.evaluate("() => isSecureContext") is False
        assert ada.page.evaluate(load("unavailableApis")) == []
        expect(ada.page.locator("[data-along]")).to_have_count(0)  # no offline installation
        ada.new_table("Ada")
        expect(ada.button("Share")).to_have_count(0)
        ada.page.locator("[data-copy]").click()  # with the fallback
        expect(ada.page.locator("[data-copy]")).to_have_text("Copied")
        link = ada.page.locator(".link").inner_text()
        ada.page.evaluate(load("addTextField"))
        ada.page.keyboard.press("ControlOrMeta+v")
        expect(ada.page.locator("#pasted")).to_have_value(f"http://{link}")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()  # works without a wake lock
        ada.do("draw")
        ada.give("umb")
        for page, in_one_room in (("around", "#name"), ("screen", "[data-come]")):
            ada.open()
            ada.open_in_one_room(page)
            ada.page.locator(in_one_room).wait_for()
            expect(ada.page.get_by_text("this screen may go dark")).to_be_visible()
        assert [error for error in ada.errors if "Cross-Origin-Opener-Policy" not in error] == []  # needs HTTPS
