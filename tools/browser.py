"""A Chromium for tests and pictures. `make browser` sees to it once, before anything needs it: one that is there, else
Playwright's own, else Debian's package. Everything else only asks where it is.

Asked in this order: the variable CHROMIUM, the PATH, what was found before, a download by Playwright, and, where we
are root on a Debian, `apt-get install`. The headless shell is the same engine without windows: a page costs it a third.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

DEBIANS = ("chromium-headless-shell", "chromium")
NAMES = (*DEBIANS, "chromium-browser", "google-chrome", "google-chrome-stable")
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
KEPT = Path(sys.prefix) / "browser"
WHAT_HELPS = (
    "Any of these helps: `apt-get install chromium-headless-shell` (or `chromium`) as root, "
    "`.venv/bin/playwright install chromium`, or `CHROMIUM=/path/to/chromium` before the same command."
)
NONE = f"There is no Chromium here. {WHAT_HELPS}"


def chromium() -> str:
    """Where the Chromium is; nothing is installed."""
    found = known()
    if found is None:
        sys.exit(NONE)
    return found


def known() -> str | None:
    """A Chromium that was named, was found before, or lies on the PATH."""
    kept = KEPT.read_text().strip() if KEPT.exists() else None
    return os.environ.get("CHROMIUM") or kept or next(_on_path(), None)


def see_to_it() -> str | None:
    """A Chromium that starts, installed first if there is none. Whoever comes second waits for the first."""
    with KEPT.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        named = os.environ.get("CHROMIUM")
        found = next(filter(_starts, [named] if named else _candidates()), None)
        if not named:
            _keep(found)
        return found


def _candidates() -> Iterator[str]:
    yield from _on_path()
    if KEPT.exists():
        yield KEPT.read_text().strip()
    yield from _playwrights()
    yield from _debians()


def _on_path() -> Iterator[str]:
    return filter(None, map(shutil.which, NAMES))


def _playwrights() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    yield path
    _say("No Chromium on this machine: asking Playwright for one")
    _try(sys.executable, "-m", "playwright", "install", "chromium")
    yield path


def _debians() -> Iterator[str]:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    patience = ("-o", "DPkg::Lock::Timeout=600", "--quiet", "--yes")
    _say("Installing Debian's Chromium")
    _try("apt-get", *patience, "update")
    for package in DEBIANS:  # older Debians know only the second
        _try("apt-get", *patience, "install", "--no-install-recommends", package)
        yield f"/usr/bin/{package}"


def _starts(path: str) -> bool:
    """Some packages install a script that only tells where to get a browser; downloads may lack a library."""
    return (Path(path).exists() or shutil.which(path) is not None) and _try(path, "--version", seconds=60)


def _keep(found: str | None) -> None:
    if found is None:
        KEPT.unlink(missing_ok=True)
    else:
        KEPT.write_text(f"{found}\n")


def _try(*command: str, seconds: float = 900) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, env=environment, stdout=quiet, stderr=quiet, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if see_to_it() is None:
        named = os.environ.get("CHROMIUM")
        what = f"CHROMIUM={named} does not start." if named else "No Chromium starts here, and none could be installed."
        sys.exit(f"{what} {WHAT_HELPS}")
