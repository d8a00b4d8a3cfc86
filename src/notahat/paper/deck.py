"""The decks as they are printed.

A printed deck has the gifts and the numbers of arrows of its edition, but the arrows are dealt to them anew: what
somebody can print must not tell what is under a wrapping on a screen (decisions/0016). On paper nobody minds.
"""

from collections import Counter
from functools import cache

from notahat import gifts
from notahat.rules import Back, Card

EDITIONS = ("classic", "special")


def cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """The cards of a variant in the order in which they are printed: those with the same back lie side by side."""
    backs = {card.back for card in gifts.cards(edition, special_cards, arrows)}
    return tuple(card for card in _dealt_anew(edition) if card.back in backs)


@cache
def _dealt_anew(edition: str) -> tuple[Card, ...]:
    """Through the alphabet each gift gets the back of which most is left, by its share."""
    deck = gifts.deck(edition)
    whole = Counter(card.back for card in deck)
    left = whole.copy()
    dealt = []
    for gift in sorted(card.gift for card in deck):
        back = max(Back, key=lambda one: left[one] / whole[one] if whole[one] else 0.0)
        left[back] -= 1
        dealt.append(Card(gift, back))
    order = list(Back)
    return tuple(sorted(dealt, key=lambda card: order.index(card.back)))
