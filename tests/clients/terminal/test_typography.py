"""Lists and apostrophes of each language in all terminal texts."""

from typing import Any

import pytest

from notahat.bots.presets import remark_texts
from notahat.clients.terminal.render import join_names
from notahat.gifts import LANGUAGES, catalogue, denial, kinds, name, offer, typeset
from notahat.gifts.word import facts
from notahat.narration.narrator import terminal_texts as texts


def test_r8_1_names_of_any_number_are_joined() -> None:
    """web/test/words/texts.test.ts compares the word between the last two in every language."""
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
def test_texts_use_one_apostrophe_and_own_marks(lang: str) -> None:
    """web/test/words/texts.test.ts checks the web's texts."""
    foreign = set("\"'«»„“”‘") - set(facts(lang).quoted)
    assert [text for text in all_texts(lang) if set(text) & foreign] == []


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
