"""Kinds of gifts, such as food or animals: what somebody who browses may look under."""

from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct

from notahat.gifts.word import data


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind with its name in each language and its gifts. Every gift is of one kind."""

    names: Mapping[str, str]
    gifts: tuple[str, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its key, in the order in which people are shown them."""
    return msgspec.convert(data("gifts.toml")["kinds"], dict[str, Kind])
