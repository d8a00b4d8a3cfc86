"""The catalogue is complete: every gift has everything in every language."""

import tomllib
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from notahat.gifts import LANGUAGES, catalogue, deck, denial, kinds, name, offer
from notahat.gifts.find import fold
from notahat.gifts.grammar import lines
from notahat.gifts.word import words

GENDERS: dict[str, str] = {"nl": "cn", "de": "mfn", "fr": "mf", "it": "mf", "es": "mf", "pt": "mf"}


def source(file: str) -> dict[str, Any]:
    return tomllib.loads(files("notahat.gifts").joinpath(file).read_text("utf-8"))


def test_gift_numbers_never_change() -> None:
    """A new gift takes the next number and the last line of numbers.txt; no other one changes."""
    numbers = {gift.number: key for key, gift in catalogue().items()}
    assert sorted(numbers) == list(range(len(catalogue())))
    kept = (Path(__file__).parent / "numbers.txt").read_text("utf-8").split()
    assert [numbers[number] for number in range(len(numbers))] == kept


def test_every_gift_is_in_a_deck() -> None:
    dealt = {card.gift for edition in ("classic", "special") for card in deck(edition)}
    assert set(catalogue()) - dealt == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_language_has_exactly_one_word_per_gift(lang: str) -> None:
    assert list(source(f"words/{lang}.toml")) == list(catalogue())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_is_complete(lang: str) -> None:
    for key, gift in catalogue().items():
        word = gift.words[lang]
        assert word.name == word.name.strip(), key
        assert 2 <= len(word.name) <= 26, key
        assert word.gender is None if lang == "en" else word.gender in tuple(GENDERS[lang]), key
        assert word.synonyms, key
        assert all(synonym == synonym.strip() and synonym for synonym in word.synonyms), key
        assert lines(word, lang).article or (word.plural and lang in ("en", "de", "nl")), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_and_synonyms_are_unique(lang: str) -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for key, word in words(lang).items():
        for spelling in (word.name, *word.synonyms):
            meanings[fold(spelling)].add(key)
    assert {spelling: keys for spelling, keys in meanings.items() if len(keys) > 1} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_name_the_gift_and_are_unique(lang: str) -> None:
    offers, denials = ({key: line(key, lang) for key in catalogue()} for line in (offer, denial))
    assert len(set(offers.values())) == len(set(denials.values())) == len(catalogue())
    for key in catalogue():
        assert name(key, lang) in denials[key]
        assert offers[key].endswith(".")
        assert denials[key].endswith("!")
        assert "  " not in offers[key] + denials[key]


def test_every_gift_has_one_kind_named_in_all_languages() -> None:
    gifts = [gift for kind in kinds().values() for gift in kind.gifts]
    assert sorted(gifts) == list(catalogue())
    for key, kind in kinds().items():
        assert list(kind.gifts) == sorted(kind.gifts), key
        assert tuple(kind.names) == LANGUAGES, key
    for lang in LANGUAGES:
        assert len({kind.names[lang] for kind in kinds().values()}) == len(kinds()), lang


def test_look_alikes_are_mutual() -> None:
    groups = source("gifts.toml")["look_alikes"]["groups"]
    assert len(groups) >= 40
    assert all(len(group) >= 2 and set(group) <= set(catalogue()) for group in groups)
    for key, gift in catalogue().items():
        assert key not in gift.look_alikes
        assert all(key in catalogue()[twin].look_alikes for twin in gift.look_alikes)


def test_unknown_gift_and_language_are_refused() -> None:
    with pytest.raises(LookupError, match="no gift 'dodo' in the catalogue"):
        name("dodo", "en")
    with pytest.raises(LookupError, match="no language 'xx'; there are en, de, fr, it, es, pt, nl"):
        offer("hat", "xx")
