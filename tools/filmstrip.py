"""Films of a pass, accept, refuse, special card, two gifts, third penalty: a frame every 100 ms, as strips to look at.

A real server and a real browser, whose clock is held: it goes on by a tenth of a second for each frame, timers and
animations alike, however slow the machine is. Strips lie in build/filmstrips.
`filmstrip.py phone small desktop dark calm` takes the ones that are named.
"""

import base64
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from browser import ARGUMENTS, chromium
from scripted_players import Company

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "filmstrips"
SIZES = {"phone": (390, 844), "small": (320, 568), "desktop": (1280, 720)}
LUCK = "21"  # with four at a special table, the first of the shop is a special card
FRAME = 100
PEOPLE = ("Ben", "Casimir", "Dora", "Emil", "Frieda", "Gül", "Wolfgang-Maximilian")
# animations do not follow a held clock by themselves
HOLD = """() => {
  const since = new Map();
  const hold = (one) => { if (!since.has(one)) { one.pause(); since.set(one, performance.now()); } };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) { const one = animate.apply(this, how); hold(one); return one; };
  window.film = () => document.getAnimations().forEach((one) => {
    hold(one);
    one.currentTime = performance.now() - since.get(one);
  });
}"""
STYLE = """body { margin: 8px; background: #fff; font: 12px sans-serif; display: flex; flex-wrap: wrap; gap: 6px }
figure { margin: 0 } img { display: block; border: 1px solid #888 }"""


