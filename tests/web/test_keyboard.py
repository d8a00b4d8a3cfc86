"""A whole game without a mouse: by keyboard and accessible names alone.

Ben is scripted. He accepts once and then lies three times: he claims a gift that is face up, and Ada refuses it.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, expect

from support.browser_guest import BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.server_process import ServerProcess

Enter = Callable[[str | re.Pattern[str]], None]


def test_game_by_keyboard_alone(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, ScriptedPlayers(site.url) as players:
        ada.stop_clock().start_clock()  # a reveal would end by itself, so the clock is stopped below
        page, keyboard = ada.open().page, ada.page.keyboard

        def enter(name: str | re.Pattern[str]) -> None:
            _tab_to(ada, ada.button(name).last)
            keyboard.press("Enter")

        _tab_to(ada, page.locator("[data-how] summary"))
        keyboard.press("Enter")
        _tab_to(ada, page.get_by_role("textbox", name="Your name"))
        keyboard.type("Ada")
        enter(re.compile("^With friends online"))
        ada.chairs(1)
        players.join(page.url.rpartition("/")[2], "Ben")
        ada.chairs(2)
        _dialogs_restore_focus_to_seat(ada, enter)
        _move_and_back(ada)
        _tab_to(ada, page.get_by_label("Who begins"))
        keyboard.type("Ada")
        enter("Start")
        page.get_by_role("region", name="Your place, Ada").wait_for()
        page.get_by_role("region", name="Ben").wait_for()
        expect(page.get_by_role("region", name="Gift shop").get_by_role("img")).to_have_count(1)
        _table_is_read_aloud(ada)
        _menu_restores_focus(ada, enter)
        _emotes_close(ada, enter)
        enter("Draw a gift")
        expect(ada.button("Say what it is…")).to_be_focused()
        expect(page).to_have_title(re.compile("^Your turn"))
        expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("/icon-turn.svg$"))
        expect(page.locator("[data-do=give] .key")).to_be_visible()
        keyboard.press("u")  # typing begins to name a gift
        expect(page.get_by_role("combobox", name="Type a gift")).to_be_focused()
        keyboard.type("mb")
        page.get_by_role("option", name="umbrella").wait_for()
        keyboard.press("Enter")
        ada.seen("said", "You to Ben: I have a nice umbrella for you.")
        players.phase("answer")
        players.do("Ben", "accept")
        page.get_by_role("region", name="Ben").get_by_role("img", name="a wrapped gift, goes to you").wait_for()
        for lie in range(3):
            if lie > 0:
                players.phase("draw")
                players.do("Ben", "draw")
            players.phase("give")
            players.do("Ben", "give", claim=players.face_up_gift())
            expect(ada.button("Thank you")).to_be_focused()
            keyboard.press("Tab")
            expect(ada.button(re.compile("^(That’s not|Those aren’t)"))).to_be_focused()
            if lie == 0:
                _reveal_is_skipped(ada)
            else:
                keyboard.press("2")
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


def _table_is_read_aloud(ada: BrowserGuest) -> None:
    """Once when the gifts are dealt, and again with a key."""

    def reads() -> list[int]:
        return [at for at, text in enumerate(ada.spoken()) if text.startswith("Remember these.")]

    ada.until(lambda: len(reads()) == 1)
    ada.page.keyboard.press("0")
    ada.until(lambda: len(reads()) == 2)
    spoken, (first, again) = ada.spoken(), reads()
    assert spoken[first - 3 : first] == spoken[again - 3 : again]
    assert [text.partition(": ")[0] for text in spoken[first - 3 : first]] == ["You", "Ben", "Gift shop"]


def _reveal_is_skipped(ada: BrowserGuest) -> None:
    """Refuse with the focused button, and skip the reveal: it stays, because the clock is stopped."""
    ada.stop_clock()
    ada.page.keyboard.press("Enter")
    ada.until(lambda: ada.button("Continue").count() == 1, passing=1)
    expect(ada.button("Continue")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.button("Continue")).to_have_count(0)
    ada.start_clock()


def _dialogs_restore_focus_to_seat(ada: BrowserGuest, enter: Enter) -> None:
    ben = ada.button("Ben: what to do")
    _tab_to(ada, ada.page.locator("[data-empty]").last)
    ada.page.keyboard.press("Enter")
    enter(re.compile("^Add: Berta"))
    ada.chairs(3)
    expect(ada.page.locator("[data-empty]")).to_be_focused()
    _computer_players_hear_no_claims(ada)
    enter("Berta: what to do")
    enter("Remove Berta")
    expect(ada.page.locator("[data-empty]")).to_have_count(2)
    expect(ada.page.locator("[data-empty]").first).to_be_focused()
    enter("Ben: what to do")
    enter("Remove Ben")
    enter("No, stay")
    expect(ben).to_be_focused()


def _computer_players_hear_no_claims(ada: BrowserGuest) -> None:
    """The field shows what the table has, and an alert says why (rule 12.2)."""
    _tab_to(ada, ada.page.locator("summary", has_text="House rules"))
    ada.page.keyboard.press("Enter")
    claims = ada.page.get_by_label("Claims")
    _tab_to(ada, claims)
    ada.page.keyboard.type("Said")
    ada.seen("news", "Computer players can’t hear")
    expect(claims).to_have_value("entered")


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
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):  # it may be drawn again meanwhile
            return
        ada.page.keyboard.press("Tab")
    raise AssertionError(f"no way to {target} by keyboard")
