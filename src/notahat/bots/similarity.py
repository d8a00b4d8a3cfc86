"""Likeness: which gifts people take for one another, from the catalogue."""

from collections.abc import Mapping
from functools import cache

from notahat.gifts import catalogue

Likeness = Mapping[str, tuple[str, ...]]


@cache
def look_alikes() -> Likeness:
    """Which gifts each gift is easily taken for."""
    return {key: tuple(sorted(gift.look_alikes)) for key, gift in catalogue().items()}
