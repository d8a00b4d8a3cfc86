"""Which interpreters `make test-pythons` tries."""

import os
import sys
from pathlib import Path

import pytest

from other_pythons import interpreters


def fake_python(path: Path, version: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{version}\n")
    path.chmod(0o755)


def test_newest_patch_of_each_version_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_python(tmp_path / "bin/python3.12", "echo 3 12 4")
    fake_python(tmp_path / "bin/python3.13", "exit 127")  # a pyenv shim without a selected version
    for folder, version in {"3.10.1": "3 10 1", "3.12.1": "3 12 1", "3.13.0": "3 13 0"}.items():
        fake_python(tmp_path / f"pyenv/versions/{folder}/bin/python3", f"echo {version}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert interpreters() == {
        (3, 12, 4): str(tmp_path / "bin/python3.12"),
        (3, 13, 0): str(tmp_path / "pyenv/versions/3.13.0/bin/python3"),
    }


def test_version_is_read_from_the_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"python3.{sys.version_info.minor}"
    (tmp_path / name).symlink_to(os.path.realpath(sys.executable))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert interpreters() == {sys.version_info[:3]: str(tmp_path / name)}
