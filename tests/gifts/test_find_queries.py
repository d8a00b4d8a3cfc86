"""The lists of what players type, tests/gifts/queries: web/test/words/finder.test.ts tests the page with the same."""

import json
from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES, find, suggest

QUERIES = {
    lang: json.loads((Path(__file__).parent / "queries" / f"{lang}.json").read_text("utf-8")) for lang in LANGUAGES
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wanted_gifts_are_among_first_three_in_97_percent(lang: str) -> None:
    wanted: dict[str, list[str]] = QUERIES[lang]["wanted"]
    missed = {
        typed: suggest(typed, lang)
        for typed, gifts in wanted.items()
        if not set(gifts) <= set(suggest(typed, lang)[: max(3, len(gifts))])
    }
    assert len(wanted) >= 40
    assert len(missed) <= 0.03 * len(wanted), missed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_queries_find_no_unwanted_gift(lang: str) -> None:
    found = {typed: find(typed, lang) for typed in QUERIES[lang]["wanted"]}
    assert [typed for typed, gift in found.items() if gift not in (None, *QUERIES[lang]["wanted"][typed])] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_without_a_gift_offer_nothing(lang: str) -> None:
    nothing: list[str] = QUERIES[lang]["nothing"]
    assert len(nothing) >= 10
    assert {typed: suggest(typed, lang) for typed in nothing if suggest(typed, lang) or find(typed, lang)} == {}


@pytest.mark.parametrize(
    ("lang", "typed", "gifts"),
    [
        ("en", "flower", {"rose", "tulip", "sunflower"}),
        ("en", "the phone", {"telephone", "mobile_phone"}),
        ("de", "Schloss", {"castle", "padlock"}),
        ("de", "Uhr", {"clock", "watch", "hourglass", "stopwatch"}),
        ("es", "reloj", {"clock", "watch", "hourglass"}),
        ("nl", "lamp", {"light_bulb", "torch", "lantern"}),
    ],
)
def test_generic_word_is_ambiguous_and_offers_all(lang: str, typed: str, gifts: set[str]) -> None:
    assert find(typed, lang) is None
    assert gifts <= set(suggest(typed, lang))


@pytest.mark.parametrize(("lang", "typed"), [("de", "Insel"), ("de", "Kette"), ("de", "Kabel"), ("en", "tower")])
def test_other_words_are_no_ends_and_no_typos(lang: str, typed: str) -> None:
    assert suggest(typed, lang) == ()


def test_typos_are_ignored_if_anything_matches() -> None:
    assert set(suggest("hat", "en")) == {"hat", "party_hat", "sun_hat", "cap"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_queries_offer_nothing_unrelated(lang: str) -> None:
    for typed, gifts in QUERIES[lang]["only"].items():
        assert suggest(typed, lang) == tuple(gifts), typed
