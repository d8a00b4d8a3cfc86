"""Own decks: reading, checking and writing `.hat` files (docs/decks.md).

A file is JSON. Everything in it is checked here; an `Illegal` gives the reason and the place.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from notahat.gifts.deck_errors import DeckReason
from notahat.gifts.gift import catalogue
from notahat.gifts.image_check import Image, check_image
from notahat.gifts.invisible import is_invisible
from notahat.gifts.word import LANGUAGES, Language, Word, facts
from notahat.rules import Back, Card, Illegal
from notahat.rules.round import FEWEST_PLAYERS, cards_needed, usual_gifts

VERSION = 1
LARGEST_FILE = 2_000_000
MOST_PIXELS = 32_000_000  # in all pictures of a deck: 128 MB when a browser draws them
MOST_CARDS = 200
FEWEST_CARDS = cards_needed(FEWEST_PLAYERS, usual_gifts(FEWEST_PLAYERS))  # rule 9.3 with two players
LONGEST_NAME = 30
MOST_MARKS = 4  # combining marks in a row, as Unicode's security mechanisms (UTS 39) allow
MOST_SYNONYMS = 8
MOST_LOOK_ALIKES = 12
OWN = "own_"

_PUNCTUATION = " '’-.,"

NameKeys = Callable[[str], frozenset[str]]


class OwnGift(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An own gift in a file: a picture, words in one language or more, and look-alikes: catalogue gifts by key, own
    gifts by their number in the file (#1).
    """

    picture: bytes
    words: dict[str, Word]
    look_alikes: tuple[str, ...] = ()


class Hat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file. Cards are named by their gift; `balanced` cards get arrows such that both colours are equally many."""

    hat: Literal[1]
    name: str
    language: Language = "en"
    balanced: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    own: tuple[OwnGift, ...] = ()


class Own(Struct, frozen=True):
    """An own gift in a deck. Its key is a hash of its content, so it is unique everywhere."""

    key: str
    words: dict[str, Word]
    look_alikes: tuple[str, ...]
    kind: str
    picture: bytes = b""

    def spoken(self, lang: str, language: str) -> str:
        """Return the language of its words for a player: `lang`, or the deck's `language` if it has no word in it."""
        return lang if lang in self.words else language


class Deck(Struct, frozen=True):
    """Cards, and the own gifts among them."""

    name: str
    language: Language
    cards: tuple[Card, ...]
    own: tuple[Own, ...] = ()


class _Version(Struct):
    hat: int


def plain_name_keys(name: str) -> frozenset[str]:
    return frozenset((unicodedata.normalize("NFKC", name).casefold(),))


def read_deck(data: bytes, name_keys: NameKeys = plain_name_keys) -> Deck:
    """Return the deck of a `.hat` file. Raise `Illegal` with the reason and the place."""
    return deck_of(read_hat(data), name_keys)


def read_hat(data: bytes) -> Hat:
    """Parse a file. Raise `Illegal` if it is too large or malformed; `deck_of` checks the content."""
    if len(data) > LARGEST_FILE:
        raise Illegal(DeckReason.TOO_BIG, f"a deck has at most {LARGEST_FILE} bytes")
    if data.count(b"[") + data.count(b"{") > 100 + 20 * MOST_CARDS:
        raise Illegal(DeckReason.UNREADABLE, "too many brackets")
    try:
        version = msgspec.json.decode(data, type=_Version).hat
        if version > VERSION:
            raise Illegal(DeckReason.TOO_NEW, f"the file has version {version}, but the newest known one is {VERSION}")
        return msgspec.json.decode(data, type=Hat)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Illegal(DeckReason.UNREADABLE, f"this is no .hat file: {error}"[:200]) from None


def deck_of(hat: Hat, name_keys: NameKeys = plain_name_keys) -> Deck:
    """Check the content of a file and return its deck. Raise `Illegal`."""
    _check_name(hat.name, "the deck")
    own = _own(hat, name_keys)
    cards = tuple(_cards(hat, own))
    if len(cards) < FEWEST_CARDS:
        missing = FEWEST_CARDS - len(cards)
        raise Illegal(DeckReason.TOO_SMALL, f"{missing} more cards are needed: {len(cards)} of {FEWEST_CARDS} (9.3)")
    if len(cards) > MOST_CARDS:
        raise Illegal(DeckReason.TOO_BIG, f"a deck has at most {MOST_CARDS} cards, this one {len(cards)}")
    duplicate = _first_duplicate(card.gift for card in cards)
    if duplicate is not None:
        raise Illegal(DeckReason.TWICE, f"{duplicate} is on two cards")
    return Deck(hat.name, hat.language, cards, own)


def hat_of(deck: Deck) -> Hat:
    """Return the file of a deck."""
    numbers = {own.key: f"#{number}" for number, own in enumerate(deck.own, 1)}

    def named(back: Back) -> tuple[str, ...]:
        return tuple(numbers.get(card.gift, card.gift) for card in deck.cards if card.back is back)

    own = tuple(
        OwnGift(gift.picture, gift.words, tuple(numbers.get(key, key) for key in gift.look_alikes)) for gift in deck.own
    )
    left, right, any_ = named(Back.LEFT), named(Back.RIGHT), named(Back.ANY)
    return Hat(1, deck.name, deck.language, left=left, right=right, any=any_, own=own)


def look_alikes_in(deck: Deck | None) -> dict[str, tuple[str, ...]]:
    """Return the look-alikes of each gift, own gifts of the deck included, in both directions."""
    alike = {key: set(gift.look_alikes) for key, gift in catalogue().items()}
    for own in deck.own if deck is not None else ():
        alike.setdefault(own.key, set()).update(own.look_alikes)
        for other in own.look_alikes:
            alike.setdefault(other, set()).add(own.key)
    return {key: tuple(sorted(others)) for key, others in alike.items()}


