"""A guest with a real browser in a context of its own. Console errors and requests to other hosts fail the test.

The page records what passes by (`seen`, `record`). What is looked at stands still (`stop_clock`).
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from types import TracebackType
from typing import Any, Literal, TypeVar

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Request, expect

from support import failures
from support.scripts import call, load
from support.timeouts import TIMEOUT

PHONE = (390, 844)
DESKTOP = (1280, 720)
STEP_MS = 50  # of a stopped clock, while the test waits
_FIND = "([kind, text, from]) => window.record.findIndex((entry, n) => n >= from && entry[kind].includes(text))"
Wanted = TypeVar("Wanted")
expect.set_options(timeout=TIMEOUT * 1000)  # the default is five seconds


class BrowserGuest:
    """Opens the page and taps what it offers. Its browser keeps nothing for offline use, unless `service_workers` is
    "allow": for each new guest that takes a tenth of all processor time.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: tuple[int, int] = DESKTOP,
        lang: str = "en-GB",
        allow_errors: bool = False,
        take_back: bool = False,
        also: str | None = None,
        **context: Any,
    ) -> None:
        width, height = size
        self._url = url
        self._allowed = tuple(filter(None, (url, also, "blob:")))  # whose requests are not foreign
        self._forgiving = allow_errors  # a test that cuts the network causes console errors
        context = {"viewport": {"width": width, "height": height}, "service_workers": "block", **context}
        self._context = browser.new_context(locale=lang, **context)
        if not take_back:  # claims are sent at once
            self._context.add_init_script(call("skipPrompts"))
        self.errors: list[str] = []
        self.foreign_requests: list[str] = []
        self.requests: list[str] = []
        self._context.add_init_script(call("record"))
        self._has_clock = self.is_stopped = False
        self._found: dict[str, int] = {}  # the place in the record after the last entry found, by kind
        self.page = self.tab()
        self.page.on("domcontentloaded", lambda _: self._found.clear())

    def tab(self) -> Page:
        page = self._context.new_page()
        page.set_default_timeout(TIMEOUT * 1000)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._on_request)
        page.on("websocket", lambda socket: self._check_host(socket.url.replace("ws:", "http:", 1)))
        return page

    def __enter__(self) -> "BrowserGuest":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None:
            failures.keep_page(self.page, self.errors)
        self._context.close()
        if kind is None:
            assert self.foreign_requests == []
            assert self._forgiving or self.errors == [], self.errors

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "Service Worker registration blocked" not in message.text:
            self.errors.append(message.text)

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)
        self._check_host(request.url)

    def _check_host(self, url: str) -> None:
        if not url.startswith(self._allowed):
            self.foreign_requests.append(url)

    def resize(self, size: tuple[int, int]) -> None:
        """Resize the window and wait for the new layout: the observer added last is called last."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(f"() => innerWidth === {width} && innerHeight === {height}")
        self.page.evaluate(load("layoutDone"))

    def offline(self, offline: bool) -> None:
        self._context.set_offline(offline)

    def open(self, path: str = "/") -> "BrowserGuest":
        self.page.goto(self._url + path)
        self.page.locator("h1, [data-seat], [role=status]").first.wait_for(state="attached")
        return self

    def stop_clock(self) -> "BrowserGuest":
        """Stop the page's clock: only `step` and `until` advance it. Call this before a page is opened, or again after
        `start_clock`; the page then skips up to a second.
        """
        if not self._has_clock:
            self.page.clock.install()
        self._has_clock = True
        while not self.is_stopped:
            with suppress(Error):  # if it took longer than a second, the time has passed
                self.page.clock.pause_at(self.page.evaluate("() => Date.now() / 1000") + 1)
                self.is_stopped = True
        return self

    def start_clock(self) -> "BrowserGuest":
        self.page.clock.resume()
        self.is_stopped = False
        return self

    def step(self, ms: int) -> None:
        """Advance the stopped clock: all timers run that are due."""
        self.page.clock.run_for(ms)

    @property
    def record(self) -> list[dict[str, Any]]:
        """What was shown on this page so far: an entry for each change (tests/web/scripts/record.js)."""
        entries: list[dict[str, Any]] = self.page.evaluate("() => window.record")
        return entries

    def shown(self, kind: str) -> list[str]:
        """Return the texts of one kind that were shown on this page so far, in their order."""
        texts: list[str] = self.page.evaluate("(kind) => window.record.map((entry) => entry[kind])", kind)
        return [text for before, text in pairwise(["", *texts]) if text and text != before]

    def spoken(self) -> list[str]:
        """Return what a screen reader has spoken of this page so far."""
        texts: list[str] = self.page.evaluate("() => window.record.flatMap(({ said }) => said)")
        return texts

    def assert_spoken(self, *words: str) -> None:
        """Wait until a screen reader has spoken these words in this order."""
        spoken = re.compile(".*?".join(map(re.escape, words)), re.DOTALL)
        self.until(lambda: spoken.search(" ".join(self.spoken())), f"not spoken in this order: {words}")

    def seen(self, kind: str, *texts: str) -> None:
        """Wait until the record has these texts of a kind, in this order and after the last one that was found so."""
        for text in texts:
            after = [kind, text, self._found.get(kind, 0)]
            found = self.until(
                lambda after=after: 1 + self.page.evaluate(_FIND, after),  # type: ignore[misc]
                f"no {kind} {text!r} after the last one found",
            )
            self._found[kind] = found

    def headline(self, text: str) -> None:
        """Wait until the table's sentence says this, which stays."""
        expect(self.page.locator("[data-sentence]")).to_contain_text(text)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def set_name(self, name: str) -> None:
        self.page.locator("[data-how] summary").click()
        self.page.locator("label.name input").fill(name)
        self.page.locator("label.name input").blur()
        self.page.locator("[data-how] summary").click()

    def new_table(self, name: str = "Ada") -> str:
        """Open a table, sit down, and return its code with the key of the invitation."""
        self.open_lobby(name)
        self.page.wait_for_url("**/t/*-*")  # the key gets into the URL a moment after the lobby is drawn
        return self.page.url.rpartition("/")[2]

    def open_lobby(self, name: str = "Ada") -> None:
        """Open a table from the start page, and sit down."""
        self.open()
        self.set_name(name)
        self.page.locator("[data-new]").click()
        self.chairs(1)

    def open_in_one_room(self, kind: str) -> None:
        """Open a table on a tablet (`around`) or a big screen (`screen`) from the start page."""
        self.page.locator("[data-room]").click()
        self.page.locator(f"[data-open={kind}]").click()

    def join(self, code: str, name: str) -> "BrowserGuest":
        self.open(f"/t/{code}").sit(name)
        return self

    def sit(self, name: str) -> None:
        """Take a seat in the lobby that is shown."""
        self.page.locator("#name").fill(name)
        self.page.locator("form .button.act").click()
        self._wait(self.page.locator("[data-chair].yours"))

    def add_bots(self, count: int) -> None:
        for number in range(count):
            chairs = self.page.locator("[data-chair]").count()
            self.tap_empty_chair()
            self.page.locator(".tempers .button").nth(number % 8).click()
            self.chairs(chairs + 1)

    def tap_empty_chair(self) -> None:
        self.page.locator("[data-empty]").first.click()

    def seat_another(self, name: str) -> None:
        """Seat another player on this device."""
        chairs = self.page.locator("[data-chair]").count()
        self.tap_empty_chair()
        self.page.locator("#another").fill(name)
        self.page.locator("form:has(#another) .button").click()
        self.chairs(chairs + 1)

    def tap_chair(self, name: str) -> None:
        """Open the menu of a player in the lobby."""
        self.button(f"{name}: what to do").click()

    def chairs(self, count: int) -> None:
        self._wait(self.page.locator("[data-chair]").nth(count - 1))

    def choose(self, value: str) -> None:
        """Select this value of a table option."""
        self._open_variants().locator(f'select:has(option[value="{value}"])').first.select_option(value)

    def _open_variants(self) -> Locator:
        details = self.page.locator("details:has(select)")
        if not details.evaluate("element => element.open"):
            details.locator("summary").click()
        return details

    def begin(self, seat: int) -> None:
        """Choose who begins: the last select of the options."""
        self._open_variants().locator("select").last.select_option(str(seat))

    def start(self) -> None:
        self.page.locator(".start").click()
        self.at_table()

    def end_game(self, menu: str = "Menu") -> None:
        """End the game from the menu, which asks once."""
        self.button(menu).click()
        self.page.locator("[data-group=leave] [data-do=end_match]").click()
        self.page.locator("dialog dialog [data-do=end_match]").click()

    def at_table(self) -> None:
        self._wait(self.page.locator("[data-seat]").first)

    def play_now(self) -> None:
        self.open()
        self.page.locator(".now").click()
        self.at_table()

    def offers(self) -> set[str]:
        """Return what the action bar offers now, without waiting."""
        return set(self.page.evaluate(load("offeredActions")))

    def do(self, what: str) -> None:
        """Tap a button of the action bar as soon as it appears, and wait for its effect. Reveals are skipped."""
        wanted = self.page.locator(f"[data-actions] [data-do={what}]")
        self._skip_reveals_until(wanted)
        self.tap(f"[data-actions] [data-do={what}]")
        if what != "give":  # that only opens the picker
            self._wait(wanted, "detached")

    def tap(self, button: str | Locator) -> None:
        """Wait for a button, and until it takes presses: not when it has just appeared. Tap it."""
        wanted = self.page.locator(button) if isinstance(button, str) else button
        self._wait(wanted.and_(self.page.locator(":not([data-fresh])")))
        wanted.click()

    def go_on(self) -> None:
        """Skip a reveal, unless the page has already gone on by itself."""
        self.page.evaluate("() => document.querySelector('[data-do=go_on]')?.click()")

    def act(self, doubts: Callable[[], bool] = lambda: True, gift: str = "umb") -> str | None:
        """Do one thing that the page offers now, and return which."""
        offered = self.offers()
        if "on" in offered:
            self.go_on()
            return "on"
        if one := offered & {"draw", "ready"}:
            self.do(*one)
            return "draw"
        if "answer" in offered:
            answer = "refuse" if doubts() else "accept"
            self.do(answer)
            return answer
        if "give" in offered:
            return self.give(gift)
        return None

    def give(self, gift: str) -> str:
        """Claim a gift. If there are several receivers, the last of them gets it."""
        self.do("give")
        dialog, receivers = self.page.locator("dialog[open]"), self.page.locator("[data-pick]")
        self._wait(dialog.or_(receivers).first)
        kind = "give to one of several" if receivers.count() else "give"
        if receivers.count():
            receivers.last.click()
        field = dialog.get_by_role("combobox")
        field.fill(gift)
        field.press("Enter")
        self._wait(dialog, "detached")
        self._wait(self.page.locator("[data-do=give]"), "detached")
        return kind

    def visible_gift(self) -> str:
        """Return the name of a face-up gift: a claim of it is wrong."""
        return self.page.locator("[data-seat] .card .front[role=img]").first.get_attribute("aria-label") or ""

    def ended(self) -> None:
        """Wait for the results of a round."""
        self._skip_reveals_until(self.page.locator("main .go"))

    def _skip_reveals_until(self, wanted: Locator) -> None:
        either = wanted.or_(self.page.locator("[data-do=go_on]")).first
        self._wait(either, "attached")  # a guest who waits for a seat has no buttons at the end
        while wanted.count() == 0:
            self.go_on()
            self._wait(either, "attached")

    def _wait(self, locator: Locator, state: Literal["visible", "attached", "detached"] = "visible") -> None:
        """Wait for an element that stays, and let a stopped clock go on meanwhile."""
        if not self.is_stopped:
            locator.wait_for(state=state)
        elif state == "visible":
            self.until(locator.is_visible)
        else:
            self.until(lambda: (locator.count() > 0) == (state == "attached"))

    def until(self, wanted: Callable[[], Wanted], error: str = "timeout", passing: int = STEP_MS) -> Wanted:
        """Wait for a true value that stays, and return it. A stopped clock advances by `passing` ms each time."""
        deadline = time.monotonic() + TIMEOUT
        while not (found := wanted()):
            assert time.monotonic() < deadline, f"{error}; the page shows: {self.text()[:600]}"
            if self.is_stopped:
                self.step(passing)
            self.page.wait_for_timeout(5 if self.is_stopped else 40)
        return found

    def still(self) -> None:
        """Wait until no animation runs, except for countdowns."""
        self.page.wait_for_function(load("isStill"))

    def text(self) -> str:
        return self.page.locator("body").inner_text()

    @property
    def over(self) -> bool:
        return self.page.locator("main h1").count() > 0 and self.page.locator("[data-seat]").count() == 0


def play_until_over(people: list[BrowserGuest]) -> None:
    """Play until the round is over for all; every claim is doubted."""

    def over() -> bool:
        for one in people:
            one.act()
        return all(one.over for one in people)

    people[0].until(over)
