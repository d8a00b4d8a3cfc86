"""The lists of what players type, tests/gifts/queries: web/test/words/finder.test.ts tests the page with the same."""

import json
from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES, catalogue, find, suggest
from notahat.gifts.word import wrong_names

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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_queries_offer_nothing_unrelated(lang: str) -> None:
    for typed, gifts in QUERIES[lang]["only"].items():
        assert suggest(typed, lang) == tuple(gifts), typed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_name_finds_no_gift(lang: str) -> None:
    """A wasp is not a bee (4.3, 6.1)."""
    wrong = wrong_names(lang)
    assert set(wrong) <= set(catalogue())
    assert sum(map(len, wrong.values())) >= 150
    assert {name: gift for gift, names in wrong.items() for name in names if find(name, lang) is not None} == {}
