"""Faces of people: chosen while joining, changed at any time, seen by all, and never two alike."""

from contextlib import ExitStack

from playwright.sync_api import Browser, expect

from support.browser_guest import DESKTOP, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

SMALL = (320, 568)


def test_faces_are_chosen_changed_and_seen_by_all(browser: Browser, site: ServerProcess) -> None:
    with ExitStack() as stack:
        ada = stack.enter_context(BrowserGuest(browser, site.url, DESKTOP))
        ben = stack.enter_context(BrowserGuest(browser, site.url, SMALL, lang="de-DE"))
        screen = stack.enter_context(BrowserGuest(browser, site.url, DESKTOP))
        code = ada.new_table("Ada")
        own = ada.page.locator("[data-chair].yours [data-face]").get_attribute("data-face")
        ben.open(f"/t/{code}")
        expect(ben.page.locator(f"input[value={own}]")).to_be_disabled()
        ben.page.get_by_role("radio", name="Zauberhut").check()
        ben.page.locator("#name").fill("Maximilian-Alexander")
        ben.page.locator("form .button.act").click()
        expect(ben.page.locator("[data-chair].yours [data-face=wizard]")).to_be_visible()
        ada.add_bots(5)
        ada.seat_another("Cem")
        ben.chairs(8)
        around = "[data-chair] .who, .letters, [data-invite]"
        assert ben.page.evaluate(load("overlaps"), [around, around]) == []

        ada.page.get_by_role("radio", name="Wizard’s hat").wait_for()
        expect(ada.page.get_by_role("radio", name="Wizard’s hat")).to_be_disabled()
        ada.tap_chair("Ada")
        ada.page.get_by_role("dialog").get_by_role("radio", name="Fez").check()
        expect(ben.page.locator("[data-chair] [data-face=fez]")).to_be_visible()

        screen.open(f"/t/{code}/screen")
        expect(screen.page.locator("[data-chair] [data-face=fez]")).to_be_visible()
        expect(screen.page.locator("[data-chair] [data-face=wizard]")).to_be_visible()
        ada.page.keyboard.press("Escape")
        ada.start()
        expect(ada.page.locator("[data-seat].you [data-face=fez]")).to_be_visible()
        expect(screen.page.locator("[data-seat] [data-face=wizard]")).to_be_visible()
        ben.page.get_by_role("button", name="Menü").click()
        ben.page.locator("[data-do=face]").click()
        ben.page.get_by_role("radio", name="Kochmütze").check()
        expect(ada.page.locator("[data-seat] [data-face=chef]")).to_be_visible()
        expect(screen.page.locator("[data-seat] [data-face=chef]")).to_be_visible()
