"""Each language has its own quotation marks, its own *and* and one apostrophe, in everything that people read."""

import codecs
import json
import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from notahat.ascii_fallback import PLAIN, _plainly
from notahat.bots.character import lines
from notahat.clients.terminal.typography import listed, quoted
from notahat.gifts import LANGUAGES, catalogue, denial, kinds, name, offer, typeset


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "“Thank you!”"),
        ("de", "„Danke!“"),
        ("fr", "«\u202fMerci\u202f!\u202f»"),
        ("it", "«Grazie!»"),
        ("es", "“¡Gracias!”"),
        ("pt", "«Agradeço!»"),
        ("nl", "‘Dank je!’"),
    ],
)
def test_what_is_said_stands_between_the_languages_own_marks(lang: str, said: str) -> None:
    assert quoted(texts(lang)["thanks"], lang) == said


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
def test_r8_1_those_who_share_the_win_are_listed_with_an_and(lang: str, who: str) -> None:
    assert listed(["Ada", "Bo", "Ilya"], lang) == who


def test_a_list_is_as_long_as_it_is() -> None:
    assert listed(["Ada"], "en") == "Ada"
    assert listed(["Ada", "Bo"], "nl") == "Ada en Bo"
    assert listed(["Ada", "Bo", "Cleo", "Dora", "Eva"], "de") == "Ada, Bo, Cleo, Dora und Eva"
    assert [listed(["Ada", who], "es") for who in ("Inés", "Hilda", "Hiena", "Yves")] == [
        "Ada e Inés",
        "Ada e Hilda",
        "Ada y Hiena",
        "Ada y Yves",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_terminal_that_knows_only_ascii_gets_plain_quotation_marks(lang: str) -> None:
    codecs.register_error(PLAIN, _plainly)
    assert quoted("Hm", lang).encode("ascii", PLAIN).decode().replace(" ", "") in ('"Hm"', "'Hm'")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_people_read_has_one_apostrophe_and_the_languages_own_marks(lang: str) -> None:
    """The web's texts are held to the same by web/test/words/words.test.ts."""
    own = json.loads(files("notahat.clients.terminal").joinpath("words", "cldr.json").read_text("utf-8"))[lang][
        "quoted"
    ]
    wrong = [text for text in read(lang) if set(re.findall(r"[\"'«»„“”‘]", text)) - set(own)]
    assert wrong == []


def read(lang: str) -> list[str]:
    """Every text of the terminal, of the computer players and of the gifts."""
    shown = [typeset(line(key, lang)) for key in catalogue() for line in (name, offer, denial)]
    return [*strings(texts(lang)), *strings(lines(lang)), *(kind.names[lang] for kind in kinds().values()), *shown]


def strings(of: Any) -> list[str]:
    if isinstance(of, str):
        return [of]
    parts = of.values() if isinstance(of, dict) else of
    return [text for part in parts for text in strings(part)]


def texts(lang: str) -> dict[str, Any]:
    return tomllib.loads(files("notahat.clients.terminal").joinpath("words", f"{lang}.toml").read_text("utf-8"))
