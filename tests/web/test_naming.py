"""Naming a gift: pictures, kinds, the phone's keyboard, the table's clock, a claim taken back, keys and focus.

Where time matters the page's clock is held, and goes on when the test says so.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.gifts import LANGUAGES, catalogue, kinds, name, offer
from scripted_players import Company
from support.axe import check
from support.browser_guest import DESKTOP, PHONE, Visitor
from support.server_process import Served
from support.throttled_socket import Line

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
_IN_THE_BAR = "() => document.activeElement.matches('[data-actions]')"
_WIDE = """dialog => [...dialog.querySelectorAll("h2, header .button, .tiles, .tiles .name")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
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
    browser: Browser, site: Served, size: tuple[int, int], script: str = "", held: bool = False, **more: Any
) -> Iterator[tuple[Visitor, Company, Line]]:
    """Ada has drawn a gift and is to name it for Ben."""
    options = {"gifts_each": 2, "starter": 0, "show_seconds": 0, "patience_seconds": more.pop("patience", 0)}
    with Visitor(browser, site.url, size, **more) as ada, Company(site.url) as company:
        if script:
            ada.page.add_init_script(f"({script})()")
        if held:
            ada.page.clock.install()
        line = Line(ada.page)
        ada.join(company.open_table("Ben", **options), "Ada")
        company.sit()
        company.host_does("start")
        ada.do("draw")
        ada.page.locator("[data-do=give]").wait_for()
        if held:
            ada.page.clock.pause_at(ada.page.evaluate("() => Date.now() / 1000") + 10)
        yield ada, company, line


@SIZES
def test_a_gift_is_found_by_looking_and_can_be_taken_back_before_anybody_hears_it(
    browser: Browser, unhurried: Served, size: tuple[int, int]
) -> None:
    touch = TOUCH if size == PHONE else {}
    with _to_give(browser, unhurried, size, held=True, takes_back=True, **touch) as (ada, company, line):
        _every_gift_by_kind_and_nothing_is_remembered(ada)
        _two_seconds_to_take_it_back(ada, company)
        _a_move_that_waits_for_its_answer_has_no_button(ada, company, line)
        _who_is_in_a_hurry_says_it_now_or_switches_the_wait_off(ada, company)


def _every_gift_by_kind_and_nothing_is_remembered(ada: Visitor) -> None:
    page = ada.page
    page.locator("[data-do=give]").click()
    tiles = page.evaluate(_TILES)
    assert [tile["name"] for tile in tiles] == sorted((name(key, "en") for key in catalogue()), key=str.casefold)
    assert all(tile["height"] > 40 and tile["lines"] > 0 for tile in tiles)
    fresh = page.locator("[data-all]").inner_html()
    for key, kind in kinds().items():
        page.locator(".kinds").get_by_role("button", name=kind.names["en"], exact=True).click()
        shown = {tile["name"] for tile in page.evaluate(_TILES)}
        assert shown == {name(gift, "en") for gift in kind.gifts}, key
    check(ada, "picker by kind", passing=20)
    page.get_by_role("combobox").fill("kite")
    page.get_by_role("button", name="Close").click()
    page.locator("[data-do=give]").click()
    page.locator("[data-all]").wait_for()
    assert page.get_by_role("combobox").input_value() == ""
    assert page.locator("[data-all]").inner_html() == fresh
    assert page.locator("[data-all]").evaluate("tiles => tiles.scrollTop") == 0
    page.locator("[data-all] button").nth(3).click()
    page.locator("dialog").wait_for(state="detached")
    page.locator("[data-do=take_back]").click()


def _two_seconds_to_take_it_back(ada: Visitor, company: Company) -> None:
    page, field = ada.page, ada.page.get_by_role("combobox")
    field.fill("kite")
    field.press("Enter")
    page.get_by_text(offer("kite", "en")).wait_for()
    assert page.evaluate(_FOCUS) == "take_back"
    check(ada, "a claim that can be taken back", passing=20)
    page.keyboard.press("Escape")
    assert field.input_value() == "kite"
    field.fill("umbrella")
    field.press("Enter")
    page.locator("[data-do=take_back]").wait_for()
    page.clock.run_for(1900)
    expect(page.locator("[data-do=take_back]")).to_have_count(1)
    assert type(company.state.view.round.phase).__name__ == "GiveView"  # type: ignore[union-attr]
    page.clock.run_for(200)
    page.locator("[data-do=take_back]").wait_for(state="detached")
    assert company.phase("answer").claim == "umbrella", "and nobody ever heard of a kite"


def _a_move_that_waits_for_its_answer_has_no_button(ada: Visitor, company: Company, line: Line) -> None:
    company.do("Ben", "refuse")
    _ada_is_to(ada, "draw")
    line.hold()
    ada.page.locator("[data-do=draw]").click()
    company.phase("give")
    expect(ada.page.locator("[data-actions] .button")).to_have_count(0)
    line.let_go()
    _ada_is_to(ada, "give")
    line.hold()
    ada.page.locator("[data-do=give]").click()
    ada.page.get_by_role("combobox").fill("kite")
    ada.page.get_by_role("combobox").press("Enter")
    ada.page.locator("[data-do=say_now]").click()
    company.phase("answer")
    expect(ada.page.locator("[data-actions] .button, dialog[open]")).to_have_count(0)
    line.let_go()


