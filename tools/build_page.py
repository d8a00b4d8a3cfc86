"""Build the web page into the package if it is missing or any of its sources changed.

The hash of its sources is stored beside it and goes into an sdist. So `make`, a wheel, an editable install and a wheel
from an sdist all decide alike.
"""

import os
import subprocess
import sys

from build_stamp import ROOT, BuiltFolder

WEB = ROOT / "web"

# the page itself, and the Python sources of what tools/web_catalogue.py writes for it
PYTHON = tuple(f"src/notahat/{part}" for part in ("gifts", "bots", "rules", "table", "wire"))
PAGE = BuiltFolder(
    ROOT / "src" / "notahat" / "server" / "static",
    ("web", *PYTHON, "tools/web_catalogue.py", "tools/record_lesson.py"),
    frozenset({"node_modules", "made", ".svelte-check", "test", "__pycache__"}),
)

MODULES = WEB / "node_modules"
ALL_PACKAGES = MODULES / "ready"  # those for developers too
BUILD_PACKAGES = MODULES / "ready-to-build"


def main() -> int:
    if not PAGE.is_current():
        build()
    return 0


def build() -> None:
    if not _packages_current():
        log("installing the page's build packages (about half a minute, once)")
        _install_packages()
    log("building the page")
    source_hash = PAGE.source_hash()
    # the build empties the folder first, so an aborted build has no stamp
    run_tool("web_catalogue.py")
    run_tool("npm.py", "--silent", "run", "build", "--", "--logLevel", "error")
    PAGE.write_stamp(source_hash)


def _packages_current() -> bool:
    locked_at = (WEB / "package-lock.json").stat().st_mtime
    return any(ready.exists() and ready.stat().st_mtime >= locked_at for ready in (ALL_PACKAGES, BUILD_PACKAGES))


def _install_packages() -> None:
    """Install the developers' packages only if they were installed before."""
    ready, options = (ALL_PACKAGES, ()) if ALL_PACKAGES.exists() else (BUILD_PACKAGES, ("--omit=dev",))
    run_tool("npm.py", "ci", *options)
    ready.touch()


def run_tool(name: str, *arguments: str) -> None:
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    subprocess.check_call([sys.executable, str(ROOT / "tools" / name), *arguments], env=environment)


def log(message: str) -> None:
    print(f"Not a Hat: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
