"""Pictures for own gifts, good and bad, and a .hat file around them."""

import io
import struct
import zlib
from functools import cache
from typing import Any

import msgspec
from PIL import Image

from notahat.gifts import catalogue

GIFTS = ("hat", "egg", "book", "drum", "star", "bell", "key", "fork", "spoon", "kite")


def picture(kind: str = "WEBP", size: tuple[int, int] = (40, 25), **more: Any) -> bytes:
    """A small picture as Pillow writes it."""
    out = io.BytesIO()
    Image.new("RGB", size, (200, 120, 40)).save(out, kind, **more)
    return out.getvalue()


def png_part(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(
    width: int, height: int, points: bytes, *more: bytes, colour: int = 0, depth: int = 8, late: bytes = b""
) -> bytes:
    """A PNG, a grey one unless told, put together by hand, so that it can be wrong."""
    head = png_part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    body = png_part(b"IDAT", zlib.compress(points, 9)) + late
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + body + png_part(b"IEND", b"")


@cache
def large_png(depth: int = 8) -> bytes:
    """As many points as a picture may have, in full colour: some kB that unpack to 4 MB, or to 8 with 16 bits."""
    head = png_part(b"IHDR", struct.pack(">IIBBBBB", 1024, 1024, depth, 6, 0, 0, 0))
    body = png_part(b"IDAT", zlib.compress(bytes(1024 * (1 + 1024 * depth // 2)), 9))
    return b"\x89PNG\r\n\x1a\n" + head + body + png_part(b"IEND", b"")


@cache
def png_bomb() -> bytes:
    """A small file that unpacks to far more points than it says it has."""
    return png(8, 8, b"\0" * 20_000_000)


def without_tables(jpeg: bytes) -> bytes:
    """A JPEG that nobody can read any more: how its points were rounded is cut out."""
    while (at := jpeg.find(b"\xff\xdb")) >= 0:
        jpeg = jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big") :]
    return jpeg


def own(
    name: str = "Grandma's teacup", image: bytes | None = None, words: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    return {"picture": picture() if image is None else image, "words": words or {"en": {"name": name}}} | more


def hat(**changes: Any) -> bytes:
    """A good file of ten cards, but for what is changed."""
    return msgspec.json.encode({"hat": 1, "name": "At home", "balanced": GIFTS} | changes)


def a_large_deck() -> str:
    """A file for a whole table: own gifts with a picture, special cards among them, and gifts of the catalogue."""
    image = png(2, 2, bytes((0, 9, 8, 0, 7, 6)))
    words = {"en": {"name": "teacup"}, "de": {"name": "Teetasse", "gender": "f"}}
    mine = [own(image=image, words=words, look_alikes=["cup"]), own("Uncle Bob's boat", image)]
    gifts = sorted(catalogue())[:22]
    return hat(balanced=["#1", *gifts[4:]], any=["#2", *gifts[:4]], own=mine).decode()
