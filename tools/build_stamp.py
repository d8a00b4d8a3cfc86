"""Whether something that was built is still made of what lies here: one hash over its sources is kept beside it."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Built:
    """A folder that is made of `sources` (files, and folders with all in them but for what is named `without`)."""

    folder: Path
    sources: tuple[str, ...]
    without: frozenset[str]

    @property
    def stamp(self) -> Path:
        return self.folder / "made-of.sha256"

    def fresh(self) -> bool:
        """Whether it is made of what lies here now."""
        return self.stamp.exists() and self.stamp.read_text("ascii").strip() == self.made_of()

    def remember(self, made_of: str) -> None:
        self.stamp.write_text(f"{made_of}\n", "ascii")

    def made_of(self) -> str:
        """One hash over the names and contents of all that it is made of."""
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
                folders[:] = [name for name in folders if name not in self.without]
                yield from (Path(folder, name) for name in files)
