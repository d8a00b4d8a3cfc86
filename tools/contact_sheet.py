"""All gifts on one sheet, at 66 and 150 pixels with their seven names: build/contact-sheet.html and .png."""

from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser import ARGUMENTS, chromium
from notahat.gifts import LANGUAGES, Gift, catalogue, deck
from notahat.gifts.drawing import OWN, slim, svg

ROOT = Path(__file__).parents[1]
OPENMOJI = ROOT / "web" / "node_modules" / "openmoji"
STYLE = """
body { background: #ebe1ce; color: #1b1a17; font: 12px/1.35 system-ui, sans-serif; margin: 16px }
main { display: grid; grid-template-columns: repeat(auto-fill, 250px); gap: 14px }
figure { margin: 0 } div { display: flex; align-items: end; gap: 8px }
span { background: #fff; border: 1px solid #1b1a17; aspect-ratio: 8 / 5; display: grid; place-items: center }
.large { width: 150px; border-radius: 10px } .small { width: 66px; border-radius: 5px }
svg { height: 90% } b { font-weight: 600 }
"""


def sheet() -> str:
    figures = "\n".join(map(_figure, catalogue().values()))
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>Gifts</title><style>{STYLE}</style>"
    return f"{head}<h1>{len(catalogue())} gifts</h1><main>{figures}</main></html>"


def _figure(gift: Gift) -> str:
    drawing = slim(svg(gift, OPENMOJI))
    names = "<br>".join(f"{lang} {escape(gift.words[lang].name)}" for lang in LANGUAGES)
    decks = ", ".join(edition for edition in ("classic", "special") if gift.key in {c.gift for c in deck(edition)})
    made = "our own" if gift.drawing == OWN else f"OpenMoji {gift.drawing}"
    cards = f"<div><span class=large>{drawing}</span><span class=small>{drawing}</span></div>"
    return f"<figure>{cards}<b>{gift.key}</b> · {decks} · {made}<br>{names}</figure>"


def main() -> None:
    path = chromium()
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    page = folder / "contact-sheet.html"
    page.write_text(sheet(), "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        tab = browser.new_page(viewport={"width": 1640, "height": 900})
        tab.goto(page.as_uri())
        tab.screenshot(path=page.with_suffix(".png"), full_page=True)
        browser.close()
    print(f"wrote {page.relative_to(ROOT)} and {page.with_suffix('.png').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
