"""On a home network there is no secure connection: what browsers withhold then has a fallback, or is not offered."""

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

NAME = "hats.home.arpa"


def test_all_offered_features_work_over_plain_http(browser: Browser, site: ServerProcess) -> None:
    from browser import ARGUMENTS, chromium

    rule = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    plain = browser.browser_type.launch(executable_path=chromium(), args=[*ARGUMENTS, rule])
    url = site.url.replace("127.0.0.1", NAME)
    try:
        with BrowserGuest(plain, url, PHONE, reduced_motion="reduce", allow_errors=True) as ada:
            ada.open()
            assert ada.page.evaluate("() => isSecureContext") is False
            assert ada.page.evaluate(load("unavailableApis")) == []
            expect(ada.page.locator("[data-along]")).to_have_count(0)  # nothing to take along, nothing to install
            ada.new_table("Ada")
            expect(ada.button("Share")).to_have_count(0)
            ada.page.locator("[data-copy]").click()  # in the old way
            expect(ada.page.locator("[data-copy]")).to_have_text("Copied")
            link = ada.page.locator(".link").inner_text()
            ada.page.evaluate(f"() => {{ window.pasted = ({load('pasteText')})() }}")
            ada.page.keyboard.press("ControlOrMeta+v")
            assert ada.page.evaluate("() => window.pasted") == f"http://{link}"
            ada.add_bots(2)
            ada.begin(0)
            ada.start()  # the screen may sleep, the game goes on
            ada.do("draw")
            ada.give("umb")
            for page, in_one_room in (("around", "#name"), ("screen", "[data-come]")):
                ada.open()
                ada.page.locator(f"[data-open={page}]").click()
                ada.page.locator(in_one_room).wait_for()
                expect(ada.page.get_by_text("this screen may go dark")).to_be_visible()  # told in time
            assert [error for error in ada.errors if "Cross-Origin-Opener-Policy" not in error] == []  # of no use here
    finally:
        plain.close()
