"""Why a deck that somebody made cannot be played with."""

from enum import StrEnum


class DeckReason(StrEnum):
    """Outsiders show these to people, so the values stay."""

    UNREADABLE = "deck_unreadable"
    TOO_NEW = "deck_too_new"
    TOO_BIG = "deck_too_big"
    TOO_SMALL = "deck_too_small"
    TWICE = "deck_twice"
    GIFT = "deck_gift"
    NAME = "deck_name"
    PICTURE = "deck_picture"
    PICTURE_TELLS = "deck_picture_tells"
