"""Reasons for refusing an own deck."""

from enum import StrEnum


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
