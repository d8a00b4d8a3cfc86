"""On a home network there is no secure connection: what browsers withhold then has a fallback, or is not offered."""

from playwright.sync_api import Browser, expect

from support.serving import Served
from support.visitor import PHONE, Visitor

NAME = "hats.home.arpa"


def test_over_plain_http_everything_that_is_offered_works(browser: Browser, site: Served) -> None:
    from browser import ARGUMENTS, chromium

    rule = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    plain = browser.browser_type.launch(executable_path=chromium(), args=[*ARGUMENTS, rule])
    url = site.url.replace("127.0.0.1", NAME)
    try:
        with Visitor(plain, url, PHONE) as ada:
            ada.open()
            assert ada.page.evaluate("() => isSecureContext") is False
            assert ada.page.evaluate("() => 'serviceWorker' in navigator || 'wakeLock' in navigator") is False
            ada.new_table("Ada")
            expect(ada.button("Share")).to_have_count(0)
            ada.page.locator("[data-copy]").click()
            expect(ada.page.locator("[data-copy]")).to_have_text("Copied")
            ada.add_bots(2)
            ada.begin(0)
            ada.start()
            ada.do("draw")
            ada.page.locator("[data-do=give]").wait_for()
            ada.open()
            ada.page.locator("[data-open=around]").click()
            expect(ada.page.get_by_text("this screen may go dark")).to_be_visible()
    finally:
        plain.close()
