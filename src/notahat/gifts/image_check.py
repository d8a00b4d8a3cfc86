"""Checks of uploaded pictures. The structure is parsed from the first byte to the last, and no pixel is decoded.

Metadata, such as where a photo was taken, and data that could be a second file are refused, not removed.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from itertools import takewhile

from notahat.gifts.deck_errors import DeckReason
from notahat.rules import Illegal

LARGEST_PICTURE = 60_000
LONGEST_SIDE = 1024
LARGEST_UNPACKED = LONGEST_SIDE * (1 + 4 * LONGEST_SIDE)  # an RGBA PNG with 8 bits per channel

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_PARTS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"sRGB", b"gAMA", b"cHRM", b"sBIT", b"pHYs"))
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type
_PNG_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PALETTE, _PALETTES = 3, range(3, 3 * 256 + 1, 3)  # colour type; possible sizes in bytes
_LAST_FILTER = 4  # each row of a PNG begins with its filter type
_JPEG = b"\xff\xd8\xff"
_JPEG_FRAMES = (0xC0, 0xC1, 0xC2)
_JPEG_PARTS = (*_JPEG_FRAMES, 0xC4, 0xDB, 0xDD, 0xE0)
_TABLES, _SCAN, _END = 0xDB, 0xDA, 0xD9
_SCAN_ENDS = re.compile(rb"\xff[^\x00\xd0-\xd7]")  # neither an escaped byte nor a restart marker
_WEBP_PARTS = (b"VP8 ", b"VP8L", b"VP8X", b"ALPH")
_CHUNK_BYTES = 64 * 1024
_ALPHA = 0x10  # the only VP8X flag that means neither metadata nor animation


def image_type(picture: bytes) -> str:
    """Return the media type, such as image/png. Raise `Illegal` unless the data is exactly one plain picture."""
    if len(picture) > LARGEST_PICTURE:
        raise Illegal(DeckReason.PICTURE, f"a picture has at most {LARGEST_PICTURE} bytes, this one {len(picture)}")
    for kind, starts, read in _KINDS:
        if starts(picture):
            try:
                _check_size(*read(picture))
            except (IndexError, zlib.error):
                raise _unusable("it is broken") from None
            return kind
    raise _unusable("a picture is a PNG, JPEG or WebP file")


def unpacked_size(picture: bytes) -> int:
    """Return how many bytes the check has to unpack: the pixels of a PNG, according to its header."""
    if not picture.startswith(_PNG):
        return 0
    width, height, depth, colour = _png_header(picture)
    return height * (1 + (width * depth * _PNG_CHANNELS[colour] + 7) // 8)


def _check_size(width: int, height: int) -> None:
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise _unusable(f"a picture has at most {LONGEST_SIDE} × {LONGEST_SIDE} pixels, this one {width} × {height}")


def _png(data: bytes) -> tuple[int, int]:
    parts = list(_png_parts(data))
    names = [name for name, _ in parts]
    _check_parts(names, _PNG_PARTS)
    if names[0] != b"IHDR" or names[-1] != b"IEND" or names.count(b"IHDR") + names.count(b"IEND") != 2:
        raise _unusable("it is broken")
    width, height, depth, colour = _png_header(data)
    _check_size(width, height)
    if depth not in _PNG_DEPTHS.get(colour, ()) or any(data[26:29]) or len(parts[0][1]) != 13:
        raise _unusable("it is broken, or interlaced")
    before = list(takewhile(lambda part: part[0] != b"IDAT", parts))
    count = names.count(b"IDAT")
    if not count or names[len(before) : len(before) + count] != [b"IDAT"] * count:
        raise _unusable("it is broken")
    if colour == _PALETTE and [len(part) in _PALETTES for name, part in before if name == b"PLTE"] != [True]:
        raise _unusable("its palette is missing")
    size = unpacked_size(data)
    if size > LARGEST_UNPACKED:
        raise _unusable(f"its pixels have {size} bytes, more than {LARGEST_UNPACKED}")
    if not _unpacks_to(size, size // height, b"".join(content for name, content in parts if name == b"IDAT")):
        raise _unusable("its pixels do not match its header")
    return width, height


def _png_header(data: bytes) -> tuple[int, int, int, int]:
    """Return width, height, bit depth and colour type."""
    return _big(data[16:20]), _big(data[20:24]), data[24], data[25]


def _unpacks_to(size: int, row: int, packed: bytes) -> bool:
    """Return whether exactly `size` bytes are packed. Unpack no more than that, and check the filter of each row."""
    unpacking, left = zlib.decompressobj(), size + 1
    while left > 0 and not unpacking.eof:
        pixels = unpacking.decompress(packed, min(left, _CHUNK_BYTES))
        if not pixels and not unpacking.eof:
            return False
        if max(pixels[(left - size - 1) % row :: row], default=0) > _LAST_FILTER:
            raise _unusable("it is broken")
        packed, left = unpacking.unconsumed_tail, left - len(pixels)
    return left == 1 and unpacking.eof and not unpacking.unused_data


def _png_parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at < len(data):
        size, name = _big(data[at : at + 4]), data[at + 4 : at + 8]
        end = at + 8 + size
        if end + 4 > len(data) or zlib.crc32(data[at + 4 : end]) != _big(data[end : end + 4]):
            raise _unusable("it is broken, or something follows it")
        yield name, data[at + 8 : end]
        at = end + 4


def _jpeg(data: bytes) -> tuple[int, int]:
    at, size = 2, (0, 0)
    seen: set[int] = set()
    while True:
        if data[at] != 0xFF:
            raise _unusable("it is broken")
        part = data[at + 1]
        if part == _END:
            break
        length = _big(data[at + 2 : at + 4])
        if part != _SCAN and part not in _JPEG_PARTS:
            raise _has_metadata(f"part {part:02x}") if part >= 0xE1 else _unusable("it is broken")
        if part == 0xE0 and (length != 16 or data[at + 4 : at + 9] != b"JFIF\x00"):
            raise _has_metadata("a thumbnail")
        if part in _JPEG_FRAMES:
            size = _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7])
        if length < 2 or (part == _SCAN and (size == (0, 0) or _TABLES not in seen)):
            raise _unusable("it is broken")
        seen.add(part)
        at += 2 + length
        if part == _SCAN:
            at = _after_scan(data, at)
    if at + 2 != len(data) or _SCAN not in seen:
        raise _unusable("something follows it, or it is empty")
    return size


def _after_scan(data: bytes, at: int) -> int:
    """Return where the pixels of a scan end: at the next part."""
    end = _SCAN_ENDS.search(data, at)
    if end is None:
        raise _unusable("it is broken")
    return end.start()


def _webp(data: bytes) -> tuple[int, int]:
    if _little(data[4:8]) + 8 != len(data):
        raise _unusable("it is broken, or something follows it")
    parts = list(_webp_parts(data))
    names = [name for name, _ in parts]
    _check_parts(names, frozenset(_WEBP_PARTS))
    if names not in ([b"VP8 "], [b"VP8L"], [b"VP8X", b"VP8 "], [b"VP8X", b"ALPH", b"VP8 "], [b"VP8X", b"VP8L"]):
        raise _unusable("it is broken")
    size = _webp_size(*parts[-1])
    name, head = parts[0]
    if name == b"VP8X":
        if head[0] & ~_ALPHA:
            raise _has_metadata("as its header says")
        if size != (1 + _little(head[4:7]), 1 + _little(head[7:10])):
            raise _unusable("it is broken")
    return size


def _webp_size(name: bytes, pixels: bytes) -> tuple[int, int]:
    """Return the size in the pixel data, after checking its signature."""
    if name == b"VP8L":
        sides = _little(pixels[1:5])
        if pixels[0] != 0x2F or sides >> 29:
            raise _unusable("it is broken")
        return 1 + (sides & 0x3FFF), 1 + (sides >> 14 & 0x3FFF)
    if pixels[0] & 1 or pixels[3:6] != b"\x9d\x01\x2a":
        raise _unusable("it is broken")
    return _little(pixels[6:8]) & 0x3FFF, _little(pixels[8:10]) & 0x3FFF


def _webp_parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(data):
        size = _little(data[at + 4 : at + 8])
        end = at + 8 + size
        if end > len(data):
            raise _unusable("it is broken")
        yield data[at : at + 4], data[at + 8 : end]
        at = end + size % 2


def _check_parts(names: list[bytes], plain: frozenset[bytes]) -> None:
    """Raise `Illegal` for parts that are not needed to draw the picture."""
    other = next((name for name in names if name not in plain), None)
    if other is not None:
        raise _has_metadata(f"part {other.decode('ascii', 'replace')}")


def _big(number: bytes) -> int:
    return int.from_bytes(number, "big")


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


def _unusable(why: str) -> Illegal:
    return Illegal(DeckReason.PICTURE, f"this picture cannot be used: {why}")


def _has_metadata(what: str) -> Illegal:
    return Illegal(DeckReason.PICTURE_METADATA, f"the picture contains metadata ({what}): save it without")


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], tuple[int, int]]], ...] = (
    ("image/png", lambda data: data.startswith(_PNG), _png),
    ("image/jpeg", lambda data: data.startswith(_JPEG), _jpeg),
    ("image/webp", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP", _webp),
)
