"""A Chromium for tests and pictures: one that is there, else Playwright's own, else Debian's package.

Asked in this order: the variable CHROMIUM, the PATH, a browser Playwright has already downloaded, a download by
Playwright, and, where we are root on a Debian, `apt-get install chromium`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No sandbox, because containers and root have none to offer; nothing that would call out of this machine.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium() -> str:
    """The path of a Chromium, installed first if there is none."""
    found = _there() or _downloaded() or _from_playwright() or _from_debian()
    if found is None:
        sys.exit("No Chromium found and none could be installed: install one, or set CHROMIUM to its path.")
    return found


def _there() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next(filter(None, map(shutil.which, NAMES)), None)


def _downloaded() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def _from_playwright() -> str | None:
    print("No Chromium on this machine: asking Playwright for one", file=sys.stderr)
    _try([sys.executable, "-m", "playwright", "install", "chromium"])
    return _downloaded()


def _from_debian() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    print("Installing Debian's chromium", file=sys.stderr)
    if _try(["apt-get", "update"]):
        _try(["apt-get", "install", "--yes", "--no-install-recommends", "chromium"])
    return shutil.which("chromium")


def _try(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, timeout=600, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    print(chromium())
