"""Take the README's pictures, in docs/pictures, and those that installation dialogs show, in web/public/screenshots.

The server has a seed, so the game is the same every time. `make gallery` shows every state of every screen.
"""

import re
import time
from contextlib import suppress
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Error, Page

from local_server import local_browser, local_server

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
README_PICTURES = {
    "table": "decide-desktop",
    "phone": "decide-phone",
    "screen": "screen-claim-tv",
    "controller": "controller-phone",
    "tablet": "tablet-tablet",
}
APP_PICTURES = {
    "home-phone": "home-phone",
    "table-phone": "decide-phone",
    "table-desktop": "decide-desktop",
}
LINK_PREVIEW = (40, 45, 1240, 675)  # 1200 × 630, as messengers show links
MOST_APP_BYTES = 80_000
SIZES = {"phone": (390, 844), "desktop": (1280, 720)}
SCALES = {"phone": 2, "desktop": 1}
PACE = 6.0
SEED = "7"
NAMES = ("Ada", "Ben", "Cleo", "Dora")
CLAIMS = ("teapot", "umbrella", "kite", "candle", "cactus", "snail")
ACCEPTED = 5  # a decision is worth a picture when some gifts are wrapped


class Camera:
    """One player's page, and the suffix of its pictures."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page = page
        self._kind = kind

    def shoot(self, state: str, after: int = 350) -> None:
        self.page.wait_for_timeout(after)
        self.page.screenshot(path=FOLDER / f"{state}-{self._kind}.png")

    def has(self, what: str) -> bool:
        return self.page.locator(what).count() > 0

    def tap(self, what: str) -> None:
        with suppress(Error):  # it disappeared before the click
            self.page.locator(what).click(timeout=1000)

    def label(self, what: str) -> str:
        return self.page.locator(what).first.get_attribute("aria-label") or ""

    def text(self, what: str) -> str:
        return self.page.locator(what).inner_text()

    def choose(self, gift: str) -> None:
        field = self.page.get_by_role("combobox")
        field.fill(gift)
        field.press("Enter")

    def wait(self, what: str) -> None:
        self.page.locator(what).first.wait_for()


def tour(camera: Camera, url: str) -> None:
    page = camera.page
    page.goto(url)
    camera.wait("h1")
    page.locator("[data-how] summary").click()
    page.locator("label.name input").fill("Ada")
    page.locator("[data-how] summary").click()
    camera.shoot("home")
    page.goto(url)
    page.locator("[data-new]").click()
    camera.wait("[data-empty]")
    for number in range(4):
        page.locator("[data-empty]").first.click()
        page.locator(".tempers .button").nth((number * 2 + 1) % 8).click()
        page.locator("[data-chair]").nth(number + 1).wait_for()
    page.locator("details:has(select) summary").click()
    page.locator("details select").last.select_option("0")
    page.locator(".start").click()
    camera.wait("[data-do=draw]")
    drawn = camera.label(".shop [role=img]")
    page.locator("[data-do=draw]").click()
    camera.wait("[data-do=give]")
    play(camera, drawn)


def play(camera: Camera, drawn: str) -> None:
    """Claim what was seen and accept, until a decision is worth a picture."""
    answers = 0
    mine = [drawn, camera.label("[data-seat].you .card [role=img]")]  # own gifts, oldest first
    deadline = time.monotonic() + 150
    while answers < ACCEPTED and time.monotonic() < deadline:
        if camera.has("[data-do=go_on]"):
            camera.tap("[data-do=go_on]")
        elif camera.has("[data-do=draw]"):
            mine.insert(0, camera.label(".shop [role=img]"))
            camera.tap("[data-do=draw]")
        elif camera.has("[data-do=give]"):
            with suppress(Error):  # it has just been given
                camera.page.locator("[data-do=give]").click(timeout=1000)
                camera.choose(mine[0])
                mine.pop(0)
        elif camera.has("[data-do=accept]"):
            answers += 1
            if answers < ACCEPTED:
                mine.append(re.sub("^(That’s not an?|Those aren’t) |!$", "", camera.text("[data-do=refuse]")))
                camera.tap("[data-do=accept]")
        camera.page.wait_for_timeout(400)
    camera.shoot("decide")


def take_solo_pictures(browser: Browser, url: str) -> None:
    for size, (width, height) in SIZES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=SCALES[size], locale="en-GB"
        )
        tour(Camera(context.new_page(), size), url)
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
    screen.page.locator("[data-do=start]").click()
    for phone in phones:
        phone.wait("[data-controller]")
    play_on_screen(screen, phones)
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
    tablet.wait("[data-do=accept]")
    tablet.shoot("tablet")


def play_on_screen(screen: Camera, phones: list[Camera]) -> None:
    """Accept claims for a while, then take the pictures of one."""
    answers, claims = 0, iter(CLAIMS * 9)
    deadline = time.monotonic() + 150
    while answers < ACCEPTED and time.monotonic() < deadline:
        for phone in phones:
            if phone.has("[data-do=draw]"):
                phone.tap("[data-do=draw]")
            elif phone.has("[data-do=give]"):
                phone.tap("[data-do=give]")
                phone.choose(next(claims))
                phone.tap("[data-actions] .act")  # confirm the claim
            elif phone.has("[data-do=accept]"):
                answers += 1
                if answers == ACCEPTED:
                    screen.shoot("screen-claim", after=600)
                    phone.shoot("controller")
                    break
                phone.tap("[data-do=accept]")
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
    preview = Image.open(FOLDER / f"{APP_PICTURES['table-desktop']}.png").convert("RGB")
    preview.crop(LINK_PREVIEW).save(ROOT / "web" / "public" / "preview.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    main()
