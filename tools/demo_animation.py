"""Film the start page's demonstration into docs/pictures/demo.webp, for the README."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from local_server import local_browser, local_server

FILE = Path(__file__).parents[1] / "docs" / "pictures" / "demo.webp"
MOST_BYTES = 1_500_000
FRAME = 80  # ms
MOST_FRAMES = 400
WIDTH, HEIGHT = 520, 900
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


def film(page: Page, url: str) -> list[Image.Image]:
    """Return the frames of one loop, from the first look to the next one."""
    page.clock.install()
    page.goto(url)
    demo = page.locator("[data-demo]")
    demo.wait_for()
    page.evaluate("() => document.fonts.ready")
    demo.get_by_role("button").evaluate("button => { button.style.visibility = 'hidden'; }")
    page.evaluate(HOLD)
    page.clock.pause_at(page.evaluate("() => Date.now() / 1000") + 1)
    frames: list[Image.Image] = []
    began = False
    for _ in range(MOST_FRAMES):
        page.evaluate("() => window.film()")
        sentence = demo.inner_text()
        if "Remember these" not in sentence:
            began = True
        elif began:
            return frames
        frames.append(Image.open(io.BytesIO(demo.screenshot())).convert("RGB"))
        page.clock.run_for(FRAME)
    raise RuntimeError("the demonstration did not come back to its start")


def main() -> None:
    with local_server(1.0) as url, local_browser() as browser:
        context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", device_scale_factor=1.5
        )
        frames = film(context.new_page(), url)
    first, *others = frames
    first.save(FILE, save_all=True, append_images=others, duration=FRAME, loop=0, quality=70, method=6)
    size = FILE.stat().st_size
    assert size <= MOST_BYTES, f"{size} bytes are too many for a README"
    print(f"wrote {len(frames)} frames, {size} bytes")


if __name__ == "__main__":
    main()
