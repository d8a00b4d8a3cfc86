import json
from pathlib import Path

from playwright.sync_api import Browser

from notahat.gifts import catalogue
from support.scripts import load

WEB = Path(__file__).parents[2] / "web" / "src"
BOX = (2, 2, 68, 68)  # x, y, width and height of what cards show of a drawing
SHOWN = ("ui/CardFront.svelte", "views/print/CardSheet.svelte", "views/print/PrintSheets.svelte")


def test_no_drawing_is_cut_off_by_its_card(browser: Browser) -> None:
    x, y, width, height = BOX
    for component in SHOWN:
        assert f'viewBox="{x} {y} {width} {height}"' in (WEB / component).read_text("utf-8")
    drawings = json.loads((WEB / "made" / "drawings.json").read_text("utf-8"))
    page = browser.new_page()
    boxes: dict[str, list[float]] = page.evaluate(load("inkBoxes"), drawings)
    page.close()
    assert boxes.keys() == catalogue().keys()
    cut = {
        gift: box
        for gift, box in boxes.items()
        if box[0] < x or box[1] < y or box[2] > x + width or box[3] > y + height
    }
    assert cut == {}
