"""The start page by situation: first visit, returning, in one room, and the demonstration."""

from playwright.sync_api import Browser, expect

from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.server_process import ServerProcess

SIZES = ((320, 568), PHONE, (844, 390), DESKTOP, (1920, 1080))
PRIMARY = "main .button.act"
FRIENDS = ("[data-new]", "#code")  # need no scrolling on upright phones and desktops
LEAST_HERO = 0.3  # of a desktop's window


def _in_sight_at_all_sizes(ada: BrowserGuest, *actions: str) -> None:
    for size in SIZES:
        ada.resize(size)
        for action in (*actions, *(FRIENDS if size != (844, 390) else ())):
            expect(ada.page.locator(action)).to_be_in_viewport(ratio=1)
        assert ada.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), size


def test_first_visit_leads_to_the_lesson(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, lang="de-DE") as ada:
        demo = ada.open().page.locator("[data-demo]")
        demo.wait_for()
        _in_sight_at_all_sizes(ada, "[data-learn]", ".now")
        hero, (width, height) = demo.bounding_box(), SIZES[-1]
        assert hero is not None
        assert hero["width"] * hero["height"] > LEAST_HERO * width * height, "the demonstration is large"
        assert ada.page.locator(".now span").evaluate("text => parseFloat(getComputedStyle(text).fontSize)") > 20, "TV"
        assert ada.page.locator(PRIMARY).count() == 1, "one main action"
        assert ada.page.locator("section:has(#together) .button").count() == 3, "three ways"
        for text in ("bietet", "nicht zum Mitnehmen", "braucht einen Server"):
            assert text not in ada.text(), "nothing about what is not there"
        ada.seen("demo", "rises", "turns", "travels", "thanks", "lands")
        demo.get_by_role("button").click()
        expect(demo).to_have_attribute("data-paused", "true")
        ada.page.locator("[data-learn]").click()
        ada.at_table()
        assert ada.page.url.endswith("/learn")


def _introduced(guest: BrowserGuest) -> set[str]:
    """Return who has said something in a bubble that a screen reader has spoken with the name."""
    bubbles = {text for shown in guest.shown("bubble") for text in shown.split("\n")}
    return {name for name, _, said in (text.partition(": ") for text in guest.spoken()) if said in bubbles}


def test_returning_visit_starts_with_one_key(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, reduced_motion="reduce") as ada:
        page = ada.open().page
        page.locator("[data-how] summary").click()
        page.locator("label.name input").fill("Ada")
        page.keyboard.press("Enter")  # starts
        ada.at_table()
        assert "lobby" not in ada.shown("page"), "no lobby before a game that starts at once"
        others = page.locator("[data-seat]:not(.you) .name").all_inner_texts()
        ada.until(lambda: set(others) <= _introduced(ada), "each in a bubble of its own, and aloud")
        expect(page.locator("[data-actions] :focus")).to_have_count(1)
        page.keyboard.press("1")  # ready, or draw
        page.locator("[data-do=ready]").wait_for(state="detached")
        page.wait_for_function("() => document.activeElement !== document.body")  # the focus stays in the action bar
        ada.open()
        _in_sight_at_all_sizes(ada, ".now", "[data-back].act")
        assert page.locator(PRIMARY).count() == 1, "one main action"
        expect(page.locator("[data-learn]")).to_have_count(0)
        expect(page.locator("[data-day]")).to_be_visible()
        expect(page.locator("[data-how] summary")).to_contain_text("Ada · Casual · Normal")
        page.locator("[data-how] summary").click()
        page.locator("[data-pace]").select_option("relaxed")
        page.get_by_text("Goldfish").click()
        with page.expect_request(lambda request: request.method == "POST" and "/api/tables" in request.url) as opened:
            page.locator(".now").click()
        assert (opened.value.post_data_json or {})["options"] == {"pace": "relaxed"}
        ada.at_table()
        ada.open()
        expect(page.locator("[data-how] summary")).to_contain_text("Goldfish · Relaxed")


def test_brisk_pace_is_offered_after_two_games(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, (320, 568)) as ada:
        for _ in range(2):
            ada.play_now()
        ada.open()
        expect(ada.page.locator("#code")).to_be_in_viewport(ratio=1)
        ada.page.locator("[data-brisk]").click()
        expect(ada.page.locator("[data-how] summary")).to_contain_text("Casual · Brisk")


def test_demonstration_is_still_with_reduced_motion(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada:
        demo = ada.open().page.locator("[data-demo]")
        demo.wait_for()
        for beat in ("present", "present", "present", "stamp"):
            expect(demo).to_have_attribute("data-demo", beat)
            demo.get_by_role("button", name="Next").click()
        assert demo.evaluate("figure => figure.getAnimations({ subtree: true }).length") == 0
