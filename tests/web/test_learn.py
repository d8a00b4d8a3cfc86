"""The tutorial: draw, give, accept and refuse, with hints for wrong moves."""

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.screen_reader import record_speech, spoken_in_order
from support.scripts import load
from support.server_process import ServerProcess


def test_tutorial_covers_every_kind_of_move(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.page.clock.install()
        ada.open("/learn")
        page = ada.page
        record_speech(ada)
        told = page.locator("header p")
        _skip_to(ada, "[data-actions] .act")
        _mashing_presses_one_button(ada)
        _skip_to(ada, "[data-actions] .act")
        _skip_to(ada, "[data-actions] .act:focus:not([data-fresh])")
        page.keyboard.press("1")
        told.get_by_text("give it away at once").wait_for()
        _skip_to(ada, "[data-do=give]")
        _give(ada, "violin")
        told.get_by_text("For now, say what it really is").wait_for()
        _give(ada, "piano")
        _skip_to(ada, "[data-actions] .act")
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=refuse]").click()
        told.get_by_text("You saw Bo’s guitar").wait_for()
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("you give your oldest gift, the muffin").wait_for()
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=give]")
        _give(ada, "muffin")
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("A violin it is not").wait_for()
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=refuse]").click()
        _skip_to(ada, "[data-do=go_on]")
        page.locator("[data-do=go_on]").click()
        told.get_by_text("a penalty point").wait_for()
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        told.get_by_text("now gifts go round").wait_for()
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        _skip_to(ada, "[data-do=give]")
        told.get_by_text("without help").wait_for()
        _give(ada, "hat")
        told.get_by_text("six strings").wait_for()
        _give(ada, "guitar")
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("refuse it this once").wait_for()
        page.evaluate(load("recordBeats"))
        page.locator("[data-do=refuse]").click()
        _skip_to(ada, "[data-do=go_on], .act")
        told.get_by_text("Thank you for playing").wait_for()
        headers = [beat["header"] for beat in page.evaluate("() => window.beats")]
        assert len(headers) > 4
        assert not any("You were wrong" in header for header in headers[:-1]), "said only after the card has turned"
        spoken_in_order(
            ada,
            "You draw a gift. A piano.",
            "Bo says thank you.",
            "Bo to you: I have a nice guitar for you.",
            "You refuse. It is turned over. A hat.",
            "A penalty point for Cleo.",
            "Cleo draws a gift. An umbrella.",
            "Cleo to Bo: I have a nice umbrella for you.",
            "Bo to you: I have a nice umbrella for you.",
        )
        ada.button("Play for real").click()
        expect(page.locator("[data-seat]")).to_have_count(4)
        page.go_back()
        expect(page.locator("[data-back]")).to_be_visible()  # the first page, which leads back to the game


def _mashing_presses_one_button(ada: BrowserGuest) -> None:
    """The button in the place of a pressed one ignores keys and taps until they pause."""
    page, draw = ada.page, ada.page.locator("[data-do=draw]")
    page.clock.pause_at(page.evaluate("() => Date.now() / 1000") + 1)
    _skip_to(ada, "[data-actions] .act:focus:not([data-fresh])")
    page.keyboard.press("Enter")
    ada.until(lambda: draw.count() == 1, passing=10)
    expect(draw).to_be_focused()
    for key in ("Enter", "1", "tap"):
        if key == "tap":
            draw.click(force=True)
        else:
            page.keyboard.press(key)
        page.clock.run_for(500)
        assert draw.count() == 1
    page.clock.run_for(100)
    page.keyboard.press("1")
    expect(draw).to_have_count(0)
    page.clock.resume()


def _skip_to(ada: BrowserGuest, what: str) -> None:
    """Advance the page's clock until an element is there."""
    while ada.page.locator(what).count() == 0:
        ada.page.clock.run_for(1000)


def _give(ada: BrowserGuest, gift: str) -> None:
    ada.page.locator("[data-do=give]").click()
    field = ada.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")
