"""Naming a gift: pictures, kinds, the phone's keyboard, the table's clock, a claim taken back, keys and focus."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.gifts import LANGUAGES, catalogue, kinds, name, offer
from support.axe import check
from support.serving import Served, served
from support.visitor import DESKTOP, PHONE, Visitor

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}

_TILES = """() => [...document.querySelectorAll("[data-all] button")].map((tile) => {
  const drawing = tile.querySelector("svg").getBoundingClientRect();
  return { name: tile.textContent.trim(), height: drawing.height, lines: tile.querySelector("svg").childElementCount };
})"""
_FOCUS = """() => {
  const here = document.activeElement;
  return here.dataset?.do ?? here.getAttribute("role") ?? here.tagName;
}"""
_WIDE = """dialog => [...dialog.querySelectorAll("h2, .tiles, .tiles .name")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""
# what a phone's keyboard leaves to be seen: no desktop browser has one
_KEYBOARD = """() => {
  const seen = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
  Object.defineProperty(window, "visualViewport", { value: seen });
  window.keyboard = (high) => { seen.height = innerHeight - high; seen.dispatchEvent(new Event("resize")); };
}"""
_BELOW = """(edge) => [...document.querySelectorAll("dialog header, dialog input, #found [role=option]")]
  .filter((one) => one.getBoundingClientRect().bottom > edge).length"""


@contextmanager
def _to_give(
    browser: Browser, site: Served, size: tuple[int, int], patience: str = "0", holds_time: bool = False, **more: Any
) -> Iterator[tuple[Visitor, Visitor]]:
    """Ada has drawn a gift and is to name it for Ben."""
    with Visitor(browser, site.url, size, **more) as ada, Visitor(browser, site.url) as ben:
        if holds_time:
            ada.page.clock.install()
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.choose(patience)  # of the table; 0 is endless
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()
        yield ada, ben


@SIZES
def test_browsing_shows_every_gift_by_kind_and_remembers_nothing(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    touch = TOUCH if size == PHONE else {}
    with _to_give(browser, site, size, **touch) as (ada, _):
        page = ada.page
        page.locator("[data-do=give]").click()
        tiles = page.evaluate(_TILES)
        assert [tile["name"] for tile in tiles] == sorted((name(key, "en") for key in catalogue()), key=str.casefold)
        assert all(tile["height"] > 40 and tile["lines"] > 0 for tile in tiles)
        fresh = page.locator("dialog").inner_html()
        for key, kind in kinds().items():
            page.locator(".kinds").get_by_role("button", name=kind.names["en"], exact=True).click()
            shown = {tile["name"] for tile in page.evaluate(_TILES)}
            assert shown == {name(gift, "en") for gift in kind.gifts}, key
        check(ada, "picker by kind")
        page.get_by_role("combobox").fill("kite")
        page.get_by_role("button", name="Close").click()
        page.locator("[data-do=give]").click()
        page.locator("[data-all]").wait_for()
        assert page.locator("dialog").inner_html() == fresh
        assert page.locator("[data-all]").evaluate("tiles => tiles.scrollTop") == 0
        page.locator("[data-all] button").nth(3).click()
        page.locator("dialog").wait_for(state="detached")


def test_the_gifts_are_browsed_in_seven_languages_and_nothing_sticks_out(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, (320, 568)) as (ada, _):
        for lang in LANGUAGES:
            ada.button(re.compile("^(Menu|Menü|Menú)")).last.click()
            ada.page.locator("dialog select").first.select_option(lang)
            expect(ada.page.locator("html")).to_have_attribute("lang", lang)
            ada.page.keyboard.press("Escape")
            ada.page.locator("[data-do=give]").click()
            names = [kind.names[lang] for kind in kinds().values()]
            assert ada.page.locator(".kinds .button").all_inner_texts()[1:] == names
            assert ada.page.locator("dialog").evaluate(_WIDE) == 0, lang
            ada.page.keyboard.press("Escape")
            ada.page.locator("dialog").wait_for(state="detached")


def test_results_stand_above_the_phones_keyboard(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url, PHONE, **TOUCH) as ada, Visitor(browser, site.url) as ben:
        ada.page.add_init_script(f"({_KEYBOARD})()")
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").click()
        page = ada.page
        assert page.evaluate(_FOCUS) == "DIALOG", "the keyboard waits for a tap on the field"
        page.get_by_role("combobox").tap()
        page.evaluate("() => window.keyboard(330)")
        page.get_by_role("combobox").fill("s")
        page.locator("#found [role=option]").nth(8).wait_for()
        edge = 844 - 330
        assert page.locator("dialog").bounding_box() == pytest.approx(
            {"x": 0, "y": edge - page.locator("dialog").evaluate("one => one.offsetHeight"), "width": 390}
            | {"height": page.locator("dialog").evaluate("one => one.offsetHeight")},
            abs=1,
        )
        assert page.evaluate(_BELOW, edge) == 0
        heights = [tile.evaluate("tile => tile.offsetHeight") for tile in page.locator("#found li").all()]
        assert min(heights) > 60
        page.evaluate("() => window.keyboard(0)")
        assert page.locator("dialog").evaluate("dialog => dialog.offsetTop") > 250, "the table can be seen again"
        page.locator("#found li").nth(2).tap()
        page.locator("dialog").wait_for(state="detached")


@SIZES
def test_a_claim_can_be_taken_back_for_two_seconds_before_anybody_hears_it(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _to_give(browser, site, size, takes_back=True, holds_time=True) as (ada, ben):
        page = ada.page
        heard: list[str] = []
        ben.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
        ben.page.reload()
        ben.at_table()
        page.locator("[data-do=give]").click()
        page.clock.pause_at(page.evaluate("() => Date.now()") + 200)
        page.get_by_role("combobox").fill("kite")
        page.get_by_role("combobox").press("Enter")
        page.get_by_text(offer("kite", "en")).wait_for()
        assert page.evaluate(_FOCUS) == "take_back"
        page.keyboard.press("Escape")
        assert page.get_by_role("combobox").input_value() == "kite"
        page.get_by_role("combobox").fill("umbrella")
        page.get_by_role("combobox").press("Enter")
        page.locator("[data-do=take_back]").wait_for()
        page.clock.run_for(1900)
        assert page.locator("[data-do=take_back]").count() == 1
        page.clock.run_for(200)
        page.locator("[data-do=take_back]").wait_for(state="detached")
        page.clock.resume()
        ben.page.locator("[data-do=accept]").wait_for()
        assert offer("umbrella", "en") in ben.page.locator("[data-sentence]").inner_text()
        assert any('"claim":"umbrella"' in frame for frame in heard)
        assert not any('"claim":"kite"' in frame for frame in heard)


def test_whoever_is_in_a_hurry_says_it_now_or_switches_the_wait_off(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, DESKTOP, takes_back=True) as (ada, ben):
        ada.page.keyboard.press("k")
        ada.page.get_by_role("combobox").press("Enter")
        ada.page.locator("[data-do=say_now]").click()
        ben.page.locator("[data-do=refuse]").click()
        ada.button("Menu").click()
        ada.page.get_by_label("Two seconds to take a claim back").uncheck()
        ada.page.keyboard.press("Escape")
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").click()
        ada.page.get_by_role("combobox").fill("kite")
        ada.page.get_by_role("combobox").press("Enter")
        ada.page.locator("dialog").wait_for(state="detached")
        assert ada.page.locator("[data-do=take_back]").count() == 0
        ben.page.locator("[data-do=accept]").wait_for()


def test_keys_are_on_the_buttons_where_there_is_a_keyboard_and_the_focus_stays(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, PHONE, **TOUCH) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.begin(0)
        ada.start()
        page = ada.page
        expect(page.locator("[data-do=draw] .key")).to_be_visible()
        page.keyboard.press("1")
        page.locator("[data-do=give]").wait_for()
        page.keyboard.press("Tab")
        assert page.evaluate(_FOCUS) == "give", "the next Tab finds the next button"
        page.keyboard.press("Enter")
        page.locator("dialog[open]").wait_for()
        page.keyboard.type("umb")
        page.keyboard.press("Enter")
        page.locator("dialog").wait_for(state="detached")
        ben.page.locator("[data-do=refuse]").wait_for()
        assert page.evaluate("() => document.activeElement.matches('[data-actions]')")
        assert ben.page.locator("[data-actions] .key").count() > 0
        expect(ben.page.locator("[data-do=refuse] .key")).to_be_hidden()
        ben.page.keyboard.press("2")  # a keyboard may be there all the same
        page.locator("[data-do=go_on], [data-do=draw]").first.wait_for()
        assert page.evaluate("() => document.activeElement.matches('[data-actions]')")


def test_the_clock_is_in_the_picker_with_figures_for_the_last_five_seconds(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, pace=1.5) as slow, _to_give(browser, slow, PHONE, patience="20") as (ada, _):
        page = ada.page
        page.locator("[data-do=give]").click()
        clock = page.locator("dialog [data-clock]")
        expect(clock.locator(".line")).to_be_visible()
        clock.locator(".figures").wait_for()
        seen = {clock.locator(".figures").inner_text()}
        assert seen <= {"5", "4", "3"}
        assert "5 seconds left" in clock.inner_text()
        ada.until(lambda: clock.count() == 0 or clock.locator(".figures").inner_text(timeout=1000) in ("1", "2"))
        page.locator("dialog").wait_for(state="detached")  # time was up: a computer said it


def test_letters_go_into_the_field_wherever_the_focus_is(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, DESKTOP) as (ada, _):
        page = ada.page
        page.locator("[data-do=give]").click()
        page.get_by_role("button", name="Close").focus()
        page.keyboard.type("umb")
        assert page.get_by_role("combobox").input_value() == "umb"
        page.keyboard.press("Enter")
        page.locator("dialog").wait_for(state="detached")
