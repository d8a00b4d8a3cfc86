"""Quotation marks, lists and apostrophes of each language in all terminal texts."""

import codecs
import re
from typing import Any

import pytest

from notahat.ascii_fallback import ERROR_HANDLER, _replace
from notahat.bots.character import remark_texts
from notahat.clients.terminal.typography import join_names, quote
from notahat.gifts import LANGUAGES, catalogue, denial, kinds, name, offer, typeset
from notahat.gifts.word import facts
from notahat.narration.narrator import terminal_texts


@pytest.mark.parametrize(
    ("lang", "quoted"),
    [
        ("en", "“Thank you!”"),
        ("de", "„Danke!“"),
        ("fr", "«\u202fMerci\u202f!\u202f»"),
        ("it", "«Grazie!»"),
        ("es", "“¡Gracias!”"),
        ("pt", "«Agradeço imenso!»"),
        ("nl", "‘Dank je!’"),
    ],
)
def test_quote_uses_the_marks_of_the_language(lang: str, quoted: str) -> None:
    assert quote(texts(lang)["thanks"], lang) == quoted


@pytest.mark.parametrize(
    ("lang", "who"),
    [
        ("en", "Ada, Bo and Ilya"),
        ("de", "Ada, Bo und Ilya"),
        ("fr", "Ada, Bo et Ilya"),
        ("it", "Ada, Bo e Ilya"),
        ("es", "Ada, Bo e Ilya"),
        ("pt", "Ada, Bo e Ilya"),
        ("nl", "Ada, Bo en Ilya"),
    ],
)
def test_r8_1_shared_winners_are_joined_with_and(lang: str, who: str) -> None:
    assert join_names(["Ada", "Bo", "Ilya"], lang) == who


def test_names_of_any_number_are_joined() -> None:
    assert join_names(["Ada"], "en") == "Ada"
    assert join_names(["Ada", "Bo"], "nl") == "Ada en Bo"
    assert join_names(["Ada", "Bo", "Cleo", "Dora", "Eva"], "de") == "Ada, Bo, Cleo, Dora und Eva"
    assert [join_names(["Ada", who], "es") for who in ("Inés", "Hilda", "Hiena", "Yves")] == [
        "Ada e Inés",
        "Ada e Hilda",
        "Ada y Hiena",
        "Ada y Yves",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_ascii_terminal_gets_plain_quotation_marks(lang: str) -> None:
    codecs.register_error(ERROR_HANDLER, _replace)
    assert quote("Hm", lang).encode("ascii", ERROR_HANDLER).decode().replace(" ", "") in ('"Hm"', "'Hm'")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_use_one_apostrophe_and_own_marks(lang: str) -> None:
    """web/test/words/texts.test.ts checks the web's texts."""
    own = facts(lang).quoted
    wrong = [text for text in all_texts(lang) if set(re.findall(r"[\"'«»„“”‘]", text)) - set(own)]
    assert wrong == []


def all_texts(lang: str) -> list[str]:
    """Return every text of the terminal, the computer players and the gifts."""
    shown = [typeset(line(key, lang)) for key in catalogue() for line in (name, offer, denial)]
    return [
        *strings(texts(lang)),
        *strings(remark_texts(lang)),
        *(kind.names[lang] for kind in kinds().values()),
        *shown,
    ]


def strings(of: Any) -> list[str]:
    if isinstance(of, str):
        return [of]
    parts = of.values() if isinstance(of, dict) else of
    return [text for part in parts for text in strings(part)]


def texts(lang: str) -> dict[str, Any]:
    return terminal_texts(lang)
