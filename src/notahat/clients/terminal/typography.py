"""Quotation marks and lists of names in each language, from CLDR data."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from notahat.gifts import typeset

_SOUNDS_LIKE_I = re.compile(r"i|hi(?![ae])", re.IGNORECASE)  # Spanish *y* becomes *e* before it: Ada e Ilya


def quote(line: str, lang: str) -> str:
    """Return a line between the quotation marks of a language."""
    marks: str = _cldr(lang)["quoted"]
    return marks.format(typeset(line))


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names into a list: Ada, Bo and Cleo."""
    *others, last = names
    if not others:
        return last
    patterns = _cldr(lang)["listed"]
    if len(others) == 1:
        return _join_last(patterns["2"], others[0], last, lang)
    text = patterns["start"].format(others[0], others[1])
    for name in others[2:]:
        text = patterns["middle"].format(text, name)
    return _join_last(patterns["end"], text, last, lang)


def _join_last(pattern: str, before: str, last: str, lang: str) -> str:
    if lang == "es" and _SOUNDS_LIKE_I.match(last):
        pattern = pattern.replace(" y ", " e ")
    return pattern.format(before, last)


@cache
def _cldr(lang: str) -> dict[str, Any]:
    table = json.loads(files("notahat.clients.terminal").joinpath("words", "cldr.json").read_text("utf-8"))
    language: dict[str, Any] = table[lang]
    return language
