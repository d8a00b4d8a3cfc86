"""The catalogue: every gift with its drawing, look-alikes and words; and the decks of both editions (rules 2 and 7)."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from notahat.gifts.grammar import lines
from notahat.gifts.word import LANGUAGES, Word, facts, load_toml, words
from notahat.rules import Back, Card


class Gift(Struct, frozen=True):
    """One gift. `drawing` is an OpenMoji code point, or "own"; `number` identifies it and is never reused."""

    key: str
    number: int
    drawing: str
    look_alikes: frozenset[str]
    words: Mapping[str, Word]


@cache
def catalogue() -> Mapping[str, Gift]:
    """Return every gift by its key, in alphabetical order."""
    source = load_toml("gifts.toml")
    groups = [frozenset(group) for group in source["look_alikes"]["groups"]]
    return MappingProxyType(
        {
            key: Gift(
                key=key,
                number=described["number"],
                drawing=described["drawing"],
                look_alikes=frozenset[str]().union(*(group for group in groups if key in group)) - {key},
                words=MappingProxyType({lang: words(lang)[key] for lang in LANGUAGES}),
            )
            for key, described in source["gifts"].items()
        }
    )


def name(key: str, lang: str) -> str:
    """Return a gift's name without an article."""
    return _word(key, lang).name


def offer(key: str, lang: str) -> str:
    """Return the giver's line, such as *I have a nice hat for you.*"""
    return lines(_word(key, lang), lang).offer


def denial(key: str, lang: str) -> str:
    """Return the doubting receiver's line, such as *That's not a hat!*"""
    return lines(_word(key, lang), lang).denial


def _word(key: str, lang: str) -> Word:
    word = words(lang).get(key)
    if word is None:
        raise LookupError(f"no gift {key!r} in the catalogue")
    return word


class Kind(Struct, frozen=True):
    """A kind with its name in each language, and its gifts. Every gift has one kind."""

    names: Mapping[str, str]
    gifts: tuple[str, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by its key, in display order."""
    return {
        key: Kind({lang: facts(lang).kinds[key] for lang in LANGUAGES}, tuple(kind["gifts"]))
        for key, kind in load_toml("gifts.toml")["kinds"].items()
    }


OWN = "own"
_SHRUNK = frozenset({"butterfly", "cupcake", "flute", "glasses", "paintbrush", "snake"})  # drawn beyond the box


def svg(gift: Gift, openmoji: Path) -> str:
    """Return a gift's drawing as SVG; `openmoji` is the folder of the unpacked npm package."""
    if gift.drawing == OWN:
        return files("notahat.gifts").joinpath("drawings", f"{gift.key}.svg").read_text("utf-8")
    return (openmoji / "black" / "svg" / f"{gift.drawing}.svg").read_text("utf-8")


def slim(drawing: str) -> str:
    """Return the drawing without ids, comments and space between tags, so that nothing in it names the gift."""
    drawing = re.sub(r"<!--.*?-->|<\?xml.*?\?>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'\s+id="[^"]*"', "", drawing)
    return re.sub(r">\s+<", "><", drawing).strip()


def fit(gift: Gift, content: str) -> str:
    """Return the content of a drawing, made smaller if it would be cut off by the box."""
    if gift.key not in _SHRUNK:
        return content
    return f'<g transform="translate(2.16 2.16) scale(.94)">{content}</g>'


Edition = Literal["classic", "special"]
Arrows = Literal["both", "black", "white"]

_BACKS = {"both": (Back.LEFT, Back.RIGHT), "black": (Back.LEFT,), "white": (Back.RIGHT,)}


@cache
def deck(edition: str) -> tuple[Card, ...]:
    """Return all cards of an edition, unshuffled. Raise `LookupError` for an unknown one."""
    decks = load_toml("decks.toml")
    if edition not in decks:
        raise LookupError(f"no edition {edition!r}; there are {', '.join(decks)}")
    return tuple(Card(gift, back) for back in Back for gift in decks[edition][back.value])


def cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of a variant of an edition."""
    return variant(deck(edition), special_cards, arrows)


def variant(all_cards: Iterable[Card], special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards with these arrows, and the special cards if they are played with (7.1)."""
    if arrows not in _BACKS:
        raise LookupError(f"no arrows {arrows!r}; there are {', '.join(_BACKS)}")
    backs = (*_BACKS[arrows], Back.ANY) if special_cards else _BACKS[arrows]
    return tuple(card for card in all_cards if card.back in backs)


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
