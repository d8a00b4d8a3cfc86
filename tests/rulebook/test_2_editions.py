"""Chapter 2: editions. How many cards of which back a deck has."""

from collections import Counter

import pytest

from notahat.gifts import cards, catalogue, deck
from notahat.rules import Back


@pytest.mark.parametrize(
    ("edition", "left", "right", "every"),
    [("classic", 55, 55, 0), ("special", 40, 40, 30)],
)
def test_r2_a_deck_has_its_number_of_each_back(edition: str, left: int, right: int, every: int) -> None:
    backs = Counter(card.back for card in deck(edition))
    assert (backs[Back.LEFT], backs[Back.RIGHT], backs[Back.ANY]) == (left, right, every)


def test_r2_special_edition_without_special_cards() -> None:
    assert len(cards("special")) == 110
    assert len(cards("special", special_cards=False)) == 80
    assert all(card.back is not Back.ANY for card in cards("special", special_cards=False))


@pytest.mark.parametrize("edition", ["classic", "special"])
def test_r2_deck_has_each_catalogue_gift_at_most_once(edition: str) -> None:
    keys = [card.gift for card in deck(edition)]
    assert len(set(keys)) == 110
    assert set(keys) <= set(catalogue())


def test_r2_most_special_gifts_are_not_in_classic() -> None:
    classic, special = ({card.gift for card in deck(edition)} for edition in ("classic", "special"))
    assert len(special - classic) >= 70


@pytest.mark.parametrize(
    ("edition", "arrows", "others"),
    [
        ("classic", {"piano": "left", "guitar": "right", "broccoli": "left", "book": "left"}, {"hat", "muffin"}),
        (
            "special",
            {"book": "left", "electric_guitar": "right", "bendy_pencil": "any"},
            {"hat", "floppy_disk", "cupcake", "carrot", "glasses"},
        ),
    ],
)
def test_r2_cards_of_the_rule_books_examples(edition: str, arrows: dict[str, str], others: set[str]) -> None:
    """`others`: gifts of the examples whose arrows are not shown."""
    backs = {card.gift: card.back.value for card in deck(edition)}
    assert {gift: backs[gift] for gift in arrows} == arrows
    assert others <= set(backs)


def test_r2_an_unknown_edition_is_refused_by_name() -> None:
    with pytest.raises(LookupError, match="no edition 'deluxe'; there are classic, special"):
        deck("deluxe")
