"""The tutorial: draw, give, accept and refuse, with hints for wrong moves."""

import re
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

SENTENCE_MS, TAP_MS, NAMING_MS, STEP_MS = 3000, 1000, 4000, 250  # a calm reader
PROMISED_MS = 125_000  # the first page says two minutes
OFFERED = """() => {
  const has = (selector) => document.querySelector(`[data-actions] ${selector}`) !== null;
  if (has("[data-do=accept]")) return "answer";
  if (has("[data-do=give]")) return "give";
  return ["[data-do=go_on]", ".act"].find((button) => has(`${button}:not([data-fresh])`)) ?? "";
}"""


def test_tutorial_covers_every_kind_of_move(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.stop_clock().start_clock()
        ada.open("/learn")
        page = ada.page
        told = page.locator("header [role=status]")
        _skip_to(ada, "[data-do=draw]:focus:not([data-fresh])")
        page.keyboard.press("1")
        told.get_by_text("Everyone sees the piano").wait_for()
        _skip_to(ada, "[data-do=give]")
        told.get_by_text("Its arrow points to Bo").wait_for()
        _give(ada, "violin")
        told.get_by_text("For now, say what it really is").wait_for()
        _give(ada, "piano")
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=refuse]").click()
        told.get_by_text("You saw Bo’s guitar").wait_for()
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("Your oldest gift must go").wait_for()
        _mashing_presses_one_button(ada)
        _name(ada, "muffin")
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("A violin it is not").wait_for()
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=refuse]").click()
        _skip_to(ada, "[data-do=go_on]")
        page.locator("[data-do=go_on]").click()
        told.get_by_text("a penalty point").wait_for()
        _skip_to(ada, "[data-actions] .act")
        ada.button("Continue").click()
        _skip_to(ada, "[data-do=accept]")
        page.locator("[data-do=accept]").click()
        _skip_to(ada, "[data-do=give]")
        _give(ada, "hat")
        told.get_by_text("six strings").wait_for()
        _give(ada, "guitar")
        _skip_to(ada, "[data-do=refuse]")
        page.locator("[data-do=accept]").click()
        told.get_by_text("refuse it this once").wait_for()
        page.locator("[data-do=refuse]").click()
        _skip_to(ada, "[data-do=go_on]")
        ada.step(10_000)  # the reveal stays until it was read
        page.locator("[data-do=go_on]").click()
        told.get_by_text("You were wrong").wait_for()
        _skip_to(ada, "[data-actions] .act:not([data-fresh])")
        ada.button("Continue").click()
        told.get_by_text("Three of them end the round").wait_for()
        _texts_belong_to_what_moves(ada.record)
        ada.assert_spoken(
            "You draw a gift. A piano.",
            "Bo says thank you.",
            "Bo to you: I have a nice guitar for you.",
            "You refuse. It is turned over. A hat.",
            "A penalty point for Cleo.",
            "Cleo draws a gift. An umbrella.",
            "Cleo to Bo: I have a nice umbrella for you.",
            "Bo to you: I have a nice umbrella for you.",
        )
        ada.button("Play for real").click()
        expect(page.locator("[data-seat]")).to_have_count(4)
        page.go_back()
        expect(page.locator("[data-back]")).to_be_visible()  # the first page, which leads back to the game


def _texts_belong_to_what_moves(beats: list[dict[str, Any]]) -> None:
    """The text comes with its move, neither later nor, before a reveal, too early."""
    shown = [
        (now["beat"], now["lesson"]) for before, now in pairwise(beats) if now["beat"] and now["beat"] != before["beat"]
    ]
    for beat, texts in {
        "rises": ["Everyone sees the piano", "Then they draw"],
        "thanks": ["Bo says thank you", "Now you have one too many", "Cleo says thank you", "Then they draw"],
        "travels": ["Only Bo answers", "You saw it", "Cleo thinks it over", "Cleo calls her hat", "Then they draw"],
    }.items():
        found = [text for name, text in shown if name == beat]
        for text, start in zip(found, texts, strict=False):
            assert text.startswith(start), (beat, found)
    assert {text for name, text in shown if name in ("still", "breath", "stamp")} == {""}


def _mashing_presses_one_button(ada: BrowserGuest) -> None:
    """The button in the place of a pressed one ignores keys and taps until they pause."""
    page, give = ada.page, ada.page.locator("[data-do=give]")
    ada.stop_clock()
    _skip_to(ada, "[data-actions] .act:focus:not([data-fresh])")
    page.keyboard.press("Enter")
    ada.until(lambda: give.count() == 1, passing=10)
    expect(give).to_be_focused()
    for key in ("Enter", "1", "tap"):
        if key == "tap":
            give.click(force=True)
        else:
            page.keyboard.press(key)
        ada.step(500)
        assert page.get_by_role("combobox").count() == 0
    ada.step(100)
    page.keyboard.press("1")
    expect(page.get_by_role("combobox")).to_be_visible()
    ada.start_clock()


def _skip_to(ada: BrowserGuest, what: str) -> None:
    """Advance the page's clock until an element is there."""
    for _ in range(60):
        if ada.page.locator(what).count() > 0:
            return
        ada.step(1000)
    raise AssertionError(f"no {what}: {ada.text()}")


def _give(ada: BrowserGuest, gift: str) -> None:
    ada.page.locator("[data-do=give]").click()
    _name(ada, gift)


def _name(ada: BrowserGuest, gift: str) -> None:
    field = ada.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")


def test_tutorial_takes_two_minutes_to_read_and_play(browser: Browser, site: ServerProcess) -> None:
    """A calm reader reads every sentence in three seconds, and none disappears before."""
    answers, claims = iter(("accept", "refuse", "accept", "refuse")), iter(("piano", "muffin", "guitar"))
    with BrowserGuest(browser, site.url, PHONE, take_back=True) as ada:
        page = ada.page
        ada.stop_clock().start_clock()
        ada.open("/learn")
        page.locator("header [role=status]").wait_for()
        ada.stop_clock()
        passed, unread, text, revealed, cut = 0, 0, "", False, []
        heights = set()
        while not ada.button("Play for real").count() or unread > 0:
            assert passed < 2 * PROMISED_MS, text
            now = page.locator("header [role=status]").inner_text()
            heights.add(page.locator("header").evaluate("header => header.offsetHeight"))
            if now != text:
                cut += [text] if unread > STEP_MS else []
                text, unread = now, SENTENCE_MS * len(re.findall(r"[.!?]+(?=\s|\W*$)", now))
            if page.locator("[data-do=go_on]").count() and not revealed:
                unread += SENTENCE_MS * 2  # "A hat! Cleo keeps this gift."
            revealed = page.locator("[data-do=go_on]").count() > 0
            if unread <= 0 and (offered := page.evaluate(OFFERED)):
                passed += _run(ada, NAMING_MS if offered == "give" else TAP_MS)
                if offered == "give":
                    _give(ada, next(claims))
                elif offered == "answer":
                    page.locator(f"[data-do={next(answers)}]").click()
                else:
                    page.locator(f"[data-actions] {offered}").click()
            passed += _run(ada, STEP_MS)
            unread -= STEP_MS
        assert cut == []
        assert len(heights) == 1, "the table does not move with each text"
        assert passed <= PROMISED_MS


def _run(ada: BrowserGuest, ms: int) -> int:
    ada.step(ms)
    return ms
