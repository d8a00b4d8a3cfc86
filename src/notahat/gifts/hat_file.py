"""A deck of one's own: the `.hat` file (docs/decks.md), and the deck value that is made of it.

A file is JSON and nothing else. Everything in it is checked here, and whatever is wrong has a reason and says where.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from notahat.gifts.deck_errors import DeckReason
from notahat.gifts.gift import catalogue
from notahat.gifts.grammar import Lines, lines
from notahat.gifts.image_check import kind_of, unpacked
from notahat.gifts.word import LANGUAGES, Word
from notahat.rules import Back, Card, Illegal
from notahat.rules.round import FEWEST_PLAYERS, cards_needed, usual_gifts

VERSION = 1
LARGEST_FILE = 2_000_000
MOST_UNPACKED = 128_000_000  # bytes of points, in all pictures: about a tenth of a second
MOST_CARDS = 200
FEWEST_CARDS = cards_needed(FEWEST_PLAYERS, usual_gifts(FEWEST_PLAYERS))  # rule 9.3, with the fewest people
LONGEST_NAME = 30
MOST_SYNONYMS = 8
MOST_LOOK_ALIKES = 12
OWN = "own_"

_TWO = ("m", "f")
_GENDERS = {"en": (), "de": ("m", "f", "n"), "fr": _TWO, "it": _TWO, "es": _TWO, "pt": _TWO, "nl": ("c", "n")}
_ANY_GENDER = ("de", "nl")  # where many of a thing are the same whatever its gender
_SOUNDS: Mapping[str, tuple[str, ...]] = {
    "en": ("vowel", "consonant"),
    "fr": ("vowel", "consonant"),
    "it": ("vowel", "consonant", "impure"),
    "es": ("tonic_a",),
}
_MARKS = " '’-.,"

Language = Literal["en", "de", "fr", "it", "es", "pt", "nl"]
Looks = Callable[[str], frozenset[str]]


class OwnGift(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A gift that is in no catalogue: a picture, its words in one language or more, and what it is easily taken for:
    gifts of the catalogue by key, other own ones by their number in the file (#1).
    """

    picture: bytes
    words: dict[str, Word]
    look_alikes: tuple[str, ...] = ()


class Hat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file as it is written. Cards are named by the gift on them; the arrows of `balanced` ones are chosen so that
    both colours are as many.
    """

    hat: Literal[1]
    name: str
    language: Language = "en"
    balanced: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    own: tuple[OwnGift, ...] = ()


class Own(Struct, frozen=True):
    """An own gift in a deck. Its key is made of what it is, so nothing else anywhere has the same."""

    key: str
    words: dict[str, Word]
    look_alikes: tuple[str, ...]
    kind: str
    picture: bytes = b""

    def spoken(self, lang: str, language: str) -> str:
        """In which language somebody sees and hears it: their own, or the deck's where it has no word in theirs."""
        return lang if lang in self.words else language

    def lines(self, lang: str, language: str) -> Lines:
        """The two lines, in such a language."""
        spoken = self.spoken(lang, language)
        return lines(self.words[spoken], spoken)


class Deck(Struct, frozen=True):
    """What is played with: cards, and the gifts among them that are in no catalogue."""

    name: str
    language: Language
    cards: tuple[Card, ...]
    own: tuple[Own, ...] = ()


class _Version(Struct):
    hat: int


def plain_looks(name: str) -> frozenset[str]:
    return frozenset((unicodedata.normalize("NFKC", name).casefold(),))


def read_deck(data: bytes, looks: Looks = plain_looks) -> Deck:
    """The deck that a `.hat` file holds; raises `Illegal` with the reason and the place."""
    return deck_of(read_hat(data), looks)


