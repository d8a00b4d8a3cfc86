"""Build the web side into the package, where it is not there yet or where anything it is made of has changed.

What it was made of is remembered beside it as one hash, and travels with it into an sdist; so `make`, a wheel, an
editable install and a wheel made from an sdist all ask the same question and get the same answer.
"""

import os
import subprocess
import sys

from build_stamp import ROOT, Built

WEB = ROOT / "web"

# The page itself, and what tools/web_catalogue.py makes of gifts, remarks and a round at a table for it.
PYTHON = tuple(f"src/notahat/{part}" for part in ("gifts", "bots", "rules", "table", "wire", "paper"))
PAGE = Built(
    ROOT / "src" / "notahat" / "server" / "static",
    ("web", *PYTHON, "tools/web_catalogue.py", "tools/record_lesson.py"),
    frozenset({"node_modules", "made", "test", "__pycache__"}),
)

MODULES = WEB / "node_modules"
EVERYTHING = MODULES / "ready"  # all packages, those for developers too
ENOUGH = MODULES / "ready-to-build"


def main() -> int:
    if not PAGE.fresh():
        build()
    return 0


def build() -> None:
    if not _packages_there():
        say("getting what the page is built with (about half a minute, once)")
        _get_packages()
    say("building the page")
    run_tool("web_catalogue.py")
    of = PAGE.made_of()
    run_tool(
        "npm.py", "--silent", "run", "build", "--", "--logLevel", "error"
    )  # empties the folder first, so a build that broke off has no stamp
    PAGE.remember(of)


def _packages_there() -> bool:
    wanted = (WEB / "package-lock.json").stat().st_mtime
    return any(ready.exists() and ready.stat().st_mtime >= wanted for ready in (EVERYTHING, ENOUGH))


def _get_packages() -> None:
    """Who had the developers' packages keeps having them."""
    ready, fewer = (EVERYTHING, ()) if EVERYTHING.exists() else (ENOUGH, ("--omit=dev",))
    run_tool("npm.py", "ci", *fewer)
    ready.touch()


def run_tool(name: str, *arguments: str) -> None:
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    subprocess.check_call([sys.executable, str(ROOT / "tools" / name), *arguments], env=environment)


def say(what: str) -> None:
    print(f"Not a Hat: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
