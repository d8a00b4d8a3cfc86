"""The catalogue: gifts, their drawings and look-alikes, decks, names and grammar in seven languages."""

from notahat.gifts.deck import Arrows, Edition, cards, deck
from notahat.gifts.find import find, suggest
from notahat.gifts.gift import Gift, catalogue, denial, name, offer
from notahat.gifts.grammar import typeset
from notahat.gifts.kind import Kind, kinds
from notahat.gifts.word import LANGUAGES, Word

__all__ = [
    "LANGUAGES",
    "Arrows",
    "Edition",
    "Gift",
    "Kind",
    "Word",
    "cards",
    "catalogue",
    "deck",
    "denial",
    "find",
    "kinds",
    "name",
    "offer",
    "suggest",
    "typeset",
]
