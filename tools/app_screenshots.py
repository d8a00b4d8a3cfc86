"""Take the pictures that installation dialogs show, into web/public/screenshots: `make app-screenshots`."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from local_server import local_browser, local_server

FOLDER = Path(__file__).parents[1] / "web" / "public" / "screenshots"
PHONE, DESKTOP = (390, 844, 2), (1280, 720, 1)
PACE = 6.0
SEED = "7"
MOST_BYTES = 80_000


def open_page(browser: Browser, url: str, size: tuple[int, int, int]) -> Page:
    width, height, scale = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, locale="en-GB", color_scheme="light"
    )
    context.add_init_script("localStorage.setItem('notahat', JSON.stringify({ name: 'Ada', asked: true, games: 1 }))")
    page = context.new_page()
    page.goto(url)
    page.locator("h1").wait_for()
    page.evaluate("() => document.fonts.ready")
    return page


def shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.save(FOLDER / f"{name}.webp", quality=80, method=6)
    size = (FOLDER / f"{name}.webp").stat().st_size
    assert size <= MOST_BYTES, f"{name} has {size} bytes"
    print(f"{name}: {picture.width}x{picture.height}, {size} bytes")


def play_to_an_offer(page: Page) -> None:
    """Play until a computer player offers a gift."""
    page.locator(".now").click()
    for _ in range(300):
        if page.locator("[data-do=accept]").count() > 0:
            return
        for what in ("ready", "draw", "give"):
            button = page.locator(f"[data-do={what}]")
            if button.count() > 0 and button.first.is_enabled():
                button.first.click()
                if what == "give":
                    page.locator("dialog .tiles button").first.click()
        page.wait_for_timeout(100)
    raise RuntimeError("no computer player has offered a gift")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with local_server(PACE, NOTAHAT_LUCK=SEED) as server, local_browser() as browser:
        for kind, size in (("phone", PHONE), ("desktop", DESKTOP)):
            page = open_page(browser, server.url, size)
            if kind == "phone":
                shoot(page, f"door-{kind}")
            play_to_an_offer(page)
            shoot(page, f"table-{kind}")


if __name__ == "__main__":
    main()
