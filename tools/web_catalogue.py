"""Write what the browser needs of the catalogue: drawings, kinds, words and lines in each language, the first lesson.

All of it is made from the gifts and the rules, so that no second copy of either grows in TypeScript.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from notahat.bots.character import lines
from notahat.gifts import LANGUAGES, Gift, catalogue, kinds
from notahat.gifts.drawing import slim, svg
from notahat.gifts.grammar import shown
from notahat.gifts.word import others
from notahat.paper import back, printed_deck, rule_pages, sheet
from notahat.rules import Back
from notahat.rules.round import MOST_PLAYERS
from record_lesson import lesson

WEB = Path(__file__).parents[1] / "web"
MADE = WEB / "src" / "made"


def main() -> int:
    write(
        "drawings.json", {key: ink(svg(gift, WEB / "node_modules" / "openmoji")) for key, gift in catalogue().items()}
    )
    write("kinds.json", [{"key": key, "names": kind.names, "gifts": kind.gifts} for key, kind in kinds().items()])
    for lang in LANGUAGES:
        write(f"words/{lang}.json", {key: words(gift, lang) for key, gift in catalogue().items()})
        write(f"remarks/{lang}.json", remarks(lang))
    write("lesson.json", lesson())
    write("paper.json", paper())
    return 0


def write(path: str, content: Any) -> None:
    """Leave an unchanged file alone, so that a build that is up to date stays so."""
    file = MADE / path
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
    if not file.exists() or file.read_text("utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def ink(drawing: str) -> str:
    """The inside of a drawing, with ink in the colour of the page it is put on."""
    inside = re.sub(r"^<svg[^>]*>|</svg>$", "", slim(drawing))
    inside = re.sub(r'\s+(version|stroke-miterlimit|color)="[^"]*"', "", inside)
    inside = re.sub(r"#0{6}|#0{3}|#010101|#231[fF]20|\bblack\b", "currentColor", inside)
    return re.sub(r"(\.\d{3})\d+", r"\1", inside)  # cut, not rounded: in a path the digits before may be an arc's flags


def words(gift: Gift, lang: str) -> list[Any]:
    """A gift's name, its name with an article, the two spoken lines, what else people call it, and what it is not."""
    word = gift.words[lang]
    return [*shown(word, lang), list(word.synonyms), list(others(lang).get(gift.key, ()))]


def paper() -> Any:
    """What browsers print: the decks as they are on paper, their backs, where cards lie, and the rules in order."""
    pairs = [(paper, size) for paper in sheet.PAPERS for size in sheet.OFFERED]
    return {
        "decks": {
            name: [[card.gift, card.back.value] for card in printed_deck.cards(name)] for name in printed_deck.EDITIONS
        },
        "backs": {one.value: {"colour": back.svg(one), "saving": back.svg(one, ink_saving=True)} for one in Back},
        "sizes": [f"{size.width:g}x{size.height:g}" for size in sheet.OFFERED],
        "grids": {f"{name} {size.width:g}x{size.height:g}": grid(name, size) for name, size in pairs},
        "mark": sheet.MARK,
        "air": sheet.AIR,
        "frame": sheet.FRAME,
        "front": sheet.FRONT,
        "rules": rule_pages.PARTS,
        "licence": rule_pages.LICENCE,
        "players": MOST_PLAYERS,
    }


def grid(paper: str, card: sheet.Size) -> dict[str, Any]:
    laid = sheet.grid(paper, card)
    return {"sheet": laid.sheet, "card": laid.card, "columns": laid.columns, "rows": laid.rows, "corner": laid.corner}


def remarks(lang: str) -> Any:
    """What computer players say, by character and occasion."""
    return msgspec.to_builtins(lines(lang))


if __name__ == "__main__":
    sys.exit(main())
