"""A wrong name is not made right: a wasp is no bee and a cello no violin, in any language (4.3, 6.1)."""

import pytest

from notahat.gifts import LANGUAGES, catalogue, find
from notahat.gifts.word import others, words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_name_of_another_thing_never_finds_a_gift_and_is_never_taken_for_a_slip(lang: str) -> None:
    wrong = others(lang)
    assert set(wrong) <= set(catalogue())
    assert sum(map(len, wrong.values())) >= 150
    assert {name: gift for gift, names in wrong.items() for name in names if find(name, lang) is not None} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nor_is_it_among_the_words_for_any_gift(lang: str) -> None:
    every = {spelling.casefold() for word in words(lang).values() for spelling in (word.name, *word.synonyms)}
    assert [name for names in others(lang).values() for name in names if name.casefold() in every] == []


@pytest.mark.parametrize(
    ("lang", "name"),
    [
        *(("en", name) for name in ("wasp", "cello", "viola", "trombone", "cauliflower", "moth", "alligator", "toad")),
        *(
            ("de", name)
            for name in ("Wespe", "Cello", "Bratsche", "Posaune", "Blumenkohl", "Motte", "Alligator", "Kröte")
        ),
        *(("fr", name) for name in ("guêpe", "violoncelle", "alto", "trombone", "chou-fleur", "alligator", "crapaud")),
        *(("it", name) for name in ("vespa", "violoncello", "viola", "trombone", "cavolfiore", "falena", "alligatore")),
        *(("es", name) for name in ("avispa", "violonchelo", "viola", "trombón", "coliflor", "polilla", "sapo")),
        *(("pt", name) for name in ("vespa", "violoncelo", "trombone", "couve-flor", "mariposa", "jacaré", "sapo")),
        *(("nl", name) for name in ("wesp", "cello", "altviool", "trombone", "bloemkool", "mot", "alligator", "pad")),
    ],
)
def test_what_the_catalogue_does_not_have_is_not_found(lang: str, name: str) -> None:
    assert find(name, lang) is None
