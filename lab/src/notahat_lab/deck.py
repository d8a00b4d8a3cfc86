"""The cards of a game: an edition's, or those of an own deck in a `.hat` file."""

from functools import cache
from pathlib import Path

from notahat.gifts import cards, read_deck
from notahat.gifts.deck import variant
from notahat.rules import Card, Illegal
from notahat_lab.errors import LabError


@cache
def deck_cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of an edition, or of the `.hat` file that `edition` names. Raise `LabError`.

    A file may hold gifts of the catalogue only: observations and actions have no codes for others.
    """
    if not edition.endswith(".hat"):
        return cards(edition, special_cards, arrows)
    try:
        deck = read_deck(Path(edition).read_bytes())
    except OSError as problem:
        raise LabError(f"cannot read {edition}: {problem.strerror}") from None
    except Illegal as problem:
        raise LabError(f"{edition}: {problem.detail}") from None
    if deck.own:
        raise LabError(f"{edition}: the laboratory plays with gifts of the catalogue only")
    return variant(deck.cards, special_cards, arrows)
