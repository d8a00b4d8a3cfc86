"""The tutorial: draw, give, accept and refuse, with hints for wrong moves, at the pace of a calm reader."""

import re
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

SENTENCE_MS, TAP_MS, NAMING_MS, STEP_MS = 3000, 1000, 4000, 250  # a calm reader
PROMISED_MS = 130_000  # the first page says two minutes
# the right move, a wrong one before it, and its hint
MOVES = (
    ("piano", "violin", "For now, say what it really is"),
    ("accept", "refuse", "You saw Bo’s guitar"),
    ("muffin", "", ""),
    ("refuse", "accept", "A violin it is not"),
    ("accept", "", ""),
    ("guitar", "hat", "six strings"),
    ("refuse", "accept", "refuse it this once"),
)
COACH, SUSPENSE = "header [role=status]", "Let’s see who was wrong."
IS_ON_TOP = """(text) => {
  const { x, y, width, height } = text.getBoundingClientRect();
  return y >= 0 && document.elementFromPoint(x + width / 2, y + height / 2) === text;
}"""
OFFERED = """() => {
  const has = (selector) => document.querySelector(`[data-actions] ${selector}`) !== null;
  if (has("[data-do=accept]") || has("[data-do=give]")) return "move";
  return ["[data-do=go_on]", ".act"].find((button) => has(`${button}:not([data-fresh])`)) ?? "";
}"""


def test_tutorial_covers_every_kind_of_move_in_two_minutes(browser: Browser, site: ServerProcess) -> None:
    """A calm reader reads every sentence in three seconds, and none disappears before."""
    moves = iter(MOVES)
    with BrowserGuest(browser, site.url, PHONE, take_back=True) as ada:
        page = ada.stop_clock().open("/learn").page
        page.locator(COACH).wait_for()
        began, hints, heights = page.evaluate("() => performance.now()"), 0, set()
        while not ada.button("Play for real").count():
            offered = ada.until(lambda: page.evaluate(OFFERED), passing=STEP_MS)
            heights.add(page.locator("header").evaluate("header => header.offsetHeight"))
            ada.step(_unread(ada))
            if offered == "move":
                right, wrong, hint = next(moves)
                hints += _move_wrongly(ada, wrong, hint) if wrong else 0
                _move(ada, right)
            elif "Your oldest gift must go" in page.locator(COACH).inner_text():
                _mashing_presses_one_button(ada)
            else:
                _close_up_leaves_text_visible(ada)
                ada.step(TAP_MS)
                page.locator(f"[data-actions] {offered}").click()
            ada.step(STEP_MS)
        ada.step(_unread(ada))
        assert [text for text, ms in _lessons(ada) if ms < _reading_time(text) - STEP_MS] == []
        assert len(heights) == 1, "the table does not move with each text"
        assert page.evaluate("() => performance.now()") - began - hints <= PROMISED_MS
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


def _move(ada: BrowserGuest, what: str) -> None:
    if what in ("accept", "refuse"):
        ada.step(TAP_MS)
        ada.tap(f"[data-do={what}]")
        return
    ada.step(NAMING_MS)
    ada.tap("[data-do=give]")
    field = ada.page.get_by_role("combobox")
    field.fill(what)
    field.press("Enter")
    ada.until(lambda: field.count() == 0, passing=1)


def _move_wrongly(ada: BrowserGuest, what: str, hint: str) -> int:
    """Return how long a wrong move and reading its hint takes."""
    before = ada.page.evaluate("() => performance.now()")
    _move(ada, what)
    ada.seen("lesson", hint)
    ada.step(_unread(ada))
    return int(ada.page.evaluate("() => performance.now()") - before)


def _mashing_presses_one_button(ada: BrowserGuest) -> None:
    """The button in the place of a pressed one ignores keys and taps for half a second."""
    page, give = ada.page, ada.page.locator("[data-do=give]")
    expect(page.locator("[data-actions] .act")).to_be_focused()
    page.keyboard.press("Enter")
    ada.until(lambda: give.count() == 1, passing=10)
    expect(give).to_be_focused()
    for key in ("Enter", "1", "tap"):
        if key == "tap":
            give.click(force=True)
        else:
            page.keyboard.press(key)
        ada.step(150)
        assert page.get_by_role("combobox").count() == 0
    ada.step(150)
    page.keyboard.press("1")
    expect(page.get_by_role("combobox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_have_count(0)


def _close_up_leaves_text_visible(ada: BrowserGuest) -> None:
    for size in ((320, 568), PHONE):
        ada.resize(size)
        assert ada.page.locator(COACH).evaluate(IS_ON_TOP)


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
    assert {text for name, text in shown if name == "still"} == {SUSPENSE}, "nothing is told before it is seen"
    explained = [text for name, text in shown if name in ("breath", "stamp")]
    assert [text.partition(",")[0] for text in explained] == ["A hat"] * 2 + ["It’s the piano"] * 2


def _reading_time(text: str) -> int:
    return 0 if text == SUSPENSE else SENTENCE_MS * len(re.findall(r"[.!?]+(?=\s|\W*$)", text))


def _unread(ada: BrowserGuest) -> int:
    """Return how long a calm reader still reads what is shown now."""
    text, shown_for = _lessons(ada)[-1]
    return max(0, _reading_time(text) - int(shown_for))


def _lessons(ada: BrowserGuest) -> list[tuple[str, float]]:
    """Return each text of the lesson, and for how many milliseconds it was shown."""
    entries = [(entry["lesson"], entry["at"]) for entry in ada.record]
    begun = [now for before, now in pairwise([("", 0.0), *entries]) if now[0] != before[0]]
    ends = [*(at for _, at in begun[1:]), ada.page.evaluate("() => performance.now()")]
    return [(text, end - at) for (text, at), end in zip(begun, ends, strict=True)]
