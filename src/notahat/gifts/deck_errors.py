"""Reasons for refusing an own deck."""

from enum import StrEnum

from notahat.rules import Illegal


class DeckReason(StrEnum):
    """Why an own deck is refused. The values are public."""

    UNREADABLE = "deck_unreadable"
    TOO_NEW = "deck_too_new"
    TOO_BIG = "deck_too_big"
    TOO_SMALL = "deck_too_small"
    TWICE = "deck_twice"
    GIFT = "deck_gift"
    NAME = "deck_name"
    PICTURE = "deck_picture"
    PICTURE_METADATA = "deck_picture_tells"


def unusable(why: str) -> Illegal:
    """Return the refusal of a picture that cannot be drawn as it is."""
    return Illegal(DeckReason.PICTURE, f"this picture cannot be used: {why}")


def has_metadata(what: str) -> Illegal:
    """Return the refusal of a picture that contains more than the picture."""
    return Illegal(DeckReason.PICTURE_METADATA, f"the picture contains metadata ({what}): save it without")
