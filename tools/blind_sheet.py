"""All gifts without names, in an order of luck: build/blind/1.png … and, to be opened last, build/blind/names.txt.

Somebody who has not seen the names writes down what each 66-pixel card shows; then it is compared. `docs/drawings.md`
tells how that went. Some gifts only, by their keys: `python tools/blind_sheet.py --seed 3 hat piano`.
"""

import argparse
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

from browser import ARGUMENTS, chromium
from notahat.gifts import Gift, catalogue
from notahat.gifts.drawing import slim, svg

ROOT = Path(__file__).parents[1]
OPENMOJI = ROOT / "web" / "node_modules" / "openmoji"
FOLDER = ROOT / "build" / "blind"
A_PICTURE = 20
STYLE = """
body { background: #ebe1ce; color: #1b1a17; font: 13px system-ui, sans-serif; margin: 14px; width: 452px }
main { display: grid; grid-template-columns: repeat(5, 66px); gap: 14px 26px } figure { margin: 0; text-align: center }
span { background: #fff; border: 1px solid #1b1a17; border-radius: 5px; width: 66px; aspect-ratio: 8 / 5; display: grid;
       place-items: center; box-sizing: border-box } svg { height: 90% }
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", help="which gifts; all, if none is named")
    parser.add_argument("--seed", type=int, required=True, help="for the order")
    arguments = parser.parse_args()
    gifts = [catalogue()[key] for key in arguments.keys or catalogue()]
    Random(arguments.seed).shuffle(gifts)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        tab = browser.new_page(viewport={"width": 480, "height": 320})
        for start in range(0, len(gifts), A_PICTURE):
            tab.set_content(_picture(gifts[start : start + A_PICTURE], start + 1))
            tab.screenshot(path=FOLDER / f"{start // A_PICTURE + 1}.png")
        browser.close()
    names = "".join(f"{number} {gift.key}\n" for number, gift in enumerate(gifts, 1))
    (FOLDER / "names.txt").write_text(names, "utf-8")
    print(f"wrote {len(gifts)} gifts to {FOLDER.relative_to(ROOT)}")


def _picture(gifts: list[Gift], first: int) -> str:
    cards = "".join(
        f"<figure><span>{slim(svg(gift, OPENMOJI))}</span>{number}</figure>" for number, gift in enumerate(gifts, first)
    )
    return f"<!doctype html><html lang=en><meta charset=utf-8><style>{STYLE}</style><main>{cards}</main></html>"


if __name__ == "__main__":
    main()