def read_hat(data: bytes) -> Hat:
    """The file as it is written, not yet checked for sense."""
    if len(data) > LARGEST_FILE:
        raise Illegal(DeckReason.TOO_BIG, f"a deck has at most {LARGEST_FILE} bytes")
    if data.count(b"[") + data.count(b"{") > 100 + 20 * MOST_CARDS:
        raise Illegal(DeckReason.UNREADABLE, "too many brackets")
    try:
        version = msgspec.json.decode(data, type=_Version).hat
        if version > VERSION:
            raise Illegal(DeckReason.TOO_NEW, f"it has version {version}, and {VERSION} is the newest known here")
        return msgspec.json.decode(data, type=Hat)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Illegal(DeckReason.UNREADABLE, f"this is no .hat file: {error}"[:200]) from None


def deck_of(hat: Hat, looks: Looks = plain_looks) -> Deck:
    """The deck value of a file, everything in it checked."""
    _check_name(hat.name, "the deck")
    own = _own(hat, looks)
    cards = tuple(_cards(hat, own))
    if len(cards) < FEWEST_CARDS:
        missing = FEWEST_CARDS - len(cards)
        raise Illegal(DeckReason.TOO_SMALL, f"{missing} more cards are needed: {len(cards)} of {FEWEST_CARDS} (9.3)")
    if len(cards) > MOST_CARDS:
        raise Illegal(DeckReason.TOO_BIG, f"a deck has at most {MOST_CARDS} cards, this one {len(cards)}")
    twice = _first_twice(card.gift for card in cards)
    if twice is not None:
        raise Illegal(DeckReason.TWICE, f"{twice} is on two cards")
    return Deck(hat.name, hat.language, cards, own)


def hat_of(deck: Deck) -> Hat:
    """The file of a deck."""
    numbers = {own.key: f"#{number}" for number, own in enumerate(deck.own, 1)}

    def named(back: Back) -> tuple[str, ...]:
        return tuple(numbers.get(card.gift, card.gift) for card in deck.cards if card.back is back)

    own = tuple(
        OwnGift(gift.picture, gift.words, tuple(numbers.get(key, key) for key in gift.look_alikes)) for gift in deck.own
    )
    left, right, any_ = named(Back.LEFT), named(Back.RIGHT), named(Back.ANY)
    return Hat(1, deck.name, deck.language, left=left, right=right, any=any_, own=own)


def look_alikes_with(deck: Deck | None) -> dict[str, tuple[str, ...]]:
    """Which gifts each gift is easily taken for, own ones among them: taken for one another both ways."""
    alike = {key: set(gift.look_alikes) for key, gift in catalogue().items()}
    for own in deck.own if deck is not None else ():
        alike.setdefault(own.key, set()).update(own.look_alikes)
        for other in own.look_alikes:
            alike.setdefault(other, set()).add(own.key)
    return {key: tuple(sorted(others)) for key, others in alike.items()}


def _cards(hat: Hat, own: tuple[Own, ...]) -> Iterator[Card]:
    """The cards in the order of the file; a card without an arrow gets the colour of which there are fewer so far."""
    left, right = len(hat.left), len(hat.right)
    for back in Back:
        for gift in getattr(hat, back.value):
            yield Card(_gift(gift, own), back)
    for gift in hat.balanced:
        back = Back.LEFT if left <= right else Back.RIGHT
        left, right = left + (back is Back.LEFT), right + (back is Back.RIGHT)
        yield Card(_gift(gift, own), back)


def _gift(named: str, own: Sequence[Own]) -> str:
    """The key of a gift that the file names."""
    number = named.removeprefix("#")
    if number != named and number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(own):
        return own[int(number) - 1].key
    if named not in catalogue():
        raise Illegal(DeckReason.GIFT, f"there is no gift {named[:40]!r}")
    return named


def _own(hat: Hat, looks: Looks) -> tuple[Own, ...]:
    found, points = [], 0
    for number, gift in enumerate(hat.own, 1):
        found.append(_checked(number, gift, hat.language))
        points += unpacked(gift.picture)
        if points > MOST_UNPACKED:
            raise Illegal(DeckReason.TOO_BIG, f"all pictures are more than {MOST_UNPACKED} bytes when unpacked")
    if _first_twice(own.key for own in found) is not None:
        raise Illegal(DeckReason.TWICE, "two own gifts are the same")
    _check_alike(found, looks)
    return tuple(
        msgspec.structs.replace(own, look_alikes=_look_alikes(own, gift, found))
        for own, gift in zip(found, hat.own, strict=True)
    )


