"""Write what the page needs of gifts, remarks, paper, rules and recorded rounds as JSON into web/src/made."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from notahat.bots.character import remark_texts
from notahat.gifts import LANGUAGES, Gift, catalogue, kinds
from notahat.gifts.drawing import fit, slim, svg
from notahat.gifts.find import ARTICLES, COMPOUNDING, HEAD_FIRST, HEAD_LAST, SILENT_H
from notahat.gifts.grammar import display_texts
from notahat.gifts.word import wrong_names
from notahat.paper import back, printed_deck, rule_pages, sheet
from notahat.rules import Back
from notahat.rules.round import MOST_PLAYERS
from record_lesson import DEMO_DRAWINGS, demo, lesson

WEB = Path(__file__).parents[1] / "web"
MADE = WEB / "src" / "made"


def main() -> int:
    openmoji = WEB / "node_modules" / "openmoji"
    drawings = {key: fit(gift, ink(svg(gift, openmoji))) for key, gift in catalogue().items()}
    write("drawings.json", drawings)
    write("kinds.json", [{"key": key, "names": kind.names, "gifts": kind.gifts} for key, kind in kinds().items()])
    for lang in LANGUAGES:
        write(f"words/{lang}.json", {key: words(gift, lang) for key, gift in catalogue().items()})
        write(f"remarks/{lang}.json", remarks(lang))
    write(
        "finding.json",
        {
            "articles": ARTICLES,
            "compounding": COMPOUNDING,
            "headFirst": HEAD_FIRST,
            "headLast": HEAD_LAST,
            "silentH": SILENT_H,
        },
    )
    write("lesson.json", lesson())
    write("demo.json", {"states": demo(), "drawings": {gift: drawings[gift] for gift in DEMO_DRAWINGS}})
    write("paper.json", paper())
    return 0


def write(path: str, content: Any) -> None:
    """Write a file unless it is unchanged, to keep its modification time."""
    file = MADE / path
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
    if not file.exists() or file.read_text("utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def ink(drawing: str) -> str:
    """Return the content of a drawing, with black replaced by currentColor."""
    inside = re.sub(r"^<svg[^>]*>|</svg>$", "", slim(drawing))
    inside = re.sub(r'\s+(version|stroke-miterlimit|color)="[^"]*"', "", inside)
    inside = re.sub(r"#0{6}|#0{3}|#010101|#231[fF]20|\bblack\b", "currentColor", inside)
    return re.sub(r"(\.\d{3})\d+", r"\1", inside)  # truncate: in a path the digits before may be an arc's flags


def words(gift: Gift, lang: str) -> list[Any]:
    """Return a gift's name, its name with an article, its spoken lines, its synonyms and its near misses."""
    word = gift.words[lang]
    return [*display_texts(word, lang), list(word.synonyms), list(wrong_names(lang).get(gift.key, ()))]


def paper() -> Any:
    """Return what browsers print: the decks, the backs, the sheet layouts and the order of the rules."""
    pairs = [(paper, size) for paper in sheet.PAPERS for size in sheet.SIZES]
    return {
        "decks": {
            name: [[card.gift, card.back.value] for card in printed_deck.cards(name)] for name in printed_deck.EDITIONS
        },
        "backs": {one.value: {"colour": back.svg(one), "saving": back.svg(one, ink_saving=True)} for one in Back},
        "sizes": [f"{size.width:g}x{size.height:g}" for size in sheet.SIZES],
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
    layout = sheet.grid(paper, card)
    return {
        "sheet": layout.sheet,
        "card": layout.card,
        "columns": layout.columns,
        "rows": layout.rows,
        "corner": layout.corner,
    }


def remarks(lang: str) -> Any:
    """Return the remarks of computer players by character and occasion."""
    return msgspec.to_builtins(remark_texts(lang))


if __name__ == "__main__":
    sys.exit(main())
