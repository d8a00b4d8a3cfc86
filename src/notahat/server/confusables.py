"""Names that look alike: characters that Unicode lists as confusable (UTS 39) get the same key."""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from notahat.table.people import folded_name_keys

MAX_CACHED = 4096


class LookAlike(Struct, frozen=True):
    """One line of the package's list: characters that look like another one."""

    c: str


@lru_cache(MAX_CACHED)
def name_keys(name: str) -> frozenset[str]:
    """Return keys of a name; two names that share a key look alike."""
    plain, first = unicodedata.normalize("NFKC", name), _first_of_group()
    alike = ("".join(first.get(one, one) for one in text) for text in (plain, plain.casefold()))
    skeletons = (text.replace("rn", "m").replace("vv", "w") for text in alike)
    return folded_name_keys(name).union(*map(folded_name_keys, skeletons))


@cache
def _first_of_group() -> dict[str, str]:
    """Map each character to the one with the lowest code point in its confusable group."""
    # not by importing the package, which keeps 6 MB of descriptions in memory
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    alike = msgspec.json.decode(text, type=dict[str, list[LookAlike]])
    found: dict[str, str] = {}
    for character in alike:
        if len(character) == 1 and character not in found:
            group = _group(character, alike)
            found |= dict.fromkeys(group, min(group, key=ord))
    return found


def _group(character: str, alike: dict[str, list[LookAlike]]) -> set[str]:
    """Return all characters that are confusable with one, directly or through others."""
    group, pending = {character}, [character]
    while pending:
        for other in alike.get(pending.pop(), ()):
            text = other.c.strip("\u200e")
            if len(text) == 1 and text not in group:
                group.add(text)
                pending.append(text)
    return group
