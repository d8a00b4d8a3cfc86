"""Which gifts players confuse with one another."""

from collections.abc import Mapping
from functools import cache

from notahat.gifts import catalogue

LookAlikes = Mapping[str, tuple[str, ...]]


@cache
def catalogue_look_alikes() -> LookAlikes:
    """Return the look-alikes of every gift in the catalogue."""
    return {key: tuple(sorted(gift.look_alikes)) for key, gift in catalogue().items()}