@contextmanager
def server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as data:
        options = ["--no-browser", "--port", "0", "--pace", "1", "--data", data]
        process = subprocess.Popen(
            [sys.executable, "-m", "notahat", "serve", *options],
            env={**os.environ, "NOTAHAT_LUCK": LUCK},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()
            process.wait()


class Film:
    """The camera of one screen. A strip is what it saw since the last one."""

    def __init__(self, page: Page, kind: str, width: int) -> None:
        self._page = page
        self._kind = kind
        self._shown = min(width // 2 + 40, 400)

    def take(self, name: str, seconds: float, begin: Callable[[], Any]) -> None:
        """Begin something, and film it."""
        begin()
        self._page.wait_for_function("() => document.querySelector('[data-beat]')?.dataset.beat !== 'present'")
        start = time.monotonic()
        frames: list[bytes] = []
        for number in range(round(seconds * 1000 / FRAME)):
            wait = start + number * FRAME / 1000 - time.monotonic()
            if wait > 0:  # not faster than the server, which has time of its own
                time.sleep(wait)
            self._page.evaluate("() => window.film()")
            frames.append(self._page.screenshot(type="jpeg", quality=70))
            self._page.clock.run_for(FRAME)
        self._write(name, frames)

    def _write(self, name: str, frames: list[bytes]) -> None:
        pictures = "".join(f"<figure>{n * FRAME} ms{self._picture(one)}</figure>" for n, one in enumerate(frames))
        sheet = self._page.context.browser.new_page(viewport={"width": 8 * (self._shown + 8) + 16, "height": 400})  # type: ignore[union-attr]
        sheet.set_content(f"<style>{STYLE}</style>{pictures}")
        sheet.screenshot(path=FOLDER / f"{name}-{self._kind}.png", full_page=True)
        sheet.close()

    def _picture(self, frame: bytes) -> str:
        return f"<img width={self._shown} src='data:image/jpeg;base64,{base64.b64encode(frame).decode()}'>"


class Stage:
    """Ada at the camera, and the others, who do as they are told."""

    def __init__(self, page: Page, url: str, company: Company, others: int = 3, **options: Any) -> None:
        self.page = page
        self.company = company
        code = company.open_table(*PEOPLE[:others], show_seconds=1, patience_seconds=0, starter=0, **options)
        page.clock.install()
        page.goto(f"{url}/t/{code}")
        page.locator("#name").fill("Ada")
        page.locator("form .button.act").click()
        page.locator("[data-chair].yours").wait_for()
        company.sit()
        company.host_does("start")
        page.locator("[data-do=draw]").wait_for()
        page.evaluate(HOLD)
        page.clock.pause_at(page.evaluate("() => Date.now() / 1000") + 10)

    def name(self, seat: int) -> str:
        return ("Ada", *PEOPLE)[seat]

    def give(self, claim: str) -> None:
        """Whoever is to give says it is this."""
        phase = self.company.phase("give")
        to = {"to": phase.receivers[-1]} if len(phase.receivers) > 1 else {}
        if phase.giver == 0:
            self.page.locator("[data-do=give]").click()
            if to:
                self.page.locator("[data-pick]").last.click()
            field = self.page.get_by_role("combobox")
            field.fill(claim)
            field.press("Enter")
            self.page.locator("[data-do=say_now]").click()
        else:
            self.company.do(self.name(phase.giver), "give", claim=claim, **to)

    def draw(self) -> None:
        phase = self.company.phase("draw")
        if phase.giver == 0:
            self.page.locator("[data-do=draw]").click()
        else:
            self.company.do(self.name(phase.giver), "draw")

    def answer(self, what: str) -> None:
        phase = self.company.phase("answer")
        if phase.receiver == 0:
            self.page.locator(f"[data-do={what}]").click()
        else:
            self.company.do(self.name(phase.receiver), what)

    @property
    def over(self) -> bool:
        return self.company.state.view.stage != "play"


def story(stage: Stage, film: Film) -> None:
    """A pass, two kinds of thank you, and refusals until the round is over."""
    film.take("1-draw-and-wrap", 3.4, stage.draw)
    settle(stage.page)
    film.take("2-offer", 1.6, lambda: stage.give("umbrella"))
    film.take("3-accept-open", 4.2, lambda: stage.answer("accept"))
    settle(stage.page)
    stage.give("kite")
    for _ in range(3):  # round the table, until whoever accepts has a wrapped gift at the bottom
        stage.answer("accept")
        stage.company.until(
            lambda now: now.view.round is not None and type(now.view.round.phase).__name__ == "GiveView"
        )
        settle(stage.page)
        stage.give("kite")
    settle(stage.page)
    film.take("4-accept-wrapped", 3.4, lambda: stage.answer("accept"))
    settle(stage.page)
    stage.give("hat")
    settle(stage.page)
    film.take("5-refuse", 4.6, lambda: stage.answer("refuse"))
    until_the_third(stage, film)


def until_the_third(stage: Stage, film: Film) -> None:
    while True:
        settle(stage.page)
        stage.draw()
        stage.company.phase("give")
        settle(stage.page)
        stage.give("umbrella")
        settle(stage.page)
        phase = stage.company.phase("answer")
        seats = stage.company.state.view.round.seats  # type: ignore[union-attr]
        most = max(len(seats[seat].penalties) for seat in (phase.giver, phase.receiver))
        if most == 2:
            film.take("6-third-penalty", 9.0, lambda: stage.answer("refuse"))
            if stage.over:
                return
        else:
            stage.answer("refuse")


def special(stage: Stage, film: Film) -> None:
    """A special card: anyone can be tapped to get it."""
    stage.draw()
    stage.company.phase("give")
    settle(stage.page)
    film.take("7-special", 1.6, lambda: stage.give("kite"))
    settle(stage.page)
    film.take("8-special-accepted", 3.4, lambda: stage.answer("accept"))


def two_gifts(stage: Stage, film: Film) -> None:
    """Two gifts each, eight at the table: three cards in a column while one goes."""
    stage.draw()
    stage.company.phase("give")
    settle(stage.page)
    stage.give("kite")
    settle(stage.page)
    film.take("9-two-gifts", 3.4, lambda: stage.answer("accept"))


SCENARIOS: tuple[tuple[Callable[[Stage, Film], None], dict[str, Any]], ...] = (
    (story, {}),
    (special, {"edition": "special", "special_cards": True}),
    (two_gifts, {"others": 7, "gifts_each": 2}),
)


def settle(page: Page) -> None:
    """Until what has happened so far is shown and done with."""
    for _ in range(8):
        page.wait_for_timeout(60)  # what the server has said arrives
        page.clock.run_for(3000)
    page.wait_for_function("() => document.querySelector('[data-beat]')?.dataset.beat === 'present'")
    page.evaluate("() => window.film()")


def shoot(browser: Browser, url: str, kind: str, size: tuple[int, int], **wishes: Any) -> None:
    for scenario, options in SCENARIOS:
        viewport: Any = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, locale="en-GB", **wishes)
        page = context.new_page()
        page.set_default_timeout(60_000)
        with Company(url) as company:
            stage = Stage(page, url, company, **options)
            scenario(stage, Film(page, kind, size[0]))
        context.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[1:]) or {*SIZES, "dark", "calm"}
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for kind, size in SIZES.items():
            if kind in wanted:
                shoot(browser, url, kind, size)
        if "dark" in wanted:
            shoot(browser, url, "phone-dark", SIZES["phone"], color_scheme="dark")
            shoot(browser, url, "desktop-dark", SIZES["desktop"], color_scheme="dark")
        if "calm" in wanted:
            shoot(browser, url, "phone-calm", SIZES["phone"], reduced_motion="reduce")
        browser.close()
    print(f"wrote {len(list(FOLDER.glob('*.png')))} strips to {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
