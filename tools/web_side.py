"""Build the web side into the package, where it is not there yet or where anything it is made of has changed.

What it was made of is remembered beside it as one hash, and travels with it into an sdist; so `make`, a wheel, an
editable install and a wheel made from an sdist all ask the same question and get the same answer.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
BUILT = ROOT / "src" / "notahat" / "server" / "static"
STAMP = BUILT / "made-of.sha256"

# The page itself, and what tools/web_catalogue.py makes of gifts, remarks and rules for it.
PYTHON_SOURCES = ("src/notahat/gifts", "src/notahat/bots", "src/notahat/rules")
SOURCES = ("web", *PYTHON_SOURCES, "tools/web_catalogue.py", "tools/lesson.py")
NO_SOURCES = {"node_modules", "made", "test", "__pycache__"}

MODULES = WEB / "node_modules"
EVERYTHING = MODULES / "ready"  # all packages, those for developers too
ENOUGH = MODULES / "ready-to-build"


def main() -> int:
    if not fresh():
        build()
    return 0


def fresh() -> bool:
    """Whether the page in the package is made of what lies here now."""
    return STAMP.exists() and STAMP.read_text("ascii").strip() == made_of()


def made_of() -> str:
    """One hash over the names and contents of all that the page is made of."""
    total = hashlib.sha256()
    for path in sorted(_sources()):
        total.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _sources() -> Iterator[Path]:
    for source in SOURCES:
        start = ROOT / source
        if start.is_file():
            yield start
        for folder, folders, files in os.walk(start):
            folders[:] = [name for name in folders if name not in NO_SOURCES]
            yield from (Path(folder, name) for name in files)


def build() -> None:
    if not _packages_there():
        say("getting what the page is built with (about half a minute, once)")
        _get_packages()
    say("building the page")
    run_tool("web_catalogue.py")
    of = made_of()
    run_tool(
        "npm.py", "--silent", "run", "build", "--", "--logLevel", "error"
    )  # empties the folder first, so a build that broke off has no stamp
    STAMP.write_text(f"{of}\n", "ascii")


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
