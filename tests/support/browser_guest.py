"""People with a real browser, each in a context of their own, watched for errors and for requests that leave home."""

import re
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

PHONE = (390, 844)
DESKTOP = (1280, 720)
PATIENCE = 60.0
expect.set_options(timeout=PATIENCE * 1000)  # its own patience ends after five seconds

_LAID_OUT = """() => new Promise((done) => {
  new ResizeObserver((_, self) => { self.disconnect(); done(); }).observe(document.documentElement);
})"""


class Visitor:
    """Somebody who opens the page and taps what it offers."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: tuple[int, int] = DESKTOP,
        lang: str = "en-GB",
        forgiving: bool = False,
        takes_back: bool = False,
        **context: Any,
    ) -> None:
        width, height = size
        self._url = url
        self._forgiving = forgiving  # where the network is cut on purpose, the browser complains
        self._context = browser.new_context(viewport={"width": width, "height": height}, locale=lang, **context)
        if not takes_back:  # claims are sent at once, as whoever is in a hurry may choose
            self._context.add_init_script(_IN_A_HURRY)
        self.errors: list[str] = []
        self.strangers: list[str] = []
        self.requests: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        page = self._context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)
        page.on("websocket", lambda socket: self._left_home(socket.url.replace("ws:", "http:", 1)))
        return page

    def __enter__(self) -> "Visitor":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._context.close()
        if kind is None:
            assert self.strangers == []
            assert self._forgiving or self.errors == [], self.errors

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        self._left_home(request.url)

    def _left_home(self, url: str) -> None:
        if not url.startswith((self._url, "blob:")):
            self.strangers.append(url)

    def resize(self, size: tuple[int, int]) -> None:
        """A window of another size, and everything in it laid out anew: who watches last is told last."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(f"() => innerWidth === {width} && innerHeight === {height}")
        self.page.evaluate(_LAID_OUT)

    def offline(self, cut: bool) -> None:
        self._context.set_offline(cut)

    def open(self, path: str = "/") -> "Visitor":
        self.page.goto(self._url + path)
        self.page.locator("h1, [data-seat], [role=status]").first.wait_for(state="attached")
        return self

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def call_oneself(self, name: str) -> None:
        self.page.locator("label.name input").fill(name)
        self.page.locator("label.name input").blur()

    def new_table(self, name: str = "Ada") -> str:
        """Open a table and sit down; says its code."""
        self.open()
        self.call_oneself(name)
        self.page.locator("[data-new]").click()
        self.chairs(1)
        return self.page.url.rpartition("/")[2]

    def join(self, code: str, name: str) -> "Visitor":
        self.open(f"/t/{code}")
        self.page.locator("#name").fill(name)
        self.page.locator("form .button.act").click()
        self.page.locator("[data-chair].yours").wait_for()
        return self

    def add_bots(self, count: int) -> None:
        for number in range(count):
            chairs = self.page.locator("[data-chair]").count()
            self.tap_empty_chair()
            self.page.locator(".tempers .button").nth(number % 8).click()
            self.chairs(chairs + 1)

    def tap_empty_chair(self) -> None:
        self.page.locator("[data-empty]").first.click()

    def seat_here(self, name: str) -> None:
        """Somebody else sits down on this device."""
        chairs = self.page.locator("[data-chair]").count()
        self.tap_empty_chair()
        self.page.locator("#another").fill(name)
        self.page.locator("form:has(#another) .button").click()
        self.chairs(chairs + 1)

    def tap_chair(self, name: str) -> None:
        """What may be done about somebody in the lobby."""
        self.button(f"{name}: what to do").click()

    def chairs(self, count: int) -> None:
        self.page.locator("[data-chair]").nth(count - 1).wait_for()

    def choose(self, value: str) -> None:
        """Set the option of the table that has this value."""
        self._open_variants().locator(f'select:has(option[value="{value}"])').first.select_option(value)

    def _open_variants(self) -> Locator:
        details = self.page.locator("details:has(select)")
        if not details.evaluate("element => element.open"):
            details.locator("summary").click()
        return details

    def begin(self, seat: int) -> None:
        """Choose who begins: the last of the variants."""
        self._open_variants().locator("select").last.select_option(str(seat))

    def start(self) -> None:
        self.page.locator(".start").click()
        self.at_table()

    def at_table(self) -> None:
        self.page.locator("[data-seat]").first.wait_for()

    def play_now(self) -> None:
        self.open()
        self.page.locator(".now").click()
        self.at_table()

    def offers(self) -> set[str]:
        """What the action bar offers now, without waiting for anything."""
        return set(self.page.evaluate(_OFFERS))

    def do(self, what: str) -> None:
        """Tap a button of the action bar as soon as it is there, and see that it was heard. What was turned over
        before is not waited out.
        """
        wanted = self.page.locator(f"[data-actions] [data-do={what}]")
        there = wanted.or_(self.page.locator("[data-do=go_on]"))
        there.first.wait_for()
        while wanted.count() == 0:
            self.go_on()
            there.first.wait_for()
        wanted.click()
        if what != "give":  # that only opens the picker
            wanted.wait_for(state="detached")

    def go_on(self) -> None:
        """Go on after a gift was turned over, unless the page just did by itself."""
        self.page.evaluate("() => document.querySelector('[data-do=go_on]')?.click()")

    def act(self, doubts: Callable[[], bool] = lambda: True, gift: str = "umb") -> str | None:
        """Do one thing that the page offers now; says which."""
        offered = self.offers()
        if "on" in offered:
            self.go_on()
            return "on"
        if "draw" in offered:
            self.do("draw")
            return "draw"
        if "answer" in offered:
            answer = "refuse" if doubts() else "accept"
            self.do(answer)
            return answer
        if "give" in offered:
            return self.give(gift)
        return None

    def give(self, gift: str) -> str:
        """Name a gift; where there are several receivers, the last of them gets it."""
        self.do("give")
        dialog, receivers = self.page.locator("dialog[open]"), self.page.locator("[data-pick]")
        dialog.or_(receivers).first.wait_for()
        kind = "give to one of several" if receivers.count() else "give"
        if receivers.count():
            receivers.last.click()
        field = dialog.get_by_role("combobox")
        field.fill(gift)
        field.press("Enter")
        dialog.wait_for(state="detached")
        self.page.locator("[data-do=give]").wait_for(state="detached")
        return kind

    def lying_open(self) -> str:
        """The name of a gift that lies open in front of somebody: whoever claims it now cannot be right."""
        return self.page.locator("[data-seat] .card .front[role=img]").first.get_attribute("aria-label") or ""

    def ended(self) -> None:
        """Wait for the last page of a round."""
        end = self.page.locator("main .go")
        end.or_(self.page.locator("[data-do=go_on]")).first.wait_for()
        while end.count() == 0:
            self.go_on()
            end.or_(self.page.locator("[data-do=go_on]")).first.wait_for()

    def until(self, wanted: Callable[[], bool], seconds: float = PATIENCE, passing: int = 0) -> None:
        """Wait until it is so. On a page whose clock is held, as many milliseconds pass each time."""
        deadline = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < deadline, f"waited in vain; the page says: {self.text()[:600]}"
            if passing:
                self.page.clock.run_for(passing)
            self.page.wait_for_timeout(10 if passing else 40)

    def still(self) -> None:
        """Wait until nothing moves any more, but for clocks that run down slowly."""
        self.page.wait_for_function(_STILL)

    def text(self) -> str:
        return self.page.locator("body").inner_text()

    @property
    def over(self) -> bool:
        return self.page.locator("main h1").count() > 0 and self.page.locator("[data-seat]").count() == 0


_IN_A_HURRY = """try {
  const kept = JSON.parse(localStorage.getItem("notahat") ?? "{}");
  localStorage.setItem("notahat", JSON.stringify({ takeBack: false, asked: true, ...kept }));
} catch { /* a page without a shelf */ }"""

_STILL = """() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen(
  !document.querySelector("main[data-beat]:not([data-beat=present])") &&
  document.getAnimations().every((one) => one.playState !== "running" || one.effect.getComputedTiming().endTime > 2000)
))))"""

_OFFERS = """() => {
  const bar = document.querySelector("[data-actions]");
  if (!bar || document.querySelector("dialog[open]")) return [];
  const found = [];
  if (bar.querySelector("[data-do=go_on]")) found.push("on");
  if (bar.querySelector("[data-do=draw]")) found.push("draw");
  if (bar.querySelector("[data-do=give]")) found.push("give");
  if (bar.querySelector("[data-do=accept]")) found.push("answer");
  return found;
}"""
