"""The cards of a printed deck.

The printed editions have the same gifts and the same number of each arrow as the built-in decks, but the arrows are
assigned to other gifts, so that a printed deck reveals nothing about cards on a screen (decisions/0016). An own deck is
printed as it is.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from notahat import gifts
from notahat.gifts.deck import variant as deck_variant
from notahat.rules import Back, Card

EDITIONS = ("classic", "special")
SUFFIX = ".hat"
_ORDER = {back: number for number, back in enumerate(Back)}


def cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of an edition's variant in printing order."""
    return variant(_reassigned(edition), special_cards, arrows)


def variant(cards: Iterable[Card], special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of a variant (rule 7.1), sorted by their backs."""
    return tuple(sorted(deck_variant(cards, special_cards, arrows), key=lambda card: _ORDER[card.back]))


def own(name: str) -> gifts.Deck:
    """Read a deck from a `.hat` file. Raise `ValueError`, or `Illegal` for a bad deck."""
    if not name.endswith(SUFFIX):
        raise ValueError(f"no deck {name!r}; there are {', '.join(EDITIONS)}, and your own as a {SUFFIX} file")
    try:
        data = Path(name).read_bytes()
    except OSError as problem:
        raise ValueError(f"cannot read {name}: {problem.strerror}") from None
    return gifts.read_deck(data)


@cache
def _reassigned(edition: str) -> tuple[Card, ...]:
    """Assign to each gift, in alphabetical order, the back of which the largest share is left."""
    deck = gifts.deck(edition)
    total = Counter(card.back for card in deck)
    left = total.copy()
    cards = []
    for gift in sorted(card.gift for card in deck):
        back = max(Back, key=lambda one: left[one] / total[one] if total[one] else 0.0)
        left[back] -= 1
        cards.append(Card(gift, back))
    return tuple(cards)
