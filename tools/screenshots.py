"""Pictures of the main states, as people see them: build/screenshots, two sizes, light and dark;
and of a TV with phones, and a tablet, in one room.

A real server with known luck, a real browser and four computer players: the same game every time.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Error, Page, sync_playwright

from browser import ARGUMENTS, chromium

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
SIZES = {"phone": (390, 844), "desktop": (1280, 720)}
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PACE = "6"
LUCK = "7"
FAMILY = ("Ada", "Ben", "Cleo", "Dora")
SAID = ("teapot", "umbrella", "kite", "candle", "cactus", "snail")
PASSES = 5  # before a decision is worth a picture, some gifts should be wrapped


@contextmanager
def server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as data:
        command = [
            sys.executable,
            "-m",
            "notahat",
            "serve",
            "--no-browser",
            "--port",
            "0",
            "--pace",
            PACE,
            "--data",
            data,
        ]
        known = {**os.environ, "NOTAHAT_LUCK": LUCK}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=known)
        assert process.stdout is not None
        try:
            yield process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()
            process.wait()


class Camera:
    """One person's browser, and a name for everything it shows."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page = page
        self._kind = kind

    def shoot(self, state: str, full: bool = False, after: int = 350) -> None:
        self.page.wait_for_timeout(after)
        self.page.screenshot(path=FOLDER / f"{state}-{self._kind}.png", full_page=full)

    def there(self, what: str) -> bool:
        return self.page.locator(what).count() > 0

    def tap(self, what: str) -> None:
        with suppress(Error):  # it was gone before the finger was there
            self.page.locator(what).click(timeout=1000)

    def label(self, what: str) -> str:
        return self.page.locator(what).first.get_attribute("aria-label") or ""

    def text(self, what: str) -> str:
        return self.page.locator(what).inner_text()

    def wait(self, what: str) -> None:
        self.page.locator(what).first.wait_for()


def tour(camera: Camera, url: str) -> None:
    page = camera.page
    page.goto(url)
    camera.wait("h1")
    page.locator("label.name input").fill("Ada")
    camera.shoot("door")
    for path in ("rules", "learn"):
        page.goto(f"{url}/{path}")
        camera.wait("h1, [data-seat]")
        camera.shoot(path)
    page.goto(url)
    page.locator("[data-new]").click()
    camera.wait("[data-empty]")
    camera.shoot("invitation", full=True)
    for number in range(4):
        page.locator("[data-empty]").first.click()
        page.locator(".tempers .button").nth((number * 2 + 1) % 8).click()
        page.locator("[data-chair]").nth(number + 1).wait_for()
    camera.shoot("lobby", full=True)
    page.locator("details:has(select) summary").click()
    page.locator("details select").last.select_option("0")
    page.locator(".start").click()
    camera.wait("[data-do=draw]")
    camera.shoot("look")
    drawn = camera.label(".shop [role=img]")
    page.locator("[data-do=draw]").click()
    camera.wait("[data-air]")
    camera.shoot("drawn", after=0)
    camera.wait("[data-do=give]")
    play(camera, drawn)
    camera.wait("#opened")
    camera.shoot("end", full=True)


def play(camera: Camera, drawn: str) -> None:
    """Speak the truth as well as one can, believe for a while, then doubt everything; pictures on the way."""
    answers, shot = 0, set[str]()
    mine = [drawn, camera.label("[data-seat].you .card [role=img]")]  # what to give first
    until = time.monotonic() + 150
    while not camera.there("main .go") and time.monotonic() < until:
        if camera.there("[data-do=go_on]"):
            if "reveal" not in shot:
                camera.shoot("reveal")
                shot.add("reveal")
            camera.tap("[data-do=go_on]")
        elif camera.there("[data-do=draw]"):
            mine.insert(0, camera.label(".shop [role=img]"))
            camera.tap("[data-do=draw]")
        elif camera.there("[data-do=give]"):
            with suppress(Error):  # it was given a moment ago
                give(camera, shot, mine[0])
                mine.pop(0)
        elif camera.there("[data-do=accept]"):
            answers += 1
            if answers == PASSES:
                camera.shoot("decide")
            if answers < PASSES:
                mine.append(re.sub("^(That’s not an?|Those aren’t) |!$", "", camera.text("[data-do=refuse]")))
            camera.tap("[data-do=accept]" if answers < PASSES else "[data-do=refuse]")
        camera.page.wait_for_timeout(400)


