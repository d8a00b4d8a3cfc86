"""A card: a gift on its front, an arrow on its back (rule 1)."""

from enum import StrEnum

from msgspec import Struct


class Back(StrEnum):
    """The arrow on a back. Colour and direction are one thing: black points left, white right."""

    LEFT = "left"
    RIGHT = "right"
    ANY = "any"


class Card(Struct, frozen=True, gc=False):
    """One card. It never tells which of its sides is up: that is for the round to know."""

    gift: str
    back: Back
