"""Whole games without a mouse: by keyboard alone, and by accessible names alone.

Ben has a mouse. He accepts once and then lies three times: he claims a gift that is face up, and Ada refuses it.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, expect

from support.browser_guest import BrowserGuest
from support.server_process import ServerProcess

Enter = Callable[[str | re.Pattern[str]], None]


def test_game_by_keyboard_alone(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url) as ben:
        ada.stop_clock().start_clock()  # a reveal would end by itself, so the clock is stopped below
        page, keyboard = ada.open().page, ada.page.keyboard

        def enter(name: str | re.Pattern[str]) -> None:
            _tab_to(ada, ada.button(name).last)
            keyboard.press("Enter")

        _tab_to(ada, page.get_by_role("textbox", name="Your name"))
        keyboard.type("Ada")
        enter(re.compile("^With friends online"))
        ada.chairs(1)
        ben.join(page.url.rpartition("/")[2], "Ben")
        ada.chairs(2)
        _dialogs_restore_focus_to_seat(ada, enter)
        _move_and_back(ada)
        _tab_to(ada, page.locator("summary", has_text="House rules"))
        keyboard.press("Enter")
        _tab_to(ada, page.get_by_label("Who begins"))
        keyboard.type("Ada")
        enter("Start")
        ada.at_table()
        _menu_restores_focus(ada, enter)
        _emotes_close(ada, enter)
        enter("Draw a gift")
        expect(page.locator("[data-do=give]")).to_be_focused()
        keyboard.press("u")  # typing begins to name a gift
        page.locator("dialog[open]").wait_for()
        keyboard.type("mb")
        keyboard.press("Enter")
        ben.do("accept")
        for lie in range(3):
            if lie > 0:
                ben.do("draw")
            ben.give(ada.visible_gift())
            expect(ada.button("Thank you")).to_be_focused()
            keyboard.press("Tab")
            expect(ada.button(re.compile("^(That’s not|Those aren’t)"))).to_be_focused()
            ada.stop_clock()
            keyboard.press("Enter")
            ada.until(lambda: ada.button("Continue").count() == 1, passing=10)
            expect(ada.button("Continue")).to_be_focused()
            keyboard.press("Enter")
            expect(ada.button("Continue")).to_have_count(0)  # it would have stayed without the key
            ada.start_clock()
        page.get_by_role("heading", name="You win!").wait_for()
        expect(ada.button("Play again")).to_be_focused()
        ada.assert_spoken(
            "You draw a gift.",
            "You wrap the gift.",
            "What do you give Ben?",
            "You to Ben: I have a nice umbrella for you.",
            "Ben says thank you.",
            *("Ben to you: I have", "You refuse. It is turned over.", "A penalty point for Ben.") * 3,
            "The round is over.",
            "You win!",
        )
        keyboard.press("1")
        page.locator("[data-wants]").wait_for()


def _dialogs_restore_focus_to_seat(ada: BrowserGuest, enter: Enter) -> None:
    ben = ada.button("Ben: what to do")
    _tab_to(ada, ada.page.locator("[data-empty]").last)
    ada.page.keyboard.press("Enter")
    enter(re.compile("^Add: Berta"))
    ada.chairs(3)
    expect(ada.page.locator("[data-empty]")).to_be_focused()
    enter("Berta: what to do")
    enter("Remove Berta")
    expect(ada.page.locator("[data-empty]")).to_have_count(2)
    expect(ada.page.locator("[data-empty]").first).to_be_focused()
    enter("Ben: what to do")
    enter("Remove Ben")
    enter("No, stay")
    expect(ben).to_be_focused()


def _menu_restores_focus(ada: BrowserGuest, enter: Enter) -> None:
    enter("Menu")
    enter("Remove Ben")
    enter("No, stay")
    expect(ada.button("Remove Ben")).to_be_focused()
    enter("Pause")
    expect(ada.button("Resume")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.button("Draw a gift")).to_be_focused()


def _emotes_close(ada: BrowserGuest, enter: Enter) -> None:
    """By Escape, by a click elsewhere, and by a choice."""
    list_, hello = ada.button("Say something"), ada.button("Hello!")
    enter("Say something")
    hello.wait_for()
    ada.page.keyboard.press("Escape")
    expect(hello).to_have_count(0)
    expect(list_).to_be_focused()
    list_.click()
    ada.page.locator("[data-sentence]").click()
    expect(hello).to_have_count(0)
    enter("Say something")
    enter("Hello!")
    expect(hello).to_have_count(0)
    expect(list_).to_be_focused()


def _move_and_back(ada: BrowserGuest) -> None:
    """The focus stays on the chair of the moved person."""
    chairs, chair = ada.page.locator("[data-chair] .who bdi"), ada.button("Ada: what to do")
    _tab_to(ada, chair)
    ada.page.keyboard.press("ArrowDown")
    expect(chairs).to_have_text(["Ben", "Ada (you)"])
    expect(chair).to_be_focused()
    ada.page.keyboard.press("ArrowUp")
    expect(chairs).to_have_text(["Ada (you)", "Ben"])
    expect(chair).to_be_focused()


def _tab_to(ada: BrowserGuest, target: Locator) -> None:
    target.wait_for()
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        ada.page.keyboard.press("Tab")
    raise AssertionError(f"no way to {target} by keyboard")


def test_game_by_accessible_names_alone(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url) as ben:
        page = ada.open().page
        tap: Callable[[str | re.Pattern[str]], None] = lambda name: ada.button(name).click()  # noqa: E731
        page.get_by_role("textbox", name="Your name").fill("Ada")
        tap("With friends online")
        ada.tap_empty_chair()
        tap(re.compile("^Add: Berta"))
        ada.chairs(2)
        ben.join(page.url.rpartition("/")[2], "Ben")
        ada.chairs(3)
        page.get_by_text("House rules").click()
        claims = page.get_by_label("Claims")
        claims.select_option("spoken")
        page.get_by_role("alert").get_by_text("Computer players can’t hear").wait_for()
        expect(claims).to_have_value("entered")  # the field shows what the table has (rule 12.2)
        tap("Berta: what to do")
        tap("Remove Berta")
        page.get_by_text("Two players start with two gifts each.").wait_for()
        page.get_by_label("Who begins").select_option(label="Ada")
        tap("Start")
        page.get_by_role("region", name="Your place, Ada").wait_for()
        page.get_by_role("region", name="Ben").wait_for()
        assert page.get_by_role("region", name="Gift shop").get_by_role("img").count() == 1
        tap("Draw a gift")
        tap("Say what it is…")
        page.get_by_role("combobox", name="Type a gift").fill("kite")
        page.get_by_role("option", name="kite").click()
        ben.do("accept")
        page.get_by_role("region", name="Ben").get_by_role("img", name="a wrapped gift, goes to you").wait_for()
        for lie in range(3):
            if lie > 0:
                ben.do("draw")
            ben.give(ada.visible_gift())
            tap(re.compile("^(That’s not|Those aren’t)"))
        page.get_by_role("heading", name="You win!").wait_for()