def give(camera: Camera, shot: set[str], gift: str) -> None:
    if "announce" not in shot:
        camera.shoot("announce")
    camera.page.locator("[data-do=give]").click(timeout=1000)
    if "announce" not in shot:
        camera.shoot("picker")
        shot.add("announce")
    field = camera.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")


def album(browser: Browser, url: str) -> None:
    for size, (width, height) in SIZES.items():
        for light in LIGHTS:
            viewport = {"width": width, "height": height}
            context = browser.new_context(viewport=viewport, color_scheme=light, locale="en-GB")  # type: ignore[arg-type]
            tour(Camera(context.new_page(), f"{size}-{light}"), url)
            context.close()


def in_one_room(browser: Browser, url: str) -> None:
    """A big screen and a phone for each; and a tablet that lies on the table."""

    def camera(kind: str, width: int, height: int) -> Camera:
        return Camera(browser.new_page(viewport={"width": width, "height": height}, locale="en-GB"), kind)

    screen = camera("tv", 1920, 1080)
    screen.page.goto(url)
    screen.page.locator("[data-open=screen]").click()
    screen.wait(".code")
    phones = [camera("phone", 390, 844) for _ in FAMILY]
    for phone, name in zip(phones, FAMILY, strict=True):
        phone.page.goto(f"{url}/t/{screen.text('.code')}")
        phone.page.locator("#name").fill(name)
        phone.page.locator("form .button.act").click()
        phone.wait("[data-chair].yours")
    screen.page.locator("[data-chair]").nth(len(FAMILY) - 1).wait_for()
    screen.shoot("screen-arrive")
    screen.page.locator("[data-do=start]").click()
    for phone in phones:
        phone.wait("[data-controller]")
    around_a_screen(screen, phones)
    screen.shoot("screen-end", after=1200)
    tablet = camera("tablet", 1024, 768)
    tablet.page.goto(url)
    tablet.page.locator("[data-open=around]").click()
    for number, name in enumerate(FAMILY):
        tablet.page.locator("#name").fill(name)
        tablet.page.locator("#name").press("Enter")
        tablet.page.locator("[data-chair]").nth(number).wait_for()
    tablet.page.locator(".start").click()
    for move in ("draw", "pass", "accept", "pass"):
        tablet.page.locator(f"[data-do={move}]").click()
        tablet.page.locator("[data-do=now]").click()
    tablet.wait("[data-do=accept]")
    tablet.shoot("tablet")


def around_a_screen(screen: Camera, phones: list[Camera]) -> None:
    """What is said is believed for a while; then nothing is any more."""
    answers, said, shot = 0, iter(SAID * 9), set[str]()
    until = time.monotonic() + 150
    while not screen.there("[data-over]") and time.monotonic() < until:
        for phone in phones:
            if phone.there("[data-do=draw]"):
                phone.tap("[data-do=draw]")
            elif phone.there("[data-do=give]"):
                phone.tap("[data-do=give]")
                field = phone.page.get_by_role("combobox")
                field.fill(next(said))
                field.press("Enter")
                phone.tap("[data-actions] .act")  # no need for second thoughts
            elif phone.there("[data-do=accept]"):
                answers += 1
                if answers == PASSES:
                    screen.shoot("screen-claim", after=600)
                    phone.shoot("controller")
                phone.tap("[data-do=accept]" if answers < PASSES else "[data-do=refuse]")
        if screen.there("[data-beat=stamp]") and "reveal" not in shot:
            screen.shoot("screen-reveal", after=0)
            shot.add("reveal")
        screen.page.wait_for_timeout(60)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = chromium()
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        album(browser, url)
        in_one_room(browser, url)
        browser.close()
    print(f"wrote {len(list(FOLDER.glob('*.png')))} pictures to {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
