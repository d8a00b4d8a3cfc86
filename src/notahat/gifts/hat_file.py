"""Own decks: `.hat` files (docs/decks.md) and their pictures, plain and without metadata. `Illegal` gives the place."""

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from notahat.gifts.gift import DeckReason, catalogue
from notahat.gifts.word import LANGUAGES, Language, Word, facts, is_invisible
from notahat.rules import Back, Card, Illegal
from notahat.rules.round import FEWEST_PLAYERS, cards_needed, usual_gifts

LARGEST_PICTURE = 60_000
LONGEST_SIDE = 1024

_BROKEN = "it is broken, or something follows it"
# the parts that drawing needs, and how many bytes each may have, so that no text fits in beside the pixels
_PNG_PARTS = {b"IHDR": 13, b"PLTE": 768, b"tRNS": 256, b"IDAT": LARGEST_PICTURE, b"IEND": 0}
_PNG_PARTS |= {b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"pHYs": 9, b"sBIT": 4}
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type
_PNG_PIXEL = 32  # bits: eight for each of three colours and alpha
_PNG_WHOLE = ((0, 0, 1, 1),)  # first column and row, distance of columns and rows
_PNG_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_JPEG_FRAMES, _JPEG_TABLES = (0xC0, 0xC1, 0xC2), (0xC4, 0xDB, 0xDD)
_JPEG_BESIDE = 2000  # bytes of headers and tables; drawings and photos need some 600
_JPEG_SCAN, _JPEG_END, _JFIF = 0xDA, 0xD9, 0xE0
_JPEG_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7]")  # neither an escaped byte nor a restart marker
_WEBP_PARTS = ([b"VP8 "], [b"VP8L"], [b"VP8X", b"VP8 "], [b"VP8X", b"ALPH", b"VP8 "], [b"VP8X", b"VP8L"])
_WEBP_ALPHA = 0x10  # the only VP8X flag that means neither metadata nor animation
# compressed pixels look random: so many printable bytes in a row are text, unless they are a pattern of few
_TEXT = re.compile(rb"[\t\n\r -~]{32,}")
_LETTERS_OF_TEXT = 12


class Image(NamedTuple):
    """What the parts of a file say: media type, size, and the compressed pixels."""

    kind: str
    width: int
    height: int
    pixels: bytes


def check_image(picture: bytes) -> Image:
    """Return what a picture is. Raise `Illegal` unless the data is exactly one plain picture."""
    if len(picture) > LARGEST_PICTURE:
        raise Illegal(DeckReason.PICTURE, f"a picture has at most {LARGEST_PICTURE} bytes, this one {len(picture)}")
    try:
        image = _read(picture)
    except IndexError:
        raise _unusable(_BROKEN) from None
    if not (0 < image.width <= LONGEST_SIDE and 0 < image.height <= LONGEST_SIDE):
        size = f"{image.width} × {image.height}"
        raise _unusable(f"a picture has at most {LONGEST_SIDE} × {LONGEST_SIDE} pixels, this one {size}")
    if image.kind == "image/png":
        _check_unpacking(image, picture[24:29])
    elif any(len(set(run)) >= _LETTERS_OF_TEXT for run in _TEXT.findall(image.pixels)):
        raise _has_metadata("text among its pixels")
    return image


def _read(picture: bytes) -> Image:
    if picture.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(picture)
    if picture.startswith(b"\xff\xd8\xff"):
        return _jpeg(picture)
    if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        return _webp(picture)
    raise _unusable("a picture is a PNG, JPEG or WebP file")


def _png(data: bytes) -> Image:
    parts, at = [], 8
    while at < len(data):
        end = at + 8 + _big(data[at : at + 4])
        parts.append((data[at + 4 : at + 8], data[at + 8 : end]))
        at = end + 4  # after a checksum
    names = [name for name, _ in parts if name != b"IDAT"]
    if at != len(data) or (names[0], names[-1]) != (b"IHDR", b"IEND") or len(names) != len(set(names)):
        raise _unusable(_BROKEN)
    if other := set(names) - _PNG_PARTS.keys():
        raise _has_metadata(f"part {min(other).decode('ascii', 'replace')}")
    if any(len(content) > _PNG_PARTS[name] for name, content in parts):
        raise _unusable(_BROKEN)
    pixels = b"".join(content for name, content in parts if name == b"IDAT")
    return Image("image/png", _big(data[16:20]), _big(data[20:24]), pixels)


def _check_unpacking(image: Image, header: bytes) -> None:
    """Raise `Illegal` unless the pixels of a PNG are one zlib stream of exactly its rows. Unpack no more."""
    depth, colour, _, _, interlaced = header
    bits = depth * _PNG_CHANNELS.get(colour, _PNG_PIXEL)
    expected = sum(_png_pass_bytes(image, bits, *one) for one in (_PNG_PASSES if interlaced else _PNG_WHOLE))
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(image.pixels, expected + 1) if bits <= _PNG_PIXEL else b""
    except zlib.error:
        raise _unusable(_BROKEN) from None
    if len(unpacked) != expected or not unpacking.eof or unpacking.unused_data:
        raise _unusable("its pixels do not match its header")


