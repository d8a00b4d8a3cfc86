"""Files for a code host: they parse, call existing make targets, pin actions and name no other host."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
YAML_FILES = [*sorted((ROOT / ".github").rglob("*.yml")), ROOT / ".pre-commit-config.yaml"]
OTHER_FILES = [ROOT / ".devcontainer/devcontainer.json", *sorted((ROOT / ".github").glob("*.md"))]
TARGETS = set(re.findall(r"^([\w./-]+):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
MAKE = re.compile(r"\bmake((?: [\w./=-]+)+)")
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")


def load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def jobs() -> list[tuple[str, dict[str, Any]]]:
    return [(f"{path.stem}/{name}", job) for path in WORKFLOWS for name, job in load(path)["jobs"].items()]


def commands() -> list[str]:
    """Return every command that these files run."""
    steps = [step["run"] for _, job in jobs() for step in job["steps"] if "run" in step]
    hooks = [hook["entry"] for repo in load(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    return [*steps, *hooks, json.loads(OTHER_FILES[0].read_text("utf-8"))["postCreateCommand"]]


def called_targets(command: str) -> set[str]:
    words = [word for arguments in MAKE.findall(command) for word in arguments.split()]
    return {word for word in words if "=" not in word and not word.startswith("-")}


def test_commands_call_existing_make_targets() -> None:
    called = {target for command in commands() for target in called_targets(command)}
    assert {"test", "quick", "check", "release", "browser", "site"} <= called
    assert called - TARGETS == set()


def test_actions_are_pinned_to_commits() -> None:
    used = [step["uses"] for _, job in jobs() for step in job["steps"] if "uses" in step]
    assert len(used) > 5
    assert [name for name in used if not PINNED.fullmatch(name)] == []


def test_jobs_have_timeouts_and_few_permissions() -> None:
    assert [name for name, job in jobs() if "timeout-minutes" not in job] == []
    assert [load(path)["permissions"] for path in WORKFLOWS] == [{}, {}, {"contents": "read"}]
    may_sign = [name for name, job in jobs() if "id-token" in job.get("permissions", {})]
    assert may_sign == ["demo/publish", "release/build", "release/image", "release/publish"]


def test_release_names_the_repository_in_both_packages(tmp_path: Path) -> None:
    (step,) = (one for one in dict(jobs())["release/build"]["steps"] if "HERE" in one.get("env", {}))
    (tmp_path / "lab").mkdir()
    for name in ("pyproject.toml", "lab/pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    environment = {**os.environ, "HERE": "https://code.example/ada/hats"}
    subprocess.run(["/bin/sh", "-euc", step["run"]], cwd=tmp_path, env=environment, check=True)
    for name in ("pyproject.toml", "lab/pyproject.toml"):
        urls = tomllib.loads((tmp_path / name).read_text("utf-8"))["project"]["urls"]
        assert urls["Repository"] == "https://code.example/ada/hats"
        assert {"Issues", "Changelog", "Documentation"} <= urls.keys()


def test_tests_run_on_every_supported_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = {name.rpartition(" ")[2] for name in project["classifiers"] if ":: 3." in name}
    tested = dict(jobs())["test/test"]["strategy"]["matrix"]["python"]
    assert supported <= set(tested)
    assert {"3.11", "3.14"} <= set(tested)


@pytest.mark.parametrize("path", [*YAML_FILES, *OTHER_FILES], ids=lambda path: path.name)
def test_file_names_no_host(path: Path) -> None:
    assert re.findall(r"://|\b[\w-]+\.(?:org|com|io)\b", path.read_text("utf-8")) == []
