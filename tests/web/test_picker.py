"""The picker: catalogue, virtual keyboard, deadline, and taking a claim back.

Tests that depend on time stop the page's clock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.gifts import catalogue, kinds, name, offer
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import load
from support.server_process import ServerProcess
from support.throttled_socket import ThrottledSocket

TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}


@contextmanager
def _about_to_give(
    browser: Browser, site: ServerProcess, size: tuple[int, int], script: str = "", held: bool = False, **more: Any
) -> Iterator[tuple[BrowserGuest, ScriptedPlayers, ThrottledSocket]]:
    """Ada has drawn a gift and must name it for Ben."""
    options = {"gifts_each": 2, "starter": 0, "show_seconds": 0, "patience_seconds": 0}
    with BrowserGuest(browser, site.url, size, **more) as ada, ScriptedPlayers(site.url) as players:
        if script:
            ada.page.add_init_script(f"({script})()")
        if held:
            ada.stop_clock()
        line = ThrottledSocket(ada.page)
        ada.join(players.open_table("Ben", **options), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.do("draw")
        ada.until(lambda: ada.page.locator("[data-do=give]:not([data-fresh])").count() == 1)
        yield ada, players, line


def test_gift_is_browsed_and_claim_taken_back(browser: Browser, unhurried: ServerProcess) -> None:
    with _about_to_give(browser, unhurried, DESKTOP, held=True, take_back=True) as (ada, players, line):
        _catalogue_by_kind_remembers_nothing(ada)
        _claim_can_be_taken_back_for_two_seconds(ada, players)
        _pending_move_has_no_button(ada, players, line)
        _take_back_can_be_switched_off(ada, players)


def _catalogue_by_kind_remembers_nothing(ada: BrowserGuest) -> None:
    page = ada.page
    page.locator("[data-do=give]").click()
    tiles = page.evaluate(load("pickerTiles"))
    assert [tile["name"] for tile in tiles] == sorted((name(key, "en") for key in catalogue()), key=str.casefold)
    assert all(tile["height"] > 40 and tile["lines"] > 0 for tile in tiles)
    fresh = page.locator("[data-all]").inner_html()
    for key, kind in kinds().items():
        page.locator(".kinds").get_by_role("button", name=kind.names["en"], exact=True).click()
        shown = {tile["name"] for tile in page.evaluate(load("pickerTiles"))}
        assert shown == {name(gift, "en") for gift in kind.gifts}, key
    _typed_words_offer_what_they_may_mean(ada)
    page.get_by_role("combobox").fill("kite")
    page.get_by_role("button", name="Close").click()
    page.locator("[data-do=give]").click()
    page.locator("[data-all]").wait_for()
    assert page.get_by_role("combobox").input_value() == ""
    assert page.locator("[data-all]").inner_html() == fresh
    assert page.locator("[data-all]").evaluate("tiles => tiles.scrollTop") == 0
    page.locator("[data-all] button").nth(3).click()
    page.locator("dialog").wait_for(state="detached")
    _wait_for_action(ada, "take_back")
    page.locator("[data-do=take_back]").click()


def _typed_words_offer_what_they_may_mean(ada: BrowserGuest) -> None:
    field, offered = ada.page.get_by_role("combobox"), ada.page.get_by_role("option")
    for typed, gifts in {
        "hat": ("hat", "sun_hat", "party_hat", "cap"),
        "the phone": ("telephone", "mobile_phone"),
        "couch": ("armchair",),
        "cookie": (),
    }.items():
        field.fill(typed)
        expect(offered).to_have_count(len(gifts))
        assert sorted(offered.all_inner_texts()) == sorted(name(gift, "en") for gift in gifts), typed


def _claim_can_be_taken_back_for_two_seconds(ada: BrowserGuest, players: ScriptedPlayers) -> None:
    page, field = ada.page, ada.page.get_by_role("combobox")
    field.fill("kite")
    field.press("Enter")
    page.get_by_text(offer("kite", "en")).wait_for()
    expect(page.locator("[data-do=say_now]")).to_be_focused()
    page.keyboard.press("Escape")
    assert field.input_value() == "kite"
    page.keyboard.press("Escape")
    expect(page.locator("[data-do=give]")).to_be_focused()
    _wait_for_action(ada, "give")
    page.keyboard.press("Enter")
    field.fill("umbrella")
    field.press("Enter")
    page.locator("[data-do=take_back]").wait_for()
    ada.step(1900)
    expect(page.locator("[data-do=take_back]")).to_have_count(1)
    assert type(players.state.view.round.phase).__name__ == "GiveView"  # type: ignore[union-attr]
    ada.step(200)
    page.locator("[data-do=take_back]").wait_for(state="detached")
    assert players.phase("answer").claim == "umbrella", "and nobody ever heard of a kite"


def _pending_move_has_no_button(ada: BrowserGuest, players: ScriptedPlayers, line: ThrottledSocket) -> None:
    players.do("Ben", "refuse")
    _wait_for_action(ada, "draw")
    line.hold()
    ada.page.locator("[data-do=draw]").click()
    players.phase("give")
    expect(ada.page.locator("[data-actions] .button")).to_have_count(0)
    line.release()
    _wait_for_action(ada, "give")
    line.hold()
    ada.page.locator("[data-do=give]").click()
    ada.page.get_by_role("combobox").fill("kite")
    ada.page.get_by_role("combobox").press("Enter")
    _wait_for_action(ada, "say_now")
    ada.page.locator("[data-do=say_now]").click()
    players.phase("answer")
    expect(ada.page.locator("[data-actions] .button, dialog[open]")).to_have_count(0)
    line.release()


def _take_back_can_be_switched_off(ada: BrowserGuest, players: ScriptedPlayers) -> None:
    players.do("Ben", "refuse")
    _wait_for_action(ada, "draw")
    ada.button("Menu").click()
    ada.page.locator("dialog summary").first.click()
    ada.page.get_by_label("Two seconds to change my mind").uncheck()
    ada.page.keyboard.press("Escape")
    ada.do("draw")
    _wait_for_action(ada, "give")
    ada.page.locator("[data-do=give]").click()
    ada.page.get_by_role("combobox").fill("kite")
    ada.page.get_by_role("combobox").press("Enter")
    assert players.phase("answer").claim == "kite", "at once: no time has passed"
    expect(ada.page.locator("[data-do=take_back]")).to_have_count(0)


def _wait_for_action(ada: BrowserGuest, what: str) -> None:
    """Advance the page's clock until this action is offered and takes presses."""
    ada.until(lambda: ada.page.locator(f"[data-do={what}]:not([data-fresh])").count() == 1, passing=500)


