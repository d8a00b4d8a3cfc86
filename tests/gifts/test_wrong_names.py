"""Names of other things find no gift: a wasp is not a bee, in any language (4.3, 6.1)."""

import pytest

from notahat.gifts import LANGUAGES, catalogue, find
from notahat.gifts.word import words, wrong_names


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_name_finds_no_gift(lang: str) -> None:
    wrong = wrong_names(lang)
    assert set(wrong) <= set(catalogue())
    assert sum(map(len, wrong.values())) >= 150
    assert {name: gift for gift, names in wrong.items() for name in names if find(name, lang) is not None} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_name_is_not_a_gift_name(lang: str) -> None:
    every = {spelling.casefold() for word in words(lang).values() for spelling in (word.name, *word.synonyms)}
    assert [name for names in wrong_names(lang).values() for name in names if name.casefold() in every] == []


OUTSIDE = {
    "en": "wasp cello viola trombone cauliflower moth alligator toad",
    "de": "Wespe Cello Bratsche Posaune Blumenkohl Motte Alligator Kröte",
    "fr": "guêpe violoncelle alto trombone chou-fleur alligator crapaud",
    "it": "vespa violoncello viola trombone cavolfiore falena alligatore",
    "es": "avispa violonchelo viola trombón coliflor polilla sapo",
    "pt": "vespa violoncelo trombone couve-flor mariposa jacaré sapo",
    "nl": "wesp cello altviool trombone bloemkool mot alligator pad",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_things_outside_the_catalogue_are_not_found(lang: str) -> None:
    assert {name: find(name, lang) for name in OUTSIDE[lang].split() if find(name, lang)} == {}
