"""Valid and invalid pictures for own gifts, and .hat files with them."""

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
    """Return a small picture made by Pillow."""
    out = io.BytesIO()
    Image.new("RGB", size, (200, 120, 40)).save(out, kind, **more)
    return out.getvalue()


def png_part(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, points: bytes, *more: bytes, colour: int = 0, depth: int = 8) -> bytes:
    """Return a PNG, grey by default, built by hand so that it can be invalid."""
    head = png_part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    body = png_part(b"IDAT", zlib.compress(points, 9))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + body + png_part(b"IEND", b"")


@cache
def large_png(depth: int = 8) -> bytes:
    """Return a PNG with the largest allowed number of pixels: some kB that unpack to 4 MB, or to 8 MB with 16 bits."""
    return png(1024, 1024, bytes(1024 * (1 + 1024 * depth // 2)), colour=6, depth=depth)


@cache
def png_bomb() -> bytes:
    """Return a small PNG that unpacks to far more pixels than its header says."""
    return png(8, 8, b"\0" * 20_000_000)


def own(
    name: str = "Grandma's teacup", image: bytes | None = None, words: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    return {"picture": picture() if image is None else image, "words": words or {"en": {"name": name}}} | more


def hat(**changes: Any) -> bytes:
    """Return a valid .hat file of ten cards, with changes."""
    return msgspec.json.encode({"hat": 1, "name": "At home", "balanced": GIFTS} | changes)


def large_deck() -> str:
    """Return a .hat file with own gifts, special cards and gifts of the catalogue."""
    image = png(2, 2, bytes((0, 9, 8, 0, 7, 6)))
    words = {"en": {"name": "teacup"}, "de": {"name": "Teetasse", "gender": "f"}}
    mine = [own(image=image, words=words, look_alikes=["cup"]), own("Uncle Bob's boat", image)]
    gifts = sorted(catalogue())[:22]
    return hat(balanced=["#1", *gifts[4:]], any=["#2", *gifts[:4]], own=mine).decode()
