"""How each language sets what is said: its own quotation marks, its own *and*, its own apostrophe."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from notahat.gifts import typeset

_SOUNDS_LIKE_I = re.compile(r"i|hi(?![ae])", re.IGNORECASE)  # Spanish says y, but e before it: Ada e Ilya


def quoted(line: str, lang: str) -> str:
    """What somebody says, between the quotation marks of their language."""
    marks: str = _language(lang)["quoted"]
    return marks.format(typeset(line))


def listed(names: Sequence[str], lang: str) -> str:
    """Names as people list them: Ada, Bo and Cleo."""
    *others, last = names
    if not others:
        return last
    patterns = _language(lang)["listed"]
    if len(others) == 1:
        return _joined(patterns["2"], others[0], last, lang)
    text = patterns["start"].format(others[0], others[1])
    for name in others[2:]:
        text = patterns["middle"].format(text, name)
    return _joined(patterns["end"], text, last, lang)


def _joined(pattern: str, before: str, last: str, lang: str) -> str:
    if lang == "es" and _SOUNDS_LIKE_I.match(last):
        pattern = pattern.replace(" y ", " e ")
    return pattern.format(before, last)


@cache
def _language(lang: str) -> dict[str, Any]:
    table = json.loads(files("notahat.clients.terminal").joinpath("words", "cldr.json").read_text("utf-8"))
    found: dict[str, Any] = table[lang]
    return found
