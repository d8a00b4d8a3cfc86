"""Quotation marks and lists of names in each language."""

import re
from collections.abc import Sequence

from notahat.gifts import typeset
from notahat.gifts.word import facts

_SOUNDS_LIKE_I = re.compile(r"i|hi(?![ae])", re.IGNORECASE)  # Spanish *y* becomes *e* before it: Ada e Ilya


def quote(line: str, lang: str) -> str:
    """Return a line between the quotation marks of a language."""
    return facts(lang).quoted.format(typeset(line))


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names into a list: Ada, Bo and Cleo."""
    *others, last = names
    if not others:
        return last
    word = "e" if lang == "es" and _SOUNDS_LIKE_I.match(last) else facts(lang).and_
    return f"{', '.join(others)} {word} {last}"
