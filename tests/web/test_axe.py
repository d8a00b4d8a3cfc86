"""axe finds nothing on any screen in any state, light and dark (WCAG 2.2 AA)."""

from playwright.sync_api import Browser

from support.axe import check
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.server_process import ServerProcess


def test_axe_finds_nothing_on_main_pages(browser: Browser, site: ServerProcess) -> None:
    """Check every page twice: on a desktop in light mode and on a phone in dark mode."""
    with (
        BrowserGuest(browser, site.url, reduced_motion="reduce") as ada,
        BrowserGuest(browser, site.url, reduced_motion="reduce") as ben,
    ):
        for page in ("/", "/rules", "/privacy", "/credits", "/learn"):
            ada.open(page)
            _check_twice(ada, page)
        ada.stop_clock().start_clock()
        code = ada.new_table("Ada")
        ada.add_bots(1)
        ben.join(code, "Ben")
        ada.chairs(3)
        _check_twice(ada, "lobby")
        ada.choose("0")  # no deadline
        ada.begin(0)
        _check_twice(ada, "lobby with its variants open")
        ada.tap_chair("Berta")
        ada.button("Remove Berta").click()
        ada.page.get_by_text("Two players start with two gifts each.").wait_for()
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        _check_twice(ada, "look")
        ada.button("Menu").click()
        _check_twice(ada, "menu")
        ada.button("Pause").click()
        ada.button("Resume").wait_for()
        _check_twice(ada, "paused")
        ada.button("Resume").click()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()
        _check_twice(ada, "announce")
        ada.page.locator("[data-do=give]").click()
        _check_twice(ada, "picker")
        ada.page.get_by_role("combobox").fill("u")
        _check_twice(ada, "picker with suggestions")
        ada.page.get_by_role("combobox").press("Enter")
        ben.do("accept")
        ben.give("umbrella")
        ada.page.locator("[data-do=accept]").wait_for()
        _check_twice(ada, "decide")
        ada.stop_clock()
        ada.page.locator("[data-do=refuse]").click()
        ada.until(lambda: ada.page.locator("[data-do=go_on]").count() == 1, passing=10)
        _check_twice(ada, "reveal")
        ada.start_clock()
        ada.end_game()
        ada.page.locator("#opened").wait_for()
        _check_twice(ada, "end")
        ada.button("Watch it back").click()
        ada.page.get_by_role("slider").fill("1")  # from wherever the replay is
        _check_twice(ada, "watching it back")


def _check_twice(ada: BrowserGuest, state: str) -> None:
    check(ada, state)
    ada.page.emulate_media(color_scheme="dark")
    ada.resize(PHONE)
    check(ada, f"{state}, by night")
    ada.page.emulate_media(color_scheme="light")
    ada.resize(DESKTOP)


def test_axe_finds_nothing_when_players_come_and_go(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, reduced_motion="reduce") as ada,
        BrowserGuest(browser, site.url, reduced_motion="reduce") as eve,
    ):
        code = ada.new_table("Ada")
        with BrowserGuest(browser, site.url) as ben:
            ben.join(code, "Ben")
            ada.chairs(2)
            ada.tap_chair("Ben")
            ada.button("Remove Ben").click()
            _check_twice(ada, "asked whether to send somebody away")
            ada.button("No, stay").click()
            ada.add_bots(1)
            ada.begin(1)
            ada.start()
            eve.open(f"/t/{code}")
            eve.button("Join next round").click()
            _check_twice(eve, "a latecomer is asked their name")
            eve.page.get_by_label("Your name").fill("Eve")
            eve.button("Sit down").click()
            eve.page.locator("[data-late]").wait_for()
            _check_twice(eve, "a latecomer is told when they are in")
        ada.page.locator("[data-absent]").wait_for()
        _check_twice(ada, "somebody is away")
        eve.open()
        eve.page.locator("[data-back]").wait_for()
        _check_twice(eve, "the way back")
        eve.play_now()
        eve.button("Menu").click()
        eve.button("Close").click()
        eve.page.locator("[data-countdown]").get_by_role("button").click()
        _check_twice(eve, "a pause when alone")
