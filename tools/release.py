"""Build a release into dist/: sdists and wheels of game and laboratory, decks to print, bill of materials, checksums.

The same sources give the same bytes. Run by `make release`, which also builds the page and the pocket edition.
"""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from local_server import local_browser, local_server
from notahat.gifts import LANGUAGES
from sbom import ROOT, bill_of_materials, release_time, release_version

if TYPE_CHECKING:
    from playwright.sync_api import Page

SUMS = "SHA256SUMS"


def main() -> int:
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("notahat*"):
        old.unlink()
    build_packages(ROOT, folder)
    build_packages(ROOT / "lab", folder)
    with local_server(pace=1) as url, local_browser() as browser:
        page = browser.new_page()
        page.goto(f"{url.rstrip('/')}/print")
        for edition in ("classic", "special"):
            for language in LANGUAGES:
                pdf = printed_deck(page, edition, language)
                (folder / f"notahat-{release_version()}-{edition}-{language}.pdf").write_bytes(pdf)
    (folder / f"notahat-{release_version()}.cdx.json").write_bytes(bill_of_materials())
    write_sums(folder)
    sys.stdout.write((folder / SUMS).read_text("ascii"))
    return 0


def build_packages(source: Path, folder: Path) -> None:
    """Build sdist and wheel. All times in them are that of the release."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(int(release_time().timestamp()))}
    subprocess.run(command, cwd=source, env=environment, check=True, stdout=subprocess.DEVNULL)


def printed_deck(page: "Page", edition: str, language: str) -> bytes:
    """Print a deck on A4 from the open print page. The time in the PDF is that of the release."""
    for option, chosen in (("deck", edition), ("language", language), ("paper", "a4")):
        page.locator(f"[data-choice={option}]").select_option(chosen)
    page.locator(f"[data-rules][lang={language}]").wait_for(state="attached")
    time = release_time().strftime("(D:%Y%m%d%H%M%S").encode()
    return re.sub(rb"\(D:\d{14}", time, page.pdf(prefer_css_page_size=True))


def write_sums(folder: Path) -> None:
    """Write the checksums of all files as `sha256sum --check` reads them."""
    files = sorted(folder.glob("notahat*"))
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / SUMS).write_text("".join(lines), "ascii")


if __name__ == "__main__":
    sys.exit(main())
