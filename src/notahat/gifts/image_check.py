"""Checks of uploaded pictures. The structure is parsed from the first byte to the last, and no pixel is decoded.

Metadata, such as where a photo was taken, and data that could be a second file are refused, not removed.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from notahat.gifts import jpeg_check
from notahat.gifts.deck_errors import DeckReason, has_metadata, unusable
from notahat.rules import Illegal

LARGEST_PICTURE = 60_000
LONGEST_SIDE = 1024
LARGEST_UNPACKED = LONGEST_SIDE * (1 + 4 * LONGEST_SIDE)  # an RGBA PNG with 8 bits per channel

_PNG = b"\x89PNG\r\n\x1a\n"
# how colours are meant: the size of each number and its largest value, so that no text fits in
_PNG_NUMBERS = {
    b"sRGB": ((1, 3),),
    b"gAMA": ((4, 1_000_000),),
    b"cHRM": ((4, 100_000),) * 8,
    b"pHYs": ((4, 1_000_000), (4, 1_000_000), (1, 1)),
}
_PNG_PARTS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"sBIT", *_PNG_NUMBERS))
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type
_PNG_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PALETTE = 3  # colour type
_SIGNIFICANT = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}  # bytes of sBIT by colour type
_TRANSPARENT = {0: (2,), 2: (6,)}  # bytes of tRNS by colour type
_LAST_FILTER = 4  # each row of a PNG begins with its filter type
_WEBP_PARTS = (b"VP8 ", b"VP8L", b"VP8X", b"ALPH")
_LAST_VP8 = 3  # versions of key frames
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
                raise unusable("it is broken") from None
            return kind
    raise unusable("a picture is a PNG, JPEG or WebP file")


def unpacked_size(picture: bytes) -> int:
    """Return how many bytes the check has to unpack: the pixels of a PNG, according to its header."""
    if not picture.startswith(_PNG):
        return 0
    width, height, depth, colour = _png_header(picture)
    return height * (1 + (width * depth * _PNG_CHANNELS[colour] + 7) // 8)


def _check_size(width: int, height: int) -> None:
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise unusable(f"a picture has at most {LONGEST_SIDE} × {LONGEST_SIDE} pixels, this one {width} × {height}")


def _png(data: bytes) -> tuple[int, int]:
    parts = list(_png_parts(data))
    names = [name for name, _ in parts]
    _check_parts(names, _PNG_PARTS)
    if names[0] != b"IHDR" or names[-1] != b"IEND" or names.count(b"IHDR") + names.count(b"IEND") != 2:
        raise unusable("it is broken")
    width, height, depth, colour = _png_header(data)
    _check_size(width, height)
    if depth not in _PNG_DEPTHS.get(colour, ()) or any(data[26:29]) or len(parts[0][1]) != 13:
        raise unusable("it is broken, or interlaced")
    before = list(takewhile(lambda part: part[0] != b"IDAT", parts))
    count = names.count(b"IDAT")
    if not count or names[len(before) : len(before) + count] != [b"IDAT"] * count:
        raise unusable("it is broken")
    _check_side_parts(before, parts[len(before) + count :], depth, colour)
    size = unpacked_size(data)
    if size > LARGEST_UNPACKED:
        raise unusable(f"its pixels have {size} bytes, more than {LARGEST_UNPACKED}")
    if not _unpacks_to(size, size // height, b"".join(content for name, content in parts if name == b"IDAT")):
        raise unusable("its pixels do not match its header")
    return width, height


def _check_side_parts(
    before: list[tuple[bytes, bytes]], after: list[tuple[bytes, bytes]], depth: int, colour: int
) -> None:
    """Raise `Illegal` unless each part between header and pixels is there once and contains what it is for."""
    side = dict(before[1:])
    palette = len(side.get(b"PLTE", b""))
    if (palette > 0) != (colour == _PALETTE) or palette % 3 or palette > 3 * 2 ** min(depth, 8):
        raise unusable("its palette is missing or wrong")
    if len(side) != len(before) - 1 or after != [(b"IEND", b"")]:
        raise unusable("it is broken")
    for name, content in side.items():
        if name in _PNG_NUMBERS and not _are_numbers(content, _PNG_NUMBERS[name]):
            raise unusable(f"part {name.decode()} is broken")
    significant = side.get(b"sBIT", bytes((1,) * _SIGNIFICANT[colour]))
    most = 8 if colour == _PALETTE else depth
    if len(significant) != _SIGNIFICANT[colour] or not all(1 <= bits <= most for bits in significant):
        raise unusable("part sBIT is broken")
    sizes = range(1, palette // 3 + 1) if colour == _PALETTE else _TRANSPARENT.get(colour, ())
    if b"tRNS" in side and len(side[b"tRNS"]) not in sizes:
        raise unusable("part tRNS is broken")


def _are_numbers(content: bytes, numbers: Sequence[tuple[int, int]]) -> bool:
    """Return whether the content is exactly these numbers: the size of each in bytes, and its largest value."""
    at = 0
    for size, largest in numbers:
        if _big(content[at : at + size]) > largest:
            return False
        at += size
    return at == len(content)


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
            raise unusable("it is broken")
        packed, left = unpacking.unconsumed_tail, left - len(pixels)
    return left == 1 and unpacking.eof and not unpacking.unused_data


def _png_parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at < len(data):
        size, name = _big(data[at : at + 4]), data[at + 4 : at + 8]
        end = at + 8 + size
        if end + 4 > len(data) or zlib.crc32(data[at + 4 : end]) != _big(data[end : end + 4]):
            raise unusable("it is broken, or something follows it")
        yield name, data[at + 8 : end]
        at = end + 4


def _webp(data: bytes) -> tuple[int, int]:
    if _little(data[4:8]) + 8 != len(data):
        raise unusable("it is broken, or something follows it")
    parts = list(_webp_parts(data))
    names = [name for name, _ in parts]
    _check_parts(names, frozenset(_WEBP_PARTS))
    if names not in ([b"VP8 "], [b"VP8L"], [b"VP8X", b"VP8 "], [b"VP8X", b"ALPH", b"VP8 "], [b"VP8X", b"VP8L"]):
        raise unusable("it is broken")
    size = _webp_size(*parts[-1])
    name, head = parts[0]
    if name == b"VP8X":
        if head[0] & ~_ALPHA:
            raise has_metadata("as its header says")
        if any(head[1:4]) or len(head) != 10 or size != (1 + _little(head[4:7]), 1 + _little(head[7:10])):
            raise unusable("it is broken")
        if b"ALPH" in names:
            _check_alpha(parts[1][1], size[0] * size[1])
    return size


def _check_alpha(alpha: bytes, pixels: int) -> None:
    """Raise `Illegal` for reserved bits, and for unpacked alpha that is not one byte for each pixel."""
    packed, reserved = alpha[0] & 0x03, alpha[0] >> 5
    if packed > 1 or reserved or (not packed and len(alpha) != 1 + pixels):
        raise unusable("it is broken")


def _webp_size(name: bytes, pixels: bytes) -> tuple[int, int]:
    """Return the size in the pixel data, after checking its signature."""
    if name == b"VP8L":
        sides = _little(pixels[1:5])
        if pixels[0] != 0x2F or sides >> 29:
            raise unusable("it is broken")
        return 1 + (sides & 0x3FFF), 1 + (sides >> 14 & 0x3FFF)
    tag = _little(pixels[:3])  # a key frame that is shown, its version, and the size of its first partition
    plain = tag & 0x11 == 0x10 and tag >> 1 & 0x07 <= _LAST_VP8 and 0 < tag >> 5 <= len(pixels) - 10
    if not plain or pixels[3:6] != b"\x9d\x01\x2a":
        raise unusable("it is broken")
    return _little(pixels[6:8]), _little(pixels[8:10])  # two bits ask for scaling, which makes the sides too long


def _webp_parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(data):
        size = _little(data[at + 4 : at + 8])
        end = at + 8 + size
        if end > len(data) or any(data[end : end + size % 2]):  # a part of odd size is followed by a zero
            raise unusable("it is broken")
        yield data[at : at + 4], data[at + 8 : end]
        at = end + size % 2


def _check_parts(names: list[bytes], plain: frozenset[bytes]) -> None:
    """Raise `Illegal` for parts that are not needed to draw the picture."""
    other = next((name for name in names if name not in plain), None)
    if other is not None:
        raise has_metadata(f"part {other.decode('ascii', 'replace')}")


def _big(number: bytes) -> int:
    return int.from_bytes(number, "big")


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], tuple[int, int]]], ...] = (
    ("image/png", lambda data: data.startswith(_PNG), _png),
    ("image/jpeg", lambda data: data.startswith(jpeg_check.START), lambda data: jpeg_check.Jpeg(data).read()),
    ("image/webp", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP", _webp),
)
