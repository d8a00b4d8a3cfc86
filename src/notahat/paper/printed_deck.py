"""The decks as they are printed.

A printed deck has the gifts and the numbers of arrows of its edition, but the arrows are dealt to them anew: what
somebody can print must not tell what is under a wrapping on a screen (decisions/0016). On paper nobody minds.
One's own deck is printed as it was made.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from notahat import gifts
from notahat.gifts.deck import variant as left_of
from notahat.rules import Back, Card

EDITIONS = ("classic", "special")
OWN = ".hat"
_ORDER = {back: place for place, back in enumerate(Back)}


def cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """The cards of an edition's variant in the order in which they are printed."""
    return variant(_dealt_anew(edition), special_cards, arrows)


def variant(cards: Iterable[Card], special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """What is left of them (rule 7.1), those with the same back side by side."""
    return tuple(sorted(left_of(cards, special_cards, arrows), key=lambda card: _ORDER[card.back]))


def own(name: str) -> gifts.Deck:
    """A deck from a `.hat` file."""
    if not name.endswith(OWN):
        raise ValueError(f"no deck {name!r}; there are {', '.join(EDITIONS)}, and your own as a {OWN} file")
    try:
        data = Path(name).read_bytes()
    except OSError as problem:
        raise ValueError(f"cannot read {name}: {problem.strerror}") from None
    return gifts.read_deck(data)


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
    return tuple(dealt)
