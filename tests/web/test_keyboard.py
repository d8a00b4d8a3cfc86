"""Whole games without a mouse: by keys alone, and by the names that a screen reader hears alone."""

import re
import time
from contextlib import suppress

from playwright.sync_api import Browser, Error

from support.serving import Served
from support.visitor import Visitor


def test_a_game_by_keyboard_alone(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada:
        ada.open()
        page = ada.page
        _tab_to(ada, re.compile("^Play now"))
        page.keyboard.press("Enter")
        ada.at_table()
        heard: set[str] = set()
        keys_for_a_claim = 0
        until = time.monotonic() + 90
        while not ada.over and time.monotonic() < until:
            heard.add(page.locator("[data-live]").inner_text())
            offered = ada.offers()
            if "on" in offered:
                page.keyboard.press("Enter")
            elif "draw" in offered:
                _tab_to(ada, "Draw a gift")
                page.keyboard.press("Enter")
            elif "give" in offered:
                page.keyboard.press("u")  # to give, just begin to type
                page.locator("dialog[open]").wait_for()
                page.keyboard.type("mb")
                page.keyboard.press("Enter")
                page.locator("dialog[open]").wait_for(state="detached")
                keys_for_a_claim = 4
            elif "answer" in offered:
                _tab_to(ada, re.compile("^Th(at|ose)"))
                page.keyboard.press("Enter")
            page.wait_for_timeout(40)
        assert ada.over
        assert keys_for_a_claim == 4
        spoken = " ".join(heard)
        for words in ("You draw from the shop", "I have a nice umbrella for you.", "You refuse", "penalty point for"):
            assert words in spoken, words


def _tab_to(ada: Visitor, name: str | re.Pattern[str]) -> None:
    target = ada.button(name).last
    target.wait_for()
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        ada.page.keyboard.press("Tab")
    raise AssertionError(f"no way to {name} by keyboard")


def test_a_game_by_accessible_names_alone(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada:
        ada.open()
        ada.page.get_by_role("textbox", name="Your name").fill("Ada")
        ada.button("New table").click()
        ada.button(re.compile("^Add: Berta")).click()
        ada.button(re.compile("^Add: Gustav")).click()
        ada.chairs(3)
        ada.button("Start").click()
        page = ada.page
        page.get_by_role("region", name="Your place, Ada").wait_for()
        page.get_by_role("region", name="Berta").wait_for()
        assert page.get_by_role("region", name="Gift shop").get_by_role("img").count() == 1
        seen = set()
        until = time.monotonic() + 90
        while (
            page.get_by_role("heading", name=re.compile("forgot the least")).count() == 0 and time.monotonic() < until
        ):
            for name in ("Go on", "Draw a gift", "Say what it is…", re.compile("^(That's not|Those aren't)")):
                if ada.button(name).count() == 1:
                    with suppress(Error):  # it was gone before the finger was there
                        ada.button(name).click(timeout=800)
                        seen.add(str(name))
                    if name == "Say what it is…" and page.get_by_role("combobox").count():
                        page.get_by_role("combobox", name="Type a gift").fill("kite")
                        page.get_by_role("option", name="kite").click()
            wrapped = page.get_by_role("img", name=re.compile("wrapped gift"))
            for label in wrapped.evaluate_all("all => all.map((one) => one.ariaLabel)"):
                assert re.fullmatch("a wrapped gift, goes to (you|Berta|Gustav)", label)
                seen.add("wrapped")
            page.wait_for_timeout(60)
        assert {"Draw a gift", "wrapped"} <= seen
        page.get_by_role("heading", name=re.compile("forgot the least")).wait_for()
