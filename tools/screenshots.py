"""Take screenshots of the main states into build/screenshots: two sizes, light and dark; a TV with phones; a tablet.

Five of them are the README's pictures in docs/pictures, three those that installation dialogs show, in
web/public/screenshots. The server has a seed, so the game is the same every time.
"""

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Error, Page

from local_server import local_browser, local_server

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
README_PICTURES = {
    "table": "decide-desktop-light",
    "phone": "decide-phone-light",
    "screen": "screen-claim-tv",
    "controller": "controller-phone",
    "tablet": "tablet-tablet",
}
APP_PICTURES = {
    "door-phone": "door-phone-light",
    "table-phone": "decide-phone-light",
    "table-desktop": "decide-desktop-light",
}
MOST_APP_BYTES = 80_000
SIZES = {"phone": (390, 844), "desktop": (1280, 720)}
SCALES = {"phone": 2, "desktop": 1}
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PACE = 6.0
SEED = "7"
NAMES = ("Ada", "Ben", "Cleo", "Dora")
CLAIMS = ("teapot", "umbrella", "kite", "candle", "cactus", "snail")
ACCEPTED = 5  # answers before refusals begin: a decision is worth a picture when some gifts are wrapped


class Camera:
    """One player's page, and the suffix of its pictures."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page = page
        self._kind = kind

    def shoot(self, state: str, full: bool = False, after: int = 350) -> None:
        self.page.wait_for_timeout(after)
        self.page.screenshot(path=FOLDER / f"{state}-{self._kind}.png", full_page=full)

    def has(self, what: str) -> bool:
        return self.page.locator(what).count() > 0

    def tap(self, what: str) -> None:
        with suppress(Error):  # it disappeared before the click
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
    page.locator("[data-how] summary").click()
    page.locator("label.name input").fill("Ada")
    page.locator("[data-how] summary").click()
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
    """Claim what was seen, accept for a while, then refuse everything; take pictures on the way."""
    answers, taken = 0, set[str]()
    mine = [drawn, camera.label("[data-seat].you .card [role=img]")]  # own gifts, oldest first
    deadline = time.monotonic() + 150
    while not camera.has("main .go") and time.monotonic() < deadline:
        if camera.has("[data-do=go_on]"):
            if "reveal" not in taken:
                camera.shoot("reveal")
                taken.add("reveal")
            camera.tap("[data-do=go_on]")
        elif camera.has("[data-do=draw]"):
            mine.insert(0, camera.label(".shop [role=img]"))
            camera.tap("[data-do=draw]")
        elif camera.has("[data-do=give]"):
            with suppress(Error):  # it has just been given
                give(camera, taken, mine[0])
                mine.pop(0)
        elif camera.has("[data-do=accept]"):
            answers += 1
            if answers == ACCEPTED:
                camera.shoot("decide")
            if answers < ACCEPTED:
                mine.append(re.sub("^(That’s not an?|Those aren’t) |!$", "", camera.text("[data-do=refuse]")))
            camera.tap("[data-do=accept]" if answers < ACCEPTED else "[data-do=refuse]")
        camera.page.wait_for_timeout(400)


def give(camera: Camera, taken: set[str], gift: str) -> None:
    if "announce" not in taken:
        camera.shoot("announce")
    camera.page.locator("[data-do=give]").click(timeout=1000)
    if "announce" not in taken:
        camera.shoot("picker")
        taken.add("announce")
    field = camera.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")


def take_solo_pictures(browser: Browser, url: str) -> None:
    for size, (width, height) in SIZES.items():
        for light in LIGHTS:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                device_scale_factor=SCALES[size],
                color_scheme=light,
                locale="en-GB",
            )
            tour(Camera(context.new_page(), f"{size}-{light}"), url)
            context.close()


def take_shared_screen_pictures(browser: Browser, url: str) -> None:
    """A TV with a phone for each player; and a tablet on the table."""

    def camera(kind: str, width: int, height: int) -> Camera:
        return Camera(browser.new_page(viewport={"width": width, "height": height}, locale="en-GB"), kind)

    screen = camera("tv", 1920, 1080)
    screen.page.goto(url)
    screen.page.locator("[data-room]").click()
    screen.page.locator("[data-open=screen]").click()
    screen.wait(".code")
    phones = [camera("phone", 390, 844) for _ in NAMES]
    for phone, name in zip(phones, NAMES, strict=True):
        phone.page.goto(f"{url}/t/{screen.text('.code')}")
        phone.page.locator("#name").fill(name)
        phone.page.locator("form .button.act").click()
        phone.wait("[data-chair].yours")
    screen.page.locator("[data-chair]").nth(len(NAMES) - 1).wait_for()
    screen.shoot("screen-arrive")
    screen.page.locator("[data-do=start]").click()
    for phone in phones:
        phone.wait("[data-controller]")
    play_on_screen(screen, phones)
    screen.shoot("screen-end", after=1200)
    tablet = camera("tablet", 1024, 768)
    tablet.page.goto(url)
    tablet.page.locator("[data-room]").click()
    tablet.page.locator("[data-open=around]").click()
    for number, name in enumerate(NAMES):
        tablet.page.locator("#name").fill(name)
        tablet.page.locator("#name").press("Enter")
        tablet.page.locator("[data-chair]").nth(number).wait_for()
    tablet.page.locator(".start").click()
    for move in ("draw", "pass", "accept", "pass"):
        tablet.page.locator(f"[data-do={move}]").click()
        tablet.page.locator("[data-do=now]").click()
    tablet.wait("[data-do=accept]")
    tablet.shoot("tablet")


def play_on_screen(screen: Camera, phones: list[Camera]) -> None:
    """Accept claims for a while, then refuse all of them."""
    answers, claims, taken = 0, iter(CLAIMS * 9), set[str]()
    deadline = time.monotonic() + 150
    while not screen.has("[data-over]") and time.monotonic() < deadline:
        for phone in phones:
            if phone.has("[data-do=draw]"):
                phone.tap("[data-do=draw]")
            elif phone.has("[data-do=give]"):
                phone.tap("[data-do=give]")
                field = phone.page.get_by_role("combobox")
                field.fill(next(claims))
                field.press("Enter")
                phone.tap("[data-actions] .act")  # confirm the claim
            elif phone.has("[data-do=accept]"):
                answers += 1
                if answers == ACCEPTED:
                    screen.shoot("screen-claim", after=600)
                    phone.shoot("controller")
                phone.tap("[data-do=accept]" if answers < ACCEPTED else "[data-do=refuse]")
        if screen.has("[data-beat=stamp]") and "reveal" not in taken:
            screen.shoot("screen-reveal", after=0)
            taken.add("reveal")
        screen.page.wait_for_timeout(60)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with local_server(PACE, NOTAHAT_LUCK=SEED) as url, local_browser() as browser:
        take_solo_pictures(browser, url)
        take_shared_screen_pictures(browser, url)
    for name, picture in README_PICTURES.items():
        image = Image.open(FOLDER / f"{picture}.png").convert("RGB")
        image.thumbnail(SIZES["desktop" if image.width > image.height else "phone"])
        image.quantize(256, kmeans=3).save(ROOT / "docs" / "pictures" / f"{name}.png", optimize=True)
    for name, picture in APP_PICTURES.items():
        file = ROOT / "web" / "public" / "screenshots" / f"{name}.webp"
        Image.open(FOLDER / f"{picture}.png").convert("RGB").save(file, quality=80, method=6)
        assert file.stat().st_size <= MOST_APP_BYTES, f"{name} has {file.stat().st_size} bytes"
    print(f"wrote {len(list(FOLDER.glob('*.png')))} pictures to {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
