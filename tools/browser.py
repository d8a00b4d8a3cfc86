"""Find a Chromium for tests and pictures. `make browser` finds or installs one; everything else only looks it up.

The order is: the variable CHROMIUM, the PATH, the one found before, a download by Playwright, and Debian's package.
The headless shell comes first: it is the same engine without windows and uses a third of the memory for a page.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import debian

PACKAGES = ("chromium-headless-shell", "chromium")
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
# no sandbox, because containers and root have none; no requests to other hosts
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
FOUND = Path(sys.prefix) / "browser"  # the path found before
HELP = (
    "Any of these helps: `apt-get install chromium-headless-shell` (or `chromium`) as root, "
    "`.venv/bin/playwright install chromium`, or `CHROMIUM=/path/to/chromium` before the same command."
)
MISSING = f"There is no Chromium here. {HELP}"


def chromium() -> str:
    """Return the path of the Chromium, or exit if there is none."""
    return find() or sys.exit(MISSING)


def find() -> str | None:
    """Return a Chromium that was named, was found before, or is on the PATH."""
    found_before = FOUND.read_text().strip() if FOUND.exists() else None
    return os.environ.get("CHROMIUM") or found_before or next(_on_path(), None)


def ensure() -> str | None:
    """Return a Chromium that starts, and install one if necessary. A lock makes concurrent callers wait."""
    with FOUND.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        named = os.environ.get("CHROMIUM")
        path = next(filter(_starts, [named] if named else _candidates()), None)
        if not named:
            FOUND.write_text(f"{path}\n") if path else FOUND.unlink(missing_ok=True)
        return path


def _candidates() -> Iterator[str]:
    yield from _on_path()
    if FOUND.exists():
        yield FOUND.read_text().strip()
    yield from _from_playwright()
    yield from _from_debian()


def _on_path() -> Iterator[str]:
    return filter(None, map(shutil.which, NAMES))


def _from_playwright() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    yield path
    print("No Chromium on this machine: downloading one with Playwright", file=sys.stderr, flush=True)
    _succeeds(sys.executable, "-m", "playwright", "install", "chromium")
    yield path


def _from_debian() -> Iterator[str]:
    if debian.can_install():
        for package in PACKAGES:  # older releases have only the second
            debian.install([package])
            yield f"/usr/bin/{package}"


def _starts(path: str) -> bool:
    """Some packages install only a script with instructions; downloads may lack a library."""
    return (Path(path).exists() or shutil.which(path) is not None) and _succeeds(path, "--version", seconds=60)


def _succeeds(*command: str, seconds: float = 900) -> bool:
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdout=quiet, stderr=quiet, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    if ensure() is None:
        named = os.environ.get("CHROMIUM")
        error = f"CHROMIUM={named} does not start." if named else "No Chromium starts, and none could be installed."
        sys.exit(f"{error} {HELP}")