def test_picker_stays_above_virtual_keyboard(browser: Browser, site: ServerProcess) -> None:
    with _about_to_give(browser, site, PHONE, script=load("fakeKeyboard"), **TOUCH) as (ada, players, _):
        page = ada.page
        expect(page.locator("[data-do=give] .key")).to_be_hidden()
        page.locator("[data-do=give]").click()
        expect(page.locator("dialog")).to_be_focused()  # the keyboard waits for a tap on the field
        page.get_by_role("combobox").tap()
        page.evaluate("() => window.keyboard(330)")
        page.get_by_role("combobox").fill("s")
        page.locator("#found [role=option]").nth(8).wait_for()
        edge = 844 - 330
        high = page.locator("dialog").evaluate("one => one.offsetHeight")
        box = {"x": 0, "y": edge - high, "width": 390, "height": high}
        assert page.locator("dialog").bounding_box() == pytest.approx(box, abs=1)
        assert page.evaluate(load("countBelow"), edge) == 0
        heights = page.locator("#found li").evaluate_all("tiles => tiles.map((tile) => tile.offsetHeight)")
        assert min(heights) > 60
        page.evaluate("() => window.keyboard(0)")
        page.wait_for_function("() => document.querySelector('dialog').offsetTop > 250")  # the table can be seen again
        page.locator("#found li").nth(2).tap()
        page.locator("dialog").wait_for(state="detached")
        players.phase("answer")