def _png_pass_bytes(image: Image, bits: int, column: int, row: int, columns: int, rows: int) -> int:
    """Return the bytes of all rows of an interlacing pass, each with its filter."""
    width, height = len(range(column, image.width, columns)), len(range(row, image.height, rows))
    return height * (1 + (width * bits + 7) // 8) if width else 0


def _jpeg(data: bytes) -> Image:
    width, height, pixels, beside, at = 0, 0, b"", 0, 2
    while (marker := data[at + 1]) != _JPEG_END:
        end = at + 2 + _big(data[at + 2 : at + 4])
        content = data[at + 4 : end]
        beside += len(content)
        if data[at] != 0xFF or beside > _JPEG_BESIDE:
            raise _unusable(_BROKEN)
        if marker == _JFIF and (at != 2 or len(content) != 14 or any(content[12:])):
            raise _has_metadata("a thumbnail")
        if marker in _JPEG_FRAMES and not width:
            height, width = _big(content[1:3]), _big(content[3:5])
        elif marker == _JPEG_SCAN and (found := _JPEG_SCAN_END.search(data, end)):
            pixels += data[end : found.start()]
            end = found.start()
        elif marker not in (_JFIF, *_JPEG_TABLES):
            raise _has_metadata(f"part {marker:02x}") if marker > _JFIF else _unusable(_BROKEN)
        at = end
    if at + 2 != len(data) or not pixels:
        raise _unusable(_BROKEN)
    return Image("image/jpeg", width, height, pixels)


def _webp(data: bytes) -> Image:
    parts = list(_webp_parts(data))
    names, (last, pixels) = [name for name, _ in parts], parts[-1]
    if other := set(names) - {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}:
        raise _has_metadata(f"part {min(other).decode('ascii', 'replace')}")
    if names[0] == b"VP8X" and parts[0][1][0] & ~_WEBP_ALPHA:
        raise _has_metadata("as its header says")
    start = (pixels[0] == 0x2F) if last == b"VP8L" else (pixels[3:6] == b"\x9d\x01\x2a")
    if names not in _WEBP_PARTS or _little(data[4:8]) + 8 != len(data) or not start:
        raise _unusable(_BROKEN)
    if last == b"VP8L":
        sides = _little(pixels[1:5])
        width, height = 1 + (sides & 0x3FFF), 1 + (sides >> 14 & 0x3FFF)
    else:
        width, height = _little(pixels[6:8]), _little(pixels[8:10])  # two bits ask for scaling: the sides are too long
    return Image("image/webp", width, height, b"".join(content for _, content in parts))


def _webp_parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(data):
        end = at + 8 + _little(data[at + 4 : at + 8])
        if end > len(data) or any(data[end : end + end % 2]):  # a part of odd size is followed by a zero
            raise _unusable(_BROKEN)
        yield data[at : at + 4], data[at + 8 : end]
        at = end + end % 2


def _big(number: bytes) -> int:
    return int.from_bytes(number, "big")


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


def _unusable(why: str) -> Illegal:
    """Return the refusal of a picture that cannot be drawn as it is."""
    return Illegal(DeckReason.PICTURE, f"this picture cannot be used: {why}")


def _has_metadata(what: str) -> Illegal:
    """Return the refusal of a picture that contains more than the picture."""
    return Illegal(DeckReason.PICTURE_METADATA, f"the picture contains metadata ({what}): save it without")


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
    """An own gift in a file: picture, words, and look-alikes: catalogue gifts by key, own gifts by number (#1)."""

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
        try:
            image = check_image(gift.picture)
        except Illegal as illegal:
            raise Illegal(illegal.reason, f"own gift {number}: {illegal.detail}") from None
        pixels += image.width * image.height
        if pixels > MOST_PIXELS:
            raise Illegal(DeckReason.TOO_BIG, f"all pictures together have more than {MOST_PIXELS} pixels")
        found.append(_checked_gift(number, gift, hat.language, image.kind))
    if _first_duplicate(own.key for own in found) is not None:
        raise Illegal(DeckReason.TWICE, "two own gifts are the same")
    _check_names_differ(found, name_keys)
    if any(len(gift.look_alikes) > MOST_LOOK_ALIKES for gift in hat.own):
        raise Illegal(DeckReason.GIFT, f"a gift has at most {MOST_LOOK_ALIKES} look-alikes")
    alike = [{_gift(named, found) for named in gift.look_alikes} for gift in hat.own]
    return tuple(
        msgspec.structs.replace(own, look_alikes=tuple(sorted(others - {own.key})))
        for own, others in zip(found, alike, strict=True)
    )


def _checked_gift(number: int, gift: OwnGift, language: str, kind: str) -> Own:
    where = f"own gift {number}"
    if language not in gift.words:
        raise Illegal(DeckReason.NAME, f"{where} has no name in the deck's language, {language}")
    for lang, word in gift.words.items():
        check_word(word, lang, where)
    digest = sha256(gift.picture + msgspec.json.encode(gift.words, order="deterministic"))
    return Own(OWN + digest.hexdigest()[:16], gift.words, (), kind, gift.picture)


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
    others = [letter for letter in name if letter not in _PUNCTUATION]
    allowed = all(unicodedata.category(letter)[0] in "LMN" and not is_invisible(letter) for letter in others)
    letters = sum(letter.isalpha() for letter in name)
    tidy = name == " ".join(unicodedata.normalize("NFC", name).split())
    marks = "".join("M" if unicodedata.category(letter)[0] == "M" else " " for letter in name)
    tidy = tidy and "M" * (MOST_MARKS + 1) not in marks
    if not (allowed and tidy and letters >= 2 and name[0].isalpha() and len(name) <= LONGEST_NAME):
        raise Illegal(
            DeckReason.NAME,
            f"{where}: a name has 2 to {LONGEST_NAME} letters, digits, spaces, hyphens or apostrophes",
        )


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
