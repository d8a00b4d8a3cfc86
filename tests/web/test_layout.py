"""Nothing overlaps and nothing scrolls, for 2 to 8 seats at six sizes; text of 200 % may scroll but loses nothing."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.browser_guest import Visitor
from support.server_process import Served

SIZES = ((320, 568), (390, 844), (768, 1024), (1280, 720), (1440, 900), (844, 390))
LONG = "Wolfgang-Maximilian 🎩"

_BOXES = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top + scrollY, right, bottom + scrollY];
  };
  const all = {};
  const every = (where, what, name) =>
    where.querySelectorAll(what).forEach((element, n) => { all[name(n)] = box(element); });
  document.querySelectorAll("[data-seat]").forEach((seat, n) => {
    all["seat " + n] = box(seat);
    every(seat, ".card", (m) => "card " + n + "." + m + " of seat");
    every(seat, ".label", () => "name " + n + " of seat");
  });
  for (const part of [".shop", "[data-air]", "[data-sentence]", "[data-actions]"]) every(document, part, () => part);
  every(document, "[data-actions] .button", (n) => "button " + n + " of actions");
  // letters reach a little over their line; a line more than fits is what must not be
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  const high = (one) => one.scrollHeight > one.clientHeight + 0.4 * size(one);
  const wide = (one) => one.scrollWidth > one.clientWidth + 2;
  const texts = [...document.querySelectorAll(".name, .button, [data-sentence] p")];
  const cut = texts.filter((one) => high(one) || wide(one)).map((one) => one.className + ": " + one.textContent);
  return { all, cut, width: document.documentElement.scrollWidth };
}"""
_FITS = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
}"""


@pytest.mark.parametrize("seats", range(2, 9))
def test_nothing_overlaps_or_scrolls(browser: Browser, site: Served, seats: int) -> None:
    with Visitor(browser, site.url, reduced_motion="reduce") as ada:
        ada.new_table(LONG[:20])
        ada.add_bots(seats - 1)
        ada.begin(0)
        if seats in (4, 8):
            ada.page.locator('select:has(option[value="2"])').first.select_option("2")  # two gifts each
        ada.start()
        for step in ("draw", "give"):
            ada.page.locator(f"[data-do={step}]").wait_for()
            for width, height in SIZES:
                ada.resize((width, height))
                where = f"{seats} seats at {width} × {height}, to {step}"
                ada.page.wait_for_function(_FITS)  # text that grew smaller takes a moment
                found = ada.page.evaluate(_BOXES)
                assert found["cut"] == [], where
                _check_apart(found["all"], where)
            if step == "draw":
                ada.page.locator("[data-do=draw]").click()


def _check_apart(boxes: dict[str, list[float]], where: str) -> None:
    for (name, a), (other, b) in itertools.combinations(boxes.items(), 2):
        if _belongs(name, other) or _belongs(other, name):
            continue
        apart = a[2] <= b[0] + 1.5 or b[2] <= a[0] + 1.5 or a[3] <= b[1] + 1.5 or b[3] <= a[1] + 1.5
        assert apart, f"{name} over {other}: {where}"


def _belongs(part: str, whole: str) -> bool:
    """A card lies inside its own seat, and a button in the action bar."""
    if " of actions" in part:
        return whole == "[data-actions]"
    number = part.split()[1].split(".")[0] if " of seat" in part else None
    return number is not None and whole == f"seat {number}"


@pytest.mark.parametrize("size", [(390, 844), (1280, 720)])
def test_text_of_200_percent_scrolls_but_loses_nothing(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with Visitor(browser, site.url, size, lang="de-DE", reduced_motion="reduce") as ada:
        ada.new_table(LONG[:20])
        ada.add_bots(4)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        ada.page.evaluate("document.documentElement.style.fontSize = '200%'")
        ada.page.evaluate("dispatchEvent(new Event('resize'))")
        ada.page.wait_for_timeout(150)
        # sentence and actions stand at the foot of the window; at the foot of the page they cover nothing
        ada.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        found: dict[str, Any] = ada.page.evaluate(_BOXES)
        assert found["width"] <= size[0]
        assert found["cut"] == []
        _check_apart(found["all"], f"text of 200 % at {size}")
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()


@pytest.mark.parametrize("name", ["عائشة", "👩‍👩‍👧‍👦 und ich", "W" * 20])
def test_names_of_all_kinds_stay_whole(browser: Browser, site: Served, name: str) -> None:
    with Visitor(browser, site.url, (320, 568)) as ada:
        ada.new_table(name)
        ada.add_bots(3)
        ada.start()
        mine = ada.page.locator("[data-seat].you .name")
        assert name in mine.inner_text()
        assert mine.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
