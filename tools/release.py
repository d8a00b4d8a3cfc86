"""Build a release into dist/: sdist, wheel, bill of materials and checksums. The same sources give the same bytes.

Run by `make release`, which also builds the page and the pocket edition.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from sbom import ROOT, bill_of_materials, release_time, release_version

SUMS = "SHA256SUMS"


def main() -> int:
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("notahat-*"):
        old.unlink()
    build_packages(ROOT, folder)
    (folder / f"notahat-{release_version()}.cdx.json").write_bytes(bill_of_materials())
    write_sums(folder)
    sys.stdout.write((folder / SUMS).read_text("ascii"))
    return 0


def build_packages(source: Path, folder: Path) -> None:
    """Build sdist and wheel. All times in them are that of the release."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(int(release_time().timestamp()))}
    subprocess.run(command, cwd=source, env=environment, check=True, stdout=subprocess.DEVNULL)


def write_sums(folder: Path) -> None:
    """Write the checksums of all files as `sha256sum --check` reads them."""
    files = sorted(folder.glob("notahat-*"))
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / SUMS).write_text("".join(lines), "ascii")


if __name__ == "__main__":
    sys.exit(main())
