"""The decks on paper, which the build of the page writes (decisions/0016)."""

from collections import Counter

import pytest

from notahat import gifts
from web_catalogue import EDITIONS, printed_deck


@pytest.mark.parametrize("edition", EDITIONS)
def test_r2_printed_deck_has_gifts_and_arrows_of_edition(edition: str) -> None:
    printed, kept = printed_deck(edition), gifts.deck(edition)
    assert sorted(gift for gift, _ in printed) == sorted(card.gift for card in kept)
    assert Counter(back for _, back in printed) == Counter(card.back.value for card in kept)


@pytest.mark.parametrize("edition", EDITIONS)
def test_printed_arrows_reveal_nothing_about_screen_decks(edition: str) -> None:
    """As many arrows agree as by chance."""
    kept = {card.gift: card.back.value for card in gifts.deck(edition)}
    agree = sum(kept[gift] == back for gift, back in printed_deck(edition))
    chance = sum(n * n for n in Counter(kept.values()).values()) / len(kept)
    assert abs(agree - chance) <= len(kept) / 10
