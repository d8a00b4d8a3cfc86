"""Engines other than Chromium: WebKit (every iPhone and iPad) and Firefox, as Debian packages them.

`get` installs what is missing where we are root on a Debian; `test` plays in the engines that are there. Both say in
one line each which engines are not. Nothing else installs anything.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"WebKit": ("webkit2gtk-driver", "xvfb"), "Firefox": ("firefox-esr",)}
_MINIBROWSERS = ("usr/lib/*/webkit2gtk-4*/MiniBrowser", "usr/libexec/webkit2gtk-4*/MiniBrowser")
_FIREFOXES = ("firefox-esr", "firefox")


def webkit() -> str | None:
    """The path of WebKit's MiniBrowser, if its driver and a display for it are here too."""
    if shutil.which("WebKitWebDriver") is None or shutil.which("Xvfb") is None:
        return None
    return next((str(path) for pattern in _MINIBROWSERS for path in sorted(Path("/").glob(pattern))), None)


def firefox() -> str | None:
    """The path of a Firefox."""
    return os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, _FIREFOXES)), None)


def here() -> list[str]:
    """The names of the engines that are here."""
    return [name for name, path in (("WebKit", webkit()), ("Firefox", firefox())) if path]


def get() -> None:
    missing = [package for name in PACKAGES if name not in here() for package in PACKAGES[name]]
    if not missing or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("Installing", *missing, flush=True)
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "--quiet", "--yes"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ([*apt, "update"], [*apt, "install", "--no-install-recommends", *missing]):
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def tell() -> None:
    for name, packages in PACKAGES.items():
        if name not in here():
            print(f"Not tested in {name}: it is not here. On a Debian, as root: apt-get install {' '.join(packages)}")


def test() -> int:
    """Each engine plays in a process of its own."""
    if not here():
        return 0
    return subprocess.call(
        [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "tests/engines"], cwd=ROOT
    )


if __name__ == "__main__":
    if "get" in sys.argv[1:]:
        get()
    tell()
    sys.exit(test() if "test" in sys.argv[1:] else 0)