def _who_is_in_a_hurry_says_it_now_or_switches_the_wait_off(ada: Visitor, company: Company) -> None:
    company.do("Ben", "refuse")
    _ada_is_to(ada, "draw")
    ada.button("Menu").click()
    ada.page.get_by_label("Two seconds to take a claim back").uncheck()
    ada.page.keyboard.press("Escape")
    ada.do("draw")
    _ada_is_to(ada, "give")
    ada.page.locator("[data-do=give]").click()
    ada.page.get_by_role("combobox").fill("kite")
    ada.page.get_by_role("combobox").press("Enter")
    assert company.phase("answer").claim == "kite", "at once: no time has passed"
    expect(ada.page.locator("[data-do=take_back]")).to_have_count(0)


def _ada_is_to(ada: Visitor, what: str) -> None:
    """Time passes on the page until this is to be done."""
    ada.until(lambda: ada.page.locator(f"[data-do={what}]").count() == 1, passing=500)


def test_the_gifts_are_browsed_in_seven_languages_and_nothing_sticks_out(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, (320, 568)) as (ada, _, _):
        for lang in LANGUAGES:
            ada.button(re.compile("^(Menu|Menü|Menú)")).last.click()
            ada.page.locator("dialog select").first.select_option(lang)
            expect(ada.page.locator("html")).to_have_attribute("lang", lang)
            ada.page.keyboard.press("Escape")
            ada.page.locator("[data-do=give]").click()
            names = [kind.names[lang] for kind in kinds().values()]
            assert ada.page.locator(".kinds .button").all_inner_texts()[1:] == names
            assert ada.page.locator("dialog").evaluate(_WIDE) == [], lang
            ada.page.keyboard.press("Escape")
            ada.page.locator("dialog").wait_for(state="detached")


def test_results_stand_above_the_phones_keyboard(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, PHONE, script=_KEYBOARD, **TOUCH) as (ada, company, _):
        page = ada.page
        expect(page.locator("[data-do=give] .key")).to_be_hidden()
        page.locator("[data-do=give]").click()
        assert page.evaluate(_FOCUS) == "DIALOG", "the keyboard waits for a tap on the field"
        page.get_by_role("combobox").tap()
        page.evaluate("() => window.keyboard(330)")
        page.get_by_role("combobox").fill("s")
        page.locator("#found [role=option]").nth(8).wait_for()
        edge = 844 - 330
        high = page.locator("dialog").evaluate("one => one.offsetHeight")
        box = {"x": 0, "y": edge - high, "width": 390, "height": high}
        assert page.locator("dialog").bounding_box() == pytest.approx(box, abs=1)
        assert page.evaluate(_BELOW, edge) == 0
        heights = page.locator("#found li").evaluate_all("tiles => tiles.map((tile) => tile.offsetHeight)")
        assert min(heights) > 60
        page.evaluate("() => window.keyboard(0)")
        assert page.locator("dialog").evaluate("dialog => dialog.offsetTop") > 250, "the table can be seen again"
        page.locator("#found li").nth(2).tap()
        page.locator("dialog").wait_for(state="detached")
        company.phase("answer")


def test_keys_are_on_the_buttons_letters_go_into_the_field_and_the_focus_stays(browser: Browser, site: Served) -> None:
    with _to_give(browser, site, DESKTOP) as (ada, company, _):
        page = ada.page
        expect(page.locator("[data-do=give] .key")).to_be_visible()
        page.keyboard.press("Tab")
        assert page.evaluate(_FOCUS) == "give", "the next Tab finds the next button"
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Close").focus()
        page.keyboard.type("umb")
        assert page.get_by_role("combobox").input_value() == "umb"
        page.keyboard.press("Enter")
        page.locator("dialog").wait_for(state="detached")
        assert company.phase("answer").claim == "umbrella"
        company.do("Ben", "accept")
        assert page.evaluate(_IN_THE_BAR)
        company.phase("give")
        company.do("Ben", "give", claim="kite")
        page.locator("[data-do=refuse] .key").wait_for()
        page.keyboard.press("2")
        page.locator("[data-do=refuse]").wait_for(state="detached")
        assert page.evaluate(_IN_THE_BAR)
        company.phase("draw")


@SIZES
def test_the_tables_clock_is_in_the_picker_with_figures_at_the_end(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    """Patience is some ten seconds at this server's pace. The figures stay for five of them, and then time is up."""
    with _to_give(browser, site, size, patience=240) as (ada, _, _):
        ada.do("give")
        clock = ada.page.locator("dialog [data-clock]")
        expect(clock).to_be_visible()
        expect(clock.locator(".figures")).to_have_text(re.compile("[1-5]"))
        ada.page.get_by_text("Time was up. A computer said this for you.").first.wait_for()
        expect(ada.page.locator("dialog[open]")).to_have_count(0)
