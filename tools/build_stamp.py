"""Decide whether a built folder is up to date: a hash over its sources is stored beside it."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class BuiltFolder:
    """A folder that is built from `sources`: files, and folders without the names in `excluded`."""

    folder: Path
    sources: tuple[str, ...]
    excluded: frozenset[str]

    @property
    def stamp(self) -> Path:
        return self.folder / "made-of.sha256"

    def is_current(self) -> bool:
        return self.stamp.exists() and self.stamp.read_text("ascii").strip() == self.source_hash()

    def write_stamp(self, source_hash: str) -> None:
        self.stamp.write_text(f"{source_hash}\n", "ascii")

    def source_hash(self) -> str:
        """Hash the names and contents of all sources."""
        total = hashlib.sha256()
        for path in sorted(self._files()):
            total.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()

    def _files(self) -> Iterator[Path]:
        for source in self.sources:
            start = ROOT / source
            if start.is_file():
                yield start
            for folder, folders, files in os.walk(start):
                folders[:] = [name for name in folders if name not in self.excluded]
                yield from (Path(folder, name) for name in files)
