"""Structure of JPEG pictures: every byte before and between the scans has a meaning for the drawing."""

import re
from collections.abc import Callable

from notahat.gifts.deck_errors import has_metadata, unusable

START = b"\xff\xd8\xff"

_FRAMES = (0xC0, 0xC1, 0xC2)
_HUFFMAN, _SCAN, _END, _QUANTISATION, _RESTARTS, _JFIF = 0xC4, 0xDA, 0xD9, 0xDB, 0xDD, 0xE0
_SCAN_ENDS = re.compile(rb"\xff[^\x00\xd0-\xd7]")  # neither an escaped byte nor a restart marker
_COMPONENTS = (1, 3)  # grey or colours
_MOST_SAMPLES = 4
_LAST_TABLE = 3
_LAST_COEFFICIENT = 63
_LONGEST_DIFFERENCE = 15  # bits


class Jpeg:
    """A reader of one picture; it raises `IndexError` or `Illegal` at the first byte that does not belong there."""

    def __init__(self, data: bytes) -> None:
        self.size = (0, 0)
        self._data = data
        self._at = 2
        self._components: dict[int, int] = {}  # quantisation table by component
        self._quantisation: set[int] = set()
        self._huffman: set[int] = set()  # since the last scan
        self._scans = 0
        self._readers: dict[int, Callable[[bytes], None]] = {
            _HUFFMAN: self._read_huffman,
            _QUANTISATION: self._read_quantisation,
            _RESTARTS: self._read_restarts,
            _SCAN: self._read_scan,
            **dict.fromkeys(_FRAMES, self._read_frame),
        }

    def read(self) -> tuple[int, int]:
        """Return width and height."""
        while (part := self._marker()) != _END:
            content = self._content()
            if part == _JFIF:
                self._check_jfif(content)
            elif part in self._readers:
                self._readers[part](content)
            else:
                raise has_metadata(f"part {part:02x}") if part > _JFIF else unusable("it is broken")
        if self._at != len(self._data) or not self._scans:
            raise unusable("something follows it, or it is empty")
        if set(self._components.values()) != self._quantisation:
            raise unusable("it has tables that it does not use, or lacks some")
        return self.size

    def _marker(self) -> int:
        _require(self._data[self._at] == 0xFF)
        self._at += 2
        return self._data[self._at - 1]

    def _content(self) -> bytes:
        length = int.from_bytes(self._data[self._at : self._at + 2], "big")
        content = self._data[self._at + 2 : self._at + length]
        _require(length >= 2 and len(content) == length - 2)
        self._at += length
        return content

    def _check_jfif(self, content: bytes) -> None:
        """Accept the plain header at the start: version, unit and density, and no thumbnail."""
        plain = len(content) == 14 and content.startswith(b"JFIF\x00\x01") and not any(content[12:])
        if not plain or self._at != 20 or content[6] > 2 or content[7] > 2:
            raise has_metadata("a thumbnail")

    def _read_quantisation(self, content: bytes) -> None:
        """Each of the four tables once, with 64 factors of one or two bytes, none of them zero."""
        while content:
            wide, table = content[0] >> 4, content[0] & 0x0F
            size = 64 * (1 + wide)
            factors, content = content[1 : 1 + size], content[1 + size :]
            _require(wide <= 1 and table <= _LAST_TABLE and table not in self._quantisation and len(factors) == size)
            _require(all(factors) if not wide else all(map(any, zip(factors[::2], factors[1::2], strict=True))))
            self._quantisation.add(table)

    def _read_huffman(self, content: bytes) -> None:
        """Each table once before a scan, with distinct symbols for as many codes as there are."""
        while content:
            kind, counts = content[0], content[1:17]
            symbols, content = content[17 : 17 + sum(counts)], content[17 + sum(counts) :]
            _require(kind >> 4 <= 1 and kind & 0x0F <= _LAST_TABLE and kind not in self._huffman)
            _require(len(counts) == 16 and len(symbols) == sum(counts) == len(set(symbols)) > 0)
            _require(sum(count << (15 - length) for length, count in enumerate(counts)) <= 1 << 16)
            _require(kind >> 4 == 1 or max(symbols) <= _LONGEST_DIFFERENCE)
            self._huffman.add(kind)

    def _read_restarts(self, content: bytes) -> None:
        _require(len(content) == 2)

    def _read_frame(self, content: bytes) -> None:
        count = content[5]
        _require(not self._components and content[0] == 8 and count in _COMPONENTS and len(content) == 6 + 3 * count)
        self.size = int.from_bytes(content[3:5], "big"), int.from_bytes(content[1:3], "big")
        for at in range(6, len(content), 3):
            name, samples, table = content[at : at + 3]
            _require(name not in self._components and table <= _LAST_TABLE)
            _require(1 <= samples >> 4 <= _MOST_SAMPLES and 1 <= samples & 0x0F <= _MOST_SAMPLES)
            self._components[name] = table

    def _read_scan(self, content: bytes) -> None:
        count = content[0]
        names, tables = content[1 : 1 + 2 * count : 2], content[2 : 2 + 2 * count : 2]
        _require(len(content) == 4 + 2 * count and 1 <= len(set(names)) == count)
        _require(set(names) <= self._components.keys() and self._quantisation >= {self._components[n] for n in names})
        _require(all(table >> 4 <= _LAST_TABLE and table & 0x0F <= _LAST_TABLE for table in tables))
        _require(content[-3] <= content[-2] <= _LAST_COEFFICIENT)
        end = _SCAN_ENDS.search(self._data, self._at)
        _require(end is not None)
        self._at = end.start() if end else self._at
        self._huffman.clear()
        self._scans += 1


def _require(plain: bool) -> None:
    if not plain:
        raise unusable("it is broken")
