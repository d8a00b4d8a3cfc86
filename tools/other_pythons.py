"""Check types and run the tests without a browser with the newest of every other Python >= 3.11 of uv or pyenv here."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIND = ("uv", "python", "list", "--only-installed", "--output-format", "json", ">=3.11")
NEED_A_BROWSER = {"web", "engines"}
GAME, LAB = ROOT, ROOT / "lab"
LOCKS = {GAME: ("requirements.lock", "requirements-dev.lock"), LAB: ("lab/requirements.lock",)}

Minor = tuple[int, int]


def interpreters() -> dict[Minor, str]:
    """The newest interpreter of each minor version that is there, oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv").glob("versions/3.*/bin")
    path = os.pathsep.join([*map(str, pyenv), os.environ["PATH"]])
    listed = subprocess.check_output([sys.executable, "-m", *FIND], env={**os.environ, "PATH": path})
    newest: dict[Minor, tuple[int, str]] = {}
    for python in json.loads(listed):
        parts, minor = python["version_parts"], (python["version_parts"]["major"], python["version_parts"]["minor"])
        newest[minor] = max(newest.get(minor, (-1, "")), (parts["patch"], python["path"]))
    return {minor: path for minor, (_, path) in sorted(newest.items())}


def environment(python: str, minor: Minor, part: Path) -> Path:
    """Return the `python` of an up-to-date virtual environment for the game or the laboratory."""
    folder = ROOT / "build" / "pythons" / part.name / ".".join(map(str, minor))
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
    for minor, python in interpreters().items():
        name = ".".join(map(str, minor))
        if minor == sys.version_info[:2]:
            print(f"Python {name}: left to `make test`", flush=True)
            continue
        print(f"Python {name}: {python}", flush=True)
        tried = [test(environment(python, minor, part), arguments.workers, part) for part in LOCKS]
        results[name] = all(tried)
    for name, green in results.items():
        print(f"Python {name}: {'green' if green else 'RED'}")
    if not results:
        print("no other Python >= 3.11 on this machine: nothing tried")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
