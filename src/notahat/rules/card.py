"""A card: a gift on its front, an arrow on its back (rule 1)."""

from enum import StrEnum

from msgspec import Struct


class Back(StrEnum):
    """The arrow on a back. Its colour follows from its direction: black points left, white right."""

    LEFT = "left"
    RIGHT = "right"
    ANY = "any"


class Card(Struct, frozen=True, gc=False):
    """One card. The round knows which of its sides is up."""

    gift: str
    back: Back
