"""Write into web/src/made what the page needs of Python: types of messages, gifts, remarks, decks, recorded rounds."""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from notahat.bots.presets import remark_texts
from notahat.gifts import LANGUAGES, Gift, catalogue, deck, kinds
from notahat.gifts.gift import fit, slim, svg
from notahat.gifts.grammar import display_texts
from notahat.gifts.word import facts, wrong_names
from notahat.rules import Back
from notahat.wire.typescript import typescript
from record_lesson import DEMO_DRAWINGS, demo, lesson

WEB = Path(__file__).parents[1] / "web"
MADE = WEB / "src" / "made"
EDITIONS = ("classic", "special")
BACKS = tuple(Back)


def main() -> int:
    write("wire.ts", typescript())
    openmoji = WEB / "node_modules" / "openmoji"
    drawings = {key: fit(gift, ink(svg(gift, openmoji))) for key, gift in catalogue().items()}
    write_json("drawings.json", drawings)
    for lang in LANGUAGES:
        write_json(f"words/{lang}.json", texts(lang))
    write_json("languageNames.json", {lang: facts(lang).name for lang in LANGUAGES})
    forms = ("genders", "sounds", "plural_without_gender")
    write_json("formFacts.json", {lang: some_facts(lang, *forms) for lang in LANGUAGES})
    write_json("lesson.json", lesson())
    write_json("demo.json", {"states": demo(), "drawings": {gift: drawings[gift] for gift in DEMO_DRAWINGS}})
    decks = {edition: printed_deck(edition) for edition in EDITIONS}
    write_json("print.json", {"decks": decks, "backs": printed_backs()})
    return 0


def some_facts(lang: str, *names: str) -> dict[str, Any]:
    return {name: getattr(facts(lang), name) for name in names}


def write_json(path: str, content: Any) -> None:
    write(path, json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")


def write(path: str, text: str) -> None:
    """Write a file unless it is unchanged, to keep its modification time."""
    file = MADE / path
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


def printed_deck(edition: str) -> list[tuple[str, str]]:
    """Return the gifts of an edition and the backs they have on paper, sorted by back.

    There are as many of each back as in the edition, but on other gifts: a printed deck, which anybody may read, must
    reveal nothing about cards on a screen (decisions/0016). Each gift, in alphabetical order, gets the back of which
    the largest share is left.
    """
    cards = deck(edition)
    total = Counter(card.back for card in cards)
    left = total.copy()
    printed = []
    for gift in sorted(card.gift for card in cards):
        back = max(total, key=lambda one: (left[one] / total[one], -BACKS.index(one)))
        left[back] -= 1
        printed.append((gift, back))
    return [(gift, back.value) for gift, back in sorted(printed, key=lambda card: BACKS.index(card[1]))]


def printed_backs() -> dict[str, str]:
    """Return the drawings of printed backs by their file names. They show the direction without colour, too."""
    files = sorted((WEB / "src" / "views" / "print" / "backs").glob("*.svg"))
    return {file.stem: file.read_text("utf-8").strip() for file in files}


def texts(lang: str) -> dict[str, Any]:
    """Return the words of all gifts, their kinds, how to find them, and what computer players remark."""
    return {
        "gifts": {key: words(gift, lang) for key, gift in catalogue().items()},
        "kinds": [{"key": key, "name": kind.names[lang], "gifts": kind.gifts} for key, kind in kinds().items()],
        "finding": some_facts(lang, "articles", "head", "compounds", "silent_h"),
        "remarks": msgspec.to_builtins(remark_texts(lang)),
    }


if __name__ == "__main__":
    sys.exit(main())