def _checked(number: int, gift: OwnGift, language: str) -> Own:
    where = f"own gift {number}"
    if language not in gift.words:
        raise Illegal(DeckReason.NAME, f"{where} has no name in the deck's language, {language}")
    for lang, word in gift.words.items():
        check_word(word, lang, where)
    try:
        kind = kind_of(gift.picture)
    except Illegal as illegal:
        raise Illegal(illegal.reason, f"{where}: {illegal.detail}") from None
    told = sha256(gift.picture + msgspec.json.encode(gift.words, order="deterministic"))
    return Own(OWN + told.hexdigest()[:16], gift.words, (), kind, gift.picture)


def _look_alikes(own: Own, gift: OwnGift, all_own: Sequence[Own]) -> tuple[str, ...]:
    if len(gift.look_alikes) > MOST_LOOK_ALIKES:
        raise Illegal(DeckReason.GIFT, f"a gift is taken for at most {MOST_LOOK_ALIKES} others")
    return tuple(sorted({_gift(named, all_own) for named in gift.look_alikes} - {own.key}))


def check_word(word: Word, lang: str, where: str) -> None:
    """Whether grammar can make the two lines of it."""
    if lang not in LANGUAGES:
        raise Illegal(DeckReason.NAME, f"{where}: there is no language {lang[:8]!r}")
    for name in (word.name, word.accusative, *word.synonyms):
        if name is not None:
            _check_name(name, where)
    genders = _GENDERS[lang]
    free = not genders or (word.plural and lang in _ANY_GENDER)
    if word.gender not in genders and not (free and word.gender is None):
        raise Illegal(DeckReason.NAME, f"{where}: its gender in {lang} is one of {', '.join(genders) or 'none'}")
    if word.sound is not None and word.sound not in _SOUNDS.get(lang, ()):
        raise Illegal(DeckReason.NAME, f"{where}: {word.sound} is no sound that matters in {lang}")
    if (word.accusative is not None and lang != "de") or len(word.synonyms) > MOST_SYNONYMS:
        raise Illegal(
            DeckReason.NAME, f"{where}: only German has an accusative, and {MOST_SYNONYMS} synonyms are enough"
        )


def _check_name(name: str, where: str) -> None:
    """Letters, digits and the marks inside of words: no name can be markup, invisible or another line."""
    good = all(letter in _MARKS or unicodedata.category(letter)[0] in "LMN" for letter in name)
    letters = sum(letter.isalpha() for letter in name)
    tidy = name == " ".join(unicodedata.normalize("NFC", name).split())
    if not (good and tidy and letters >= 2 and name[0].isalpha() and len(name) <= LONGEST_NAME):
        raise Illegal(
            DeckReason.NAME,
            f"{where}: a name has 2 to {LONGEST_NAME} letters, and digits, spaces, hyphens or apostrophes between them",
        )


def _check_alike(all_own: Sequence[Own], looks: Looks) -> None:
    """No own gift may be called like another one, nor like one of the catalogue, nor look as if."""
    for lang in LANGUAGES:
        taken: dict[str, str] = {}
        if any(lang in own.words for own in all_own):
            named = (gift.words[lang].name for gift in catalogue().values())
            taken = {look: name for name in named for look in looks(name)}
        for own in all_own:
            if lang not in own.words:
                continue
            name = own.words[lang].name
            other = next((taken[look] for look in looks(name) if look in taken), None)
            if other is not None:
                raise Illegal(DeckReason.TWICE, f"{name} is called, or looks, like {other} ({lang})")
            taken |= dict.fromkeys(looks(name), name)


def _first_twice(keys: Iterator[str]) -> str | None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return None