def _cards(hat: Hat, own: tuple[Own, ...]) -> Iterator[Card]:
    """Yield the cards in the order of the file; a balanced card gets the colour that is rarer so far."""
    left, right = len(hat.left), len(hat.right)
    for back in Back:
        for gift in getattr(hat, back.value):
            yield Card(_gift(gift, own), back)
    for gift in hat.balanced:
        back = Back.LEFT if left <= right else Back.RIGHT
        left, right = left + (back is Back.LEFT), right + (back is Back.RIGHT)
        yield Card(_gift(gift, own), back)


def _gift(named: str, own: Sequence[Own]) -> str:
    """Return the key of a gift that the file names."""
    number = named.removeprefix("#")
    if number != named and number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(own):
        return own[int(number) - 1].key
    if named not in catalogue():
        raise Illegal(DeckReason.GIFT, f"there is no gift {named[:40]!r}")
    return named


def _own(hat: Hat, name_keys: NameKeys) -> tuple[Own, ...]:
    found, pixels = [], 0
    for number, gift in enumerate(hat.own, 1):
        image = _checked_image(number, gift)
        pixels += image.width * image.height
        if pixels > MOST_PIXELS:
            raise Illegal(DeckReason.TOO_BIG, f"all pictures together have more than {MOST_PIXELS} pixels")
        found.append(_checked_gift(number, gift, hat.language, image.kind))
    if _first_duplicate(own.key for own in found) is not None:
        raise Illegal(DeckReason.TWICE, "two own gifts are the same")
    _check_names_differ(found, name_keys)
    return tuple(
        msgspec.structs.replace(own, look_alikes=_look_alikes(own, gift, found))
        for own, gift in zip(found, hat.own, strict=True)
    )


def _checked_image(number: int, gift: OwnGift) -> Image:
    try:
        return check_image(gift.picture)
    except Illegal as illegal:
        raise Illegal(illegal.reason, f"own gift {number}: {illegal.detail}") from None


def _checked_gift(number: int, gift: OwnGift, language: str, kind: str) -> Own:
    where = f"own gift {number}"
    if language not in gift.words:
        raise Illegal(DeckReason.NAME, f"{where} has no name in the deck's language, {language}")
    for lang, word in gift.words.items():
        check_word(word, lang, where)
    digest = sha256(gift.picture + msgspec.json.encode(gift.words, order="deterministic"))
    return Own(OWN + digest.hexdigest()[:16], gift.words, (), kind, gift.picture)


def _look_alikes(own: Own, gift: OwnGift, all_own: Sequence[Own]) -> tuple[str, ...]:
    if len(gift.look_alikes) > MOST_LOOK_ALIKES:
        raise Illegal(DeckReason.GIFT, f"a gift has at most {MOST_LOOK_ALIKES} look-alikes")
    return tuple(sorted({_gift(named, all_own) for named in gift.look_alikes} - {own.key}))


def check_word(word: Word, lang: str, where: str) -> None:
    """Raise `Illegal` unless the grammar can form the two lines of this word."""
    if lang not in LANGUAGES:
        raise Illegal(DeckReason.NAME, f"{where}: there is no language {lang[:8]!r}")
    for name in (word.name, word.accusative, *word.synonyms):
        if name is not None:
            _check_name(name, where)
    language = facts(lang)
    genders = language.genders
    free = not genders or (word.plural and language.plural_without_gender)
    if word.gender not in genders and not (free and word.gender is None):
        raise Illegal(DeckReason.NAME, f"{where}: the gender in {lang} must be one of {', '.join(genders) or 'none'}")
    if word.sound is not None and word.sound not in language.sounds:
        raise Illegal(DeckReason.NAME, f"{where}: the sound {word.sound} is not used in {lang}")
    if (word.accusative is not None and lang != "de") or len(word.synonyms) > MOST_SYNONYMS:
        raise Illegal(
            DeckReason.NAME, f"{where}: only German has an accusative, and at most {MOST_SYNONYMS} synonyms are allowed"
        )


def _check_name(name: str, where: str) -> None:
    """Allow only letters, digits and punctuation of words: no markup, invisible characters or line breaks."""
    allowed = all(letter in _PUNCTUATION or _is_word_character(letter) for letter in name)
    letters = sum(letter.isalpha() for letter in name)
    tidy = name == " ".join(unicodedata.normalize("NFC", name).split())
    marks = "".join("M" if unicodedata.category(letter)[0] == "M" else " " for letter in name)
    tidy = tidy and "M" * (MOST_MARKS + 1) not in marks
    if not (allowed and tidy and letters >= 2 and name[0].isalpha() and len(name) <= LONGEST_NAME):
        raise Illegal(
            DeckReason.NAME,
            f"{where}: a name has 2 to {LONGEST_NAME} letters, digits, spaces, hyphens or apostrophes",
        )


def _is_word_character(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN" and not is_invisible(letter)


def _check_names_differ(all_own: Sequence[Own], name_keys: NameKeys) -> None:
    """Raise `Illegal` if the name of an own gift equals or resembles that of another gift."""
    for lang in LANGUAGES:
        used: dict[str, str] = {}
        if any(lang in own.words for own in all_own):
            names = (gift.words[lang].name for gift in catalogue().values())
            used = {key: name for name in names for key in name_keys(name)}
        for own in all_own:
            if lang not in own.words:
                continue
            name = own.words[lang].name
            other = next((used[key] for key in name_keys(name) if key in used), None)
            if other is not None:
                raise Illegal(DeckReason.TWICE, f"the name {name} equals or resembles {other} ({lang})")
            used |= dict.fromkeys(name_keys(name), name)


def _first_duplicate(keys: Iterator[str]) -> str | None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return None
