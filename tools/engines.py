"""Engines other than Chromium: WebKit (the engine of every iPhone and iPad) and Firefox, as Debian packages them.

`get` installs missing ones on a Debian as root; `test` runs tests/engines in those that are installed. Both report the
engines that are not installed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import debian

ROOT = Path(__file__).parents[1]
PACKAGES = {"WebKit": ("webkit2gtk-driver", "xvfb"), "Firefox": ("firefox-esr",)}
_MINIBROWSERS = ("usr/lib/*/webkit2gtk-4*/MiniBrowser", "usr/libexec/webkit2gtk-4*/MiniBrowser")
_FIREFOXES = ("firefox-esr", "firefox")


def webkit() -> str | None:
    """Return the path of WebKit's MiniBrowser, if its driver and Xvfb are installed, too."""
    if shutil.which("WebKitWebDriver") is None or shutil.which("Xvfb") is None:
        return None
    return next((str(path) for pattern in _MINIBROWSERS for path in sorted(Path("/").glob(pattern))), None)


def firefox() -> str | None:
    return os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, _FIREFOXES)), None)


def installed() -> list[str]:
    return [name for name, path in (("WebKit", webkit()), ("Firefox", firefox())) if path]


def missing() -> dict[str, tuple[str, ...]]:
    return {name: packages for name, packages in PACKAGES.items() if name not in installed()}


def test() -> int:
    """Run the tests, each engine in its own process."""
    if not installed():
        return 0
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "tests/engines"]
    return subprocess.call(pytest, cwd=ROOT)


if __name__ == "__main__":
    if "get" in sys.argv[1:]:
        debian.install([package for packages in missing().values() for package in packages])
    for name, packages in missing().items():
        print(f"Not tested in {name}: not installed. On a Debian, as root: apt-get install {' '.join(packages)}")
    sys.exit(test() if "test" in sys.argv[1:] else 0)
