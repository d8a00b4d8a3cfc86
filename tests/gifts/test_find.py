"""Typed text finds the right gift or nothing, never a wrong one."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notahat.gifts import LANGUAGES, catalogue, find, name, suggest
from notahat.gifts.grammar import lines
from notahat.gifts.word import words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_spelling_finds_its_gift(lang: str) -> None:
    for key, word in words(lang).items():
        for spelling in (word.name, *word.synonyms):
            bare = "".join(c for c in unicodedata.normalize("NFD", spelling) if not unicodedata.combining(c))
            for typed in (spelling, spelling.upper(), f"  {spelling.lower()} ", bare, spelling.replace(" ", "-")):
                assert find(typed, lang) == key, typed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_article_is_ignored(lang: str) -> None:
    for key, gift in catalogue().items():
        article = lines(gift.words[lang], lang).article
        joined = f"{article}{name(key, lang)}" if article.endswith("'") else f"{article} {name(key, lang)}"
        assert find(joined, lang) == key
        assert find(joined.replace("'", "’"), lang) == key  # the typographic apostrophe


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_the_first_60_letters_are_searched(lang: str) -> None:
    typed = name("hat", lang).ljust(60)
    assert find(typed + "x" * 100_000, lang) == "hat"
    assert suggest(" " * 100_000 + typed + "x" * 100_000, lang) == suggest(typed, lang)


@pytest.mark.parametrize(
    "typed", ["", " ", "?", "b", "ha", "hst", "bok", "zzzzzzzz", "horse", "coat", "boar", "jacket", "x" * 5000]
)
def test_short_or_unknown_text_finds_nothing(typed: str) -> None:
    assert find(typed, "en") is None


def test_two_letters_do_not_begin_a_synonym() -> None:
    assert not {"beer", "cheese"} & set(suggest("pi", "en")), "no pint, no piece of cheese"


@given(text=st.text(max_size=60), lang=st.sampled_from(LANGUAGES))
@example(text="\ud83e", lang="en")
def test_any_text_is_handled(text: str, lang: str) -> None:
    assert find(text, lang) in (None, *catalogue())
    assert set(suggest(text, lang)) <= set(catalogue())


@pytest.mark.parametrize(
    ("lang", "typed", "key"),
    [
        ("en", "brocolli", "broccoli"),
        ("en", "guitr", "guitar"),
        ("en", "umbrela", "umbrella"),
        ("en", "electric gitar", "electric_guitar"),
        ("de", "Regenschrim", "umbrella"),
        ("de", "Gittare", "guitar"),
        ("de", "einen Hut", "hat"),
        ("de", "einen Hasen", "rabbit"),
        ("de", "Kaese", "cheese"),
        ("de", "Muetze", "cap"),
        ("fr", "parapluit", "umbrella"),
        ("it", "chitara", "guitar"),
        ("es", "sombrrero", "hat"),
        ("pt", "guitara", "guitar"),
        ("nl", "parapluu", "umbrella"),
    ],
)
def test_small_typos_are_allowed(lang: str, typed: str, key: str) -> None:
    assert find(typed, lang) == key


def test_ambiguous_text_finds_nothing() -> None:
    assert find("Hammer", "de") == "hammer"
    assert find("Hummer", "de") == "lobster"
    assert find("Hommer", "de") is None
