"""The tutorial: draw, give, accept and refuse, with hints for wrong moves."""

import re
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

SENTENCE_MS, TAP_MS, NAMING_MS, STEP_MS = 3000, 1000, 4000, 250  # a calm reader
PROMISED_MS = 130_000  # the first page says two minutes
IS_ON_TOP = """(text) => {
  const { x, y, width, height } = text.getBoundingClientRect();
  return y >= 0 && document.elementFromPoint(x + width / 2, y + height / 2) === text;
}"""
OFFERED = """() => {
  const has = (selector) => document.querySelector(`[data-actions] ${selector}`) !== null;
  if (has("[data-do=accept]")) return "answer";
  if (has("[data-do=give]")) return "give";
  return ["[data-do=go_on]", ".act"].find((button) => has(`${button}:not([data-fresh])`)) ?? "";
}"""


def test_tutorial_covers_every_kind_of_move(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        page = ada.stop_clock().open("/learn").page
        _skip_to(ada, "[data-do=draw]:focus:not([data-fresh])")
        page.keyboard.press("1")
        ada.seen("lesson", "Everyone sees the piano")
        _skip_to(ada, "[data-do=give]")
        ada.seen("lesson", "Its arrow points to Bo")
        _give(ada, "violin")
        ada.seen("lesson", "For now, say what it really is")
        _give(ada, "piano")
        ada.tap("[data-do=refuse]")
        ada.seen("lesson", "You saw Bo’s guitar")
        ada.tap("[data-do=accept]")
        ada.seen("lesson", "Your oldest gift must go")
        _mashing_presses_one_button(ada)
        _name(ada, "muffin")
        ada.tap("[data-do=accept]")
        ada.seen("lesson", "A violin it is not")
        ada.tap("[data-do=refuse]")
        _skip_to(ada, "[data-do=go_on]")
        coach = page.locator("header [role=status]")
        for size in ((320, 568), PHONE):
            ada.resize(size)
            expect(coach).to_contain_text("a penalty point for Cleo")
            assert coach.evaluate(IS_ON_TOP), "the close-up leaves the text visible"
        ada.tap("[data-do=go_on]")
        ada.tap("[data-actions] .act")
        ada.tap("[data-do=accept]")
        _skip_to(ada, "[data-do=give]")
        _give(ada, "hat")
        ada.seen("lesson", "six strings")
        _give(ada, "guitar")
        _skip_to(ada, "[data-do=refuse]")
        ada.tap("[data-do=accept]")
        ada.seen("lesson", "refuse it this once")
        ada.tap("[data-do=refuse]")
        _skip_to(ada, "[data-do=go_on]")
        ada.step(10_000)  # the reveal stays until it was read
        ada.tap("[data-do=go_on]")
        ada.seen("lesson", "You were wrong")
        ada.tap("[data-actions] .act")
        ada.seen("lesson", "Three of them end the round")
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
        ada.tap("[data-actions] .act")  # play for real
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
    assert {text for name, text in shown if name == "still"} == {""}, "nothing is told before it is seen"
    explained = [text for name, text in shown if name in ("breath", "stamp")]
    assert [text.partition(",")[0] for text in explained] == ["A hat"] * 2 + ["It’s the piano"] * 2


def _mashing_presses_one_button(ada: BrowserGuest) -> None:
    """The button in the place of a pressed one ignores keys and taps until they pause."""
    page, give = ada.page, ada.page.locator("[data-do=give]")
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


def _skip_to(ada: BrowserGuest, what: str) -> None:
    """Advance the page's clock until an element is there."""
    ada.until(lambda: ada.page.locator(what).count() > 0, f"no {what}", passing=1000)


def _give(ada: BrowserGuest, gift: str) -> None:
    ada.tap("[data-do=give]")
    _name(ada, gift)


def _name(ada: BrowserGuest, gift: str) -> None:
    field = ada.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")


def test_tutorial_takes_two_minutes_to_read_and_play(browser: Browser, site: ServerProcess) -> None:
    """A calm reader reads every sentence in three seconds, and none disappears before."""
    answers, claims = iter(("accept", "refuse", "accept", "refuse")), iter(("piano", "muffin", "guitar"))
    with BrowserGuest(browser, site.url, PHONE, take_back=True) as ada:
        page = ada.stop_clock().open("/learn").page
        page.locator("header [role=status]").wait_for()
        began, heights = page.evaluate("() => performance.now()"), set()
        while not ada.button("Play for real").count():
            offered = ada.until(lambda: page.evaluate(OFFERED), passing=STEP_MS)
            heights.add(page.locator("header").evaluate("header => header.offsetHeight"))
            ada.step(_unread(ada) + (NAMING_MS if offered == "give" else TAP_MS))
            if offered == "give":
                _give(ada, next(claims))
            elif offered == "answer":
                ada.tap(f"[data-do={next(answers)}]")
            else:
                page.locator(f"[data-actions] {offered}").click()
            ada.step(STEP_MS)
        ada.step(_unread(ada))
        texts = _lessons(ada)
        assert [text for text, ms in texts if ms < _reading_time(text) - STEP_MS] == []
        assert len(heights) == 1, "the table does not move with each text"
        assert page.evaluate("() => performance.now()") - began <= PROMISED_MS


def _reading_time(text: str) -> int:
    return SENTENCE_MS * len(re.findall(r"[.!?]+(?=\s|\W*$)", text))


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
