"""Take film strips of every kind of move, a frame every 100 ms, into build/filmstrips.

The page's clock is fake: timers and animations advance by 100 ms per frame, however slow the machine is.
`filmstrip.py phone small desktop dark calm` takes only the named strips.
"""

import base64
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from local_server import local_browser, local_server
from scripted_players import ScriptedPlayers

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "filmstrips"
SIZES = {"phone": (390, 844), "small": (320, 568), "desktop": (1280, 720)}
SEED = "21"  # with four players and the special edition, the first card of the shop is a special card
FRAME = 100
PEOPLE = ("Ben", "Casimir", "Dora", "Emil", "Frieda", "Gül", "Wolfgang-Maximilian")
# animations do not follow the fake clock by themselves
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


class Film:
    """Records strips of one page."""

    def __init__(self, page: Page, kind: str, width: int) -> None:
        self._page = page
        self._kind = kind
        self._shown = min(width // 2 + 40, 400)

    def record(self, name: str, seconds: float, start_move: Callable[[], Any]) -> None:
        start_move()
        self._page.wait_for_function("() => document.querySelector('[data-beat]')?.dataset.beat !== 'present'")
        start = time.monotonic()
        frames: list[bytes] = []
        for number in range(round(seconds * 1000 / FRAME)):
            wait = start + number * FRAME / 1000 - time.monotonic()
            if wait > 0:  # not faster than the server's clock
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


class FilmedTable:
    """A table with Ada in the browser and scripted players."""

    def __init__(self, page: Page, url: str, players: ScriptedPlayers, others: int = 3, **options: Any) -> None:
        self.page = page
        self.players = players
        code = players.open_table(*PEOPLE[:others], show_seconds=1, patience_seconds=0, starter=0, **options)
        page.clock.install()
        page.goto(f"{url}/t/{code}")
        page.locator("#name").fill("Ada")
        page.locator("form .button.act").click()
        page.locator("[data-chair].yours").wait_for()
        players.sit()
        players.do_as_host("start")
        page.locator("[data-do=draw]").wait_for()
        page.evaluate(HOLD)
        page.clock.pause_at(page.evaluate("() => Date.now() / 1000") + 10)

    def name(self, seat: int) -> str:
        return ("Ada", *PEOPLE)[seat]

    def give(self, claim: str) -> None:
        """Let the giver claim this gift."""
        phase = self.players.phase("give")
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
            self.players.do(self.name(phase.giver), "give", claim=claim, **to)

    def draw(self) -> None:
        phase = self.players.phase("draw")
        if phase.giver == 0:
            self.page.locator("[data-do=draw]").click()
        else:
            self.players.do(self.name(phase.giver), "draw")

    def answer(self, what: str) -> None:
        phase = self.players.phase("answer")
        if phase.receiver == 0:
            self.page.locator(f"[data-do={what}]").click()
        else:
            self.players.do(self.name(phase.receiver), what)

    @property
    def over(self) -> bool:
        return self.players.state.view.stage != "play"


def basic_moves(table: FilmedTable, film: Film) -> None:
    """A pass, two kinds of acceptance, and refusals until the round is over."""
    film.record("1-draw-and-wrap", 3.4, table.draw)
    settle(table.page)
    film.record("2-offer", 1.6, lambda: table.give("umbrella"))
    film.record("3-accept-open", 4.2, lambda: table.answer("accept"))
    settle(table.page)
    table.give("kite")
    for _ in range(3):  # until the receiver's oldest gift is wrapped
        table.answer("accept")
        table.players.until(
            lambda now: now.view.round is not None and type(now.view.round.phase).__name__ == "GiveView"
        )
        settle(table.page)
        table.give("kite")
    settle(table.page)
    film.record("4-accept-wrapped", 3.4, lambda: table.answer("accept"))
    settle(table.page)
    table.give("hat")
    settle(table.page)
    film.record("5-refuse", 4.6, lambda: table.answer("refuse"))
    refuse_until_over(table, film)


def refuse_until_over(table: FilmedTable, film: Film) -> None:
    while True:
        settle(table.page)
        table.draw()
        table.players.phase("give")
        settle(table.page)
        table.give("umbrella")
        settle(table.page)
        phase = table.players.phase("answer")
        seats = table.players.state.view.round.seats  # type: ignore[union-attr]
        most = max(len(seats[seat].penalties) for seat in (phase.giver, phase.receiver))
        if most == 2:
            film.record("6-third-penalty", 9.0, lambda: table.answer("refuse"))
            if table.over:
                return
        else:
            table.answer("refuse")


def special_card(table: FilmedTable, film: Film) -> None:
    """A special card goes to any player."""
    table.draw()
    table.players.phase("give")
    settle(table.page)
    film.record("7-special", 1.6, lambda: table.give("kite"))
    settle(table.page)
    film.record("8-special-accepted", 3.4, lambda: table.answer("accept"))


def two_gifts(table: FilmedTable, film: Film) -> None:
    """Eight players with two gifts each: up to three cards in a column."""
    table.draw()
    table.players.phase("give")
    settle(table.page)
    table.give("kite")
    settle(table.page)
    film.record("9-two-gifts", 3.4, lambda: table.answer("accept"))


SCENARIOS: tuple[tuple[Callable[[FilmedTable, Film], None], dict[str, Any]], ...] = (
    (basic_moves, {}),
    (special_card, {"edition": "special", "special_cards": True}),
    (two_gifts, {"others": 7, "gifts_each": 2}),
)


def settle(page: Page) -> None:
    """Let the page show everything that has happened so far."""
    for _ in range(8):
        page.wait_for_timeout(60)  # messages arrive
        page.clock.run_for(3000)
    page.wait_for_function("() => document.querySelector('[data-beat]')?.dataset.beat === 'present'")
    page.evaluate("() => window.film()")


def record_all(browser: Browser, url: str, kind: str, size: tuple[int, int], **context_options: Any) -> None:
    for scenario, options in SCENARIOS:
        viewport: Any = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, locale="en-GB", **context_options)
        page = context.new_page()
        page.set_default_timeout(60_000)
        with ScriptedPlayers(url) as players:
            table = FilmedTable(page, url, players, **options)
            scenario(table, Film(page, kind, size[0]))
        context.close()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[1:]) or {*SIZES, "dark", "calm"}
    with local_server(1.0, NOTAHAT_LUCK=SEED) as server, local_browser() as browser:
        for kind, size in SIZES.items():
            if kind in wanted:
                record_all(browser, server.url, kind, size)
        if "dark" in wanted:
            record_all(browser, server.url, "phone-dark", SIZES["phone"], color_scheme="dark")
            record_all(browser, server.url, "desktop-dark", SIZES["desktop"], color_scheme="dark")
        if "calm" in wanted:
            record_all(browser, server.url, "phone-calm", SIZES["phone"], reduced_motion="reduce")
    print(f"wrote {len(list(FOLDER.glob('*.png')))} strips to {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
