"""Likeness: which gifts people take for one another, from the catalogue."""

from functools import cache

from notahat.gifts import catalogue


@cache
def look_alikes() -> dict[str, tuple[str, ...]]:
    """Which gifts each gift is easily taken for."""
    return {key: tuple(sorted(gift.look_alikes)) for key, gift in catalogue().items()}
