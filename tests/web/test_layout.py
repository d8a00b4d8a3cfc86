"""The layout of a table: nothing overlaps or scrolls, for 2 to 8 seats at six sizes. Text at 200 % may scroll."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.browser_guest import BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

SIZES = ((320, 568), (390, 844), (768, 1024), (1280, 720), (1440, 900), (844, 390))
LONG = "Wolfgang-Maximilian 🎩"


@pytest.mark.parametrize("seats", range(2, 9))
def test_table_parts_do_not_overlap_or_scroll(browser: Browser, site: ServerProcess, seats: int) -> None:
    with BrowserGuest(browser, site.url, reduced_motion="reduce") as ada:
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
                ada.page.wait_for_function(load("fitsWindow"))  # smaller text needs a moment
                found = ada.page.evaluate(load("tableBoxes"))
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
    """Assert that no two parts overlap, except a card in its seat and a button in the action bar."""
    if " of actions" in part:
        return whole == "[data-actions]"
    number = part.split()[1].split(".")[0] if " of seat" in part else None
    return number is not None and whole == f"seat {number}"


@pytest.mark.parametrize("size", [(390, 844), (1280, 720)])
def test_text_at_200_percent_scrolls_but_loses_nothing(
    browser: Browser, site: ServerProcess, size: tuple[int, int]
) -> None:
    with BrowserGuest(browser, site.url, size, lang="de-DE", reduced_motion="reduce") as ada:
        ada.new_table(LONG[:20])
        ada.add_bots(4)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        ada.page.evaluate("document.documentElement.style.fontSize = '200%'")
        ada.page.evaluate("dispatchEvent(new Event('resize'))")
        ada.page.wait_for_timeout(150)
        # sentence and actions stick to the bottom of the window; scrolled to the end they cover nothing
        ada.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        found: dict[str, Any] = ada.page.evaluate(load("tableBoxes"))
        assert found["width"] <= size[0]
        assert found["cut"] == []
        _check_apart(found["all"], f"text of 200 % at {size}")
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()


@pytest.mark.parametrize("name", ["عائشة", "👩‍👩‍👧‍👦 und ich", "W" * 20])
def test_unusual_names_are_shown_whole(browser: Browser, site: ServerProcess, name: str) -> None:
    with BrowserGuest(browser, site.url, (320, 568)) as ada:
        ada.new_table(name)
        ada.add_bots(3)
        ada.start()
        mine = ada.page.locator("[data-seat].you .name")
        assert name in mine.inner_text()
        assert mine.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
