"""Gifts with drawings, look-alikes, names and grammar in seven languages; decks of cards."""

from notahat.gifts.find import find, suggest
from notahat.gifts.gift import (
    Arrows,
    DeckReason,
    Edition,
    Gift,
    Kind,
    cards,
    catalogue,
    deck,
    denial,
    kinds,
    name,
    offer,
)
from notahat.gifts.grammar import typeset
from notahat.gifts.hat_file import Deck, Hat, Own, OwnGift, deck_of, hat_of, read_deck, read_hat
from notahat.gifts.word import LANGUAGES, Word

__all__ = [
    "LANGUAGES",
    "Arrows",
    "Deck",
    "DeckReason",
    "Edition",
    "Gift",
    "Hat",
    "Kind",
    "Own",
    "OwnGift",
    "Word",
    "cards",
    "catalogue",
    "deck",
    "deck_of",
    "denial",
    "find",
    "hat_of",
    "kinds",
    "name",
    "offer",
    "read_deck",
    "read_hat",
    "suggest",
    "typeset",
]
