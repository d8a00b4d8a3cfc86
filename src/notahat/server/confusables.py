"""Names that look alike: characters that Unicode lists as confusable (UTS 39) get the same key."""

import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs.confusables import confusables_data

from notahat.table.name import folded_name_keys

MAX_CACHED = 4096


@lru_cache(MAX_CACHED)
def name_keys(name: str) -> frozenset[str]:
    """Return keys of a name; two names that share a key look alike."""
    plain = unicodedata.normalize("NFKC", name)
    return folded_name_keys(name).union(*(folded_name_keys(_skeleton(text)) for text in (plain, plain.casefold())))


def _skeleton(text: str) -> str:
    """Return the text with every character replaced by the first of its confusable group."""
    first = _first_of_group()
    skeleton = "".join(first.get(character, character) for character in text)
    return skeleton.replace("rn", "m").replace("vv", "w")


@cache
def _first_of_group() -> dict[str, str]:
    """Map each character to the one with the lowest code point in its confusable group."""
    found: dict[str, str] = {}
    for character in confusables_data:
        if len(character) == 1 and character not in found:
            group = _group(character)
            found |= dict.fromkeys(group, min(group, key=ord))
    return found


def _group(character: str) -> set[str]:
    """Return all characters that are confusable with one, directly or through others."""
    group, pending = {character}, [character]
    while pending:
        for other in confusables_data.get(pending.pop(), ()):
            alike = other["c"].strip("\u200e")
            if len(alike) == 1 and alike not in group:
                group.add(alike)
                pending.append(alike)
    return group
