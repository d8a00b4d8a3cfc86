"""Faces and names of people: chosen while joining, changed at any time, seen by all, and shown whole."""

from playwright.sync_api import Browser, expect

from support.browser_guest import DESKTOP, BrowserGuest
from support.server_process import ServerProcess

SMALL = (320, 568)
NAMES = ("عائشة", "👩‍👩‍👧‍👦 und ich", "Maximilian-Alexander")


def test_faces_are_chosen_changed_and_seen_by_all(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as ada, BrowserGuest(browser, site.url, SMALL, lang="de-DE") as ben:
        code = ada.new_table("Ada")
        own = ada.page.locator("[data-chair].yours [data-face]").get_attribute("data-face")
        ben.open(f"/t/{code}")
        expect(ben.page.locator(f"input[value={own}]")).to_be_disabled()
        ben.page.get_by_role("radio", name="Zauberhut").check()
        ben.page.locator("#name").fill(NAMES[-1])
        ben.page.locator("form .button.act").click()
        expect(ben.page.locator("[data-chair].yours [data-face=wizard]")).to_be_visible()
        for name in NAMES[:-1]:
            ada.seat_another(name)
        ada.add_bots(4)
        ben.chairs(8)
        expect(ada.page.get_by_role("radio", name="Wizard’s hat")).to_be_disabled()
        ada.tap_chair("Ada")
        ada.page.get_by_role("dialog").get_by_role("radio", name="Fez").check()
        expect(ben.page.locator("[data-chair] [data-face=fez]")).to_be_visible()
        ada.page.keyboard.press("Escape")
        ada.start()
        expect(ada.page.locator("[data-seat].you [data-face=fez]")).to_be_visible()
        ben.page.get_by_role("button", name="Menü").click()
        ben.page.locator("[data-do=face]").click()
        free = ben.page.locator("dialog input[type=radio]:enabled:not(:checked)").first
        face = free.get_attribute("value")
        free.check()
        expect(ada.page.locator(f"[data-seat] [data-face={face}]")).to_be_visible()
        shown = [text.replace("\u00ad", "") for text in ben.page.locator("[data-seat] .name").all_inner_texts()]
        assert [name for name in NAMES[:-1] if not any(name in text for text in shown)] == []
        assert (
            ben.page.locator("[data-seat] .name").evaluate_all(
                "names => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length"
            )
            == 0
        )
