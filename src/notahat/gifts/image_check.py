"""Checks of uploaded pictures: one plain PNG, JPEG or WebP of limited size. No pixel is decoded.

Metadata, such as where a photo was taken, and data that could be a second file are refused, not removed. For that the
parts of a file must be walked, and one of them has the size: a package that only reads sizes would save nothing.
"""

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from notahat.gifts.deck_errors import DeckReason, has_metadata, unusable
from notahat.rules import Illegal

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
        raise unusable(_BROKEN) from None
    if not (0 < image.width <= LONGEST_SIDE and 0 < image.height <= LONGEST_SIDE):
        size = f"{image.width} × {image.height}"
        raise unusable(f"a picture has at most {LONGEST_SIDE} × {LONGEST_SIDE} pixels, this one {size}")
    if image.kind == "image/png":
        _check_unpacking(image, picture[24:29])
    elif any(len(set(run)) >= _LETTERS_OF_TEXT for run in _TEXT.findall(image.pixels)):
        raise has_metadata("text among its pixels")
    return image


def _read(picture: bytes) -> Image:
    if picture.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(picture)
    if picture.startswith(b"\xff\xd8\xff"):
        return _jpeg(picture)
    if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        return _webp(picture)
    raise unusable("a picture is a PNG, JPEG or WebP file")


def _png(data: bytes) -> Image:
    parts, at = [], 8
    while at < len(data):
        end = at + 8 + _big(data[at : at + 4])
        parts.append((data[at + 4 : at + 8], data[at + 8 : end]))
        at = end + 4  # after a checksum
    names = [name for name, _ in parts if name != b"IDAT"]
    if at != len(data) or (names[0], names[-1]) != (b"IHDR", b"IEND") or len(names) != len(set(names)):
        raise unusable(_BROKEN)
    if other := set(names) - _PNG_PARTS.keys():
        raise has_metadata(f"part {min(other).decode('ascii', 'replace')}")
    if any(len(content) > _PNG_PARTS[name] for name, content in parts):
        raise unusable(_BROKEN)
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
        raise unusable(_BROKEN) from None
    if len(unpacked) != expected or not unpacking.eof or unpacking.unused_data:
        raise unusable("its pixels do not match its header")


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
            raise unusable(_BROKEN)
        if marker == _JFIF and (at != 2 or len(content) != 14 or any(content[12:])):
            raise has_metadata("a thumbnail")
        if marker in _JPEG_FRAMES and not width:
            height, width = _big(content[1:3]), _big(content[3:5])
        elif marker == _JPEG_SCAN and (found := _JPEG_SCAN_END.search(data, end)):
            pixels += data[end : found.start()]
            end = found.start()
        elif marker not in (_JFIF, *_JPEG_TABLES):
            raise has_metadata(f"part {marker:02x}") if marker > _JFIF else unusable(_BROKEN)
        at = end
    if at + 2 != len(data) or not pixels:
        raise unusable(_BROKEN)
    return Image("image/jpeg", width, height, pixels)


def _webp(data: bytes) -> Image:
    parts = list(_webp_parts(data))
    names, (last, pixels) = [name for name, _ in parts], parts[-1]
    if other := set(names) - {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}:
        raise has_metadata(f"part {min(other).decode('ascii', 'replace')}")
    if names[0] == b"VP8X" and parts[0][1][0] & ~_WEBP_ALPHA:
        raise has_metadata("as its header says")
    start = (pixels[0] == 0x2F) if last == b"VP8L" else (pixels[3:6] == b"\x9d\x01\x2a")
    if names not in _WEBP_PARTS or _little(data[4:8]) + 8 != len(data) or not start:
        raise unusable(_BROKEN)
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
            raise unusable(_BROKEN)
        yield data[at : at + 4], data[at + 8 : end]
        at = end + end % 2


def _big(number: bytes) -> int:
    return int.from_bytes(number, "big")


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")
