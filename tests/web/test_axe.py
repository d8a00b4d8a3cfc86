"""axe finds nothing on any screen in any state, light and dark (WCAG 2.2 AA)."""

from typing import Literal

import pytest
from playwright.sync_api import Browser

from support.axe import check
from support.serving import Served
from support.visitor import PHONE, Visitor


@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing_anywhere(browser: Browser, unhurried: Served, light: Literal["light", "dark"]) -> None:
    size = PHONE if light == "dark" else (1280, 720)
    with (
        Visitor(browser, unhurried.url, size, color_scheme=light, reduced_motion="reduce") as ada,
        Visitor(browser, unhurried.url, reduced_motion="reduce") as ben,
    ):
        for page in ("/", "/rules", "/privacy", "/credits", "/learn"):
            ada.open(page)
            check(ada, page)
        code = ada.new_table("Ada")
        ada.add_bots(1)
        ben.join(code, "Ben")
        ada.chairs(3)
        check(ada, "lobby")
        ada.begin(0)
        check(ada, "lobby with its variants open")
        ada.tap_chair("Berta")
        ada.button("Remove Berta").click()
        ada.page.get_by_text("Two players start with two gifts each.").wait_for()
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        check(ada, "look")
        ada.button("Menu").click()
        check(ada, "menu")
        ada.button("Pause").click()
        ada.button("Go on").wait_for()
        check(ada, "paused")
        ada.button("Go on").click()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()
        check(ada, "announce")
        ada.page.locator("[data-do=give]").click()
        check(ada, "picker")
        ada.page.get_by_role("combobox").fill("u")
        check(ada, "picker with suggestions")
        ada.page.get_by_role("combobox").press("Enter")
        ben.page.locator("[data-do=accept]").click()
        ben.page.locator("[data-do=give]").wait_for()
        ben.give("umbrella")
        ada.page.locator("[data-do=accept]").wait_for()
        check(ada, "decide")
        ada.page.locator("[data-do=refuse]").click()
        ada.page.locator("[data-do=go_on]").wait_for()
        check(ada, "reveal")
        ada.button("Menu").click()
        ada.button("End the game now").click()
        ada.page.locator("#opened").wait_for()
        check(ada, "end")
        ada.button("Watch it back").click()
        ada.button("Next").click()
        check(ada, "watching it back")


@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing_where_people_come_and_go(
    browser: Browser, site: Served, light: Literal["light", "dark"]
) -> None:
    size = PHONE if light == "light" else (1280, 720)
    with (
        Visitor(browser, site.url, size, color_scheme=light, reduced_motion="reduce") as ada,
        Visitor(browser, site.url, size, color_scheme=light, reduced_motion="reduce") as eve,
    ):
        code = ada.new_table("Ada")
        with Visitor(browser, site.url) as ben:
            ben.join(code, "Ben")
            ada.chairs(2)
            ada.tap_chair("Ben")
            ada.button("Remove Ben").click()
            check(ada, "asked whether to send somebody away")
            ada.button("No, stay").click()
            ada.add_bots(1)
            ada.begin(1)
            ada.start()
            eve.open(f"/t/{code}")
            eve.button("Play from the next round").click()
            check(eve, "a latecomer is asked their name")
            eve.page.get_by_label("Your name").fill("Eve")
            eve.button("Sit down").click()
            eve.page.locator("[data-late]").wait_for()
            check(eve, "a latecomer is told when they are in")
        ada.page.locator("[data-absent]").wait_for()
        check(ada, "somebody is away")
        eve.open()
        eve.page.locator("[data-back]").wait_for()
        check(eve, "the way back")
        eve.play_now()
        eve.button("Menu").click()
        eve.button("Close").click()
        eve.page.locator("[data-countdown]").get_by_role("button").click()
        check(eve, "a pause when alone")
