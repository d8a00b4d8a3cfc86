"""The decks of both editions and their variants (rules 2 and 7)."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from notahat.gifts.word import load_toml
from notahat.rules import Back, Card

Edition = Literal["classic", "special"]
Arrows = Literal["both", "black", "white"]

_BACKS = {"both": (Back.LEFT, Back.RIGHT), "black": (Back.LEFT,), "white": (Back.RIGHT,)}


@cache
def deck(edition: str) -> tuple[Card, ...]:
    """Return all cards of an edition, unshuffled. Raise `LookupError` for an unknown one."""
    decks = load_toml("decks.toml")
    if edition not in decks:
        raise LookupError(f"no edition {edition!r}; there are {', '.join(decks)}")
    return tuple(Card(gift, back) for back in Back for gift in decks[edition][back.value])


def cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of a variant of an edition."""
    return variant(deck(edition), special_cards, arrows)


def variant(all_cards: Iterable[Card], special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards with these arrows, and the special cards if they are played with (7.1)."""
    if arrows not in _BACKS:
        raise LookupError(f"no arrows {arrows!r}; there are {', '.join(_BACKS)}")
    backs = (*_BACKS[arrows], Back.ANY) if special_cards else _BACKS[arrows]
    return tuple(card for card in all_cards if card.back in backs)
