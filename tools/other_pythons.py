"""Check types and run the tests without a browser with every other Python >= 3.11 here; report which were tried.

Interpreters are found on the PATH (`python3.12`, ...) and in pyenv's versions folder; nothing is installed but a
virtual environment for each, such as `build/pythons/lab/3.12`. Only the newest patch release of a minor version is
tried.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = 11, 20  # minor versions to look for
NEED_A_BROWSER = {"web", "engines"}
GAME, LAB = ROOT, ROOT / "lab"
LOCKS = {GAME: ("requirements.lock", "requirements-dev.lock"), LAB: ("lab/requirements.lock",)}
PRINT_VERSION = "import sys; print(*sys.version_info[:3])"

Version = tuple[int, int, int]


def candidates() -> Iterator[str]:
    """Paths of everything that could be a Python interpreter."""
    for minor in range(OLDEST, NEWEST):
        if found := shutil.which(f"python3.{minor}"):
            yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(pyenv.glob("versions/3.*/bin/python3")))


def version_of(python: str) -> Version | None:
    """Return None for a path that does not start, such as a pyenv shim without a selected version."""
    done = subprocess.run([python, "-c", PRINT_VERSION], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    major, minor, patch = map(int, done.stdout.split())
    return major, minor, patch


def interpreters() -> dict[Version, str]:
    """The newest patch release of each minor version that is there, oldest first."""
    newest: dict[tuple[int, int], tuple[Version, str]] = {}
    for python in candidates():
        version = version_of(python)
        if version is not None and version >= (3, OLDEST, 0):
            newest[version[:2]] = max(newest.get(version[:2], (version, python)), (version, python))
    return dict(sorted(newest.values()))


def environment(python: str, version: Version, part: Path) -> Path:
    """Return the `python` of an up-to-date virtual environment for the game or the laboratory."""
    folder = ROOT / "build" / "pythons" / part.name / ".".join(map(str, version[:2]))
    inside, ready = folder / "bin" / "python", folder / "ready"
    made_from = [ROOT / name for name in (*LOCKS[part], "pyproject.toml", "lab/pyproject.toml")]
    if ready.exists() and ready.stat().st_mtime > max(path.stat().st_mtime for path in made_from):
        return inside
    subprocess.check_call([python, "-m", "venv", "--clear", str(folder)])
    install = [str(inside), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for lock in LOCKS[part]:
        subprocess.check_call([*install, "--require-hashes", "-r", str(ROOT / lock)])
    without_hooks = {**os.environ, "HATCH_BUILD_NO_HOOKS": "true"}
    editable = [word for package in {GAME, part} for word in ("-e", str(package))]
    subprocess.check_call([*install, "--no-deps", "--no-build-isolation", *editable], env=without_hooks)
    ready.touch()
    return inside


def test(python: Path, workers: str, part: Path) -> bool:
    """Check the types, which differ between versions of the standard library, and run the tests."""
    modules = (path.relative_to(ROOT / "tests") for path in ROOT.glob("tests/*/**/test_*.py"))
    folders = sorted({module.parts[0] for module in modules} - NEED_A_BROWSER)
    tests = [*(f"tests/{folder}" for folder in folders), "README.md", "docs", "src"] if part == GAME else []
    types = [str(python), "-m", "mypy", "--cache-dir", str(python.parent.parent / "mypy")]
    options = ["-q", "-n", workers, "--dist", "worksteal", "-p", "no:cacheprovider"]
    run_tests = [str(python), "-m", "pytest", *options, *tests]
    results = [subprocess.run(command, cwd=part, check=False).returncode for command in (types, run_tests)]
    return results == [0, 0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", default="4", help="number of parallel tests")
    arguments = parser.parse_args()
    results: dict[str, bool] = {}
    for version, python in interpreters().items():
        name = ".".join(map(str, version))
        if version[:2] == sys.version_info[:2]:
            print(f"Python {name}: left to `make test`", flush=True)
            continue
        print(f"Python {name}: {python}", flush=True)
        tried = [test(environment(python, version, part), arguments.workers, part) for part in LOCKS]
        results[name] = all(tried)
    for name, green in results.items():
        print(f"Python {name}: {'green' if green else 'RED'}")
    if not results:
        print("no other Python >= 3.11 on this machine: nothing tried")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
