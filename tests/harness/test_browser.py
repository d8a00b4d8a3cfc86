"""Tests use an installed browser; without one, a single line says what helps."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
TOOL = TESTS.parent / "tools" / "browser.py"


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))}
    return subprocess.run(command, env={**inherited, **environment}, capture_output=True, text=True, check=False)


def test_broken_named_browser_gives_one_line_of_help(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho not installed >&2\nexit 1\n")
    broken.chmod(0o755)
    for path in (str(broken), "/nowhere/chromium"):
        ended = run(sys.executable, str(TOOL), CHROMIUM=path)
        assert ended.returncode == 1
        assert ended.stdout == ""
        (line,) = ended.stderr.splitlines()
        assert line.startswith(f"CHROMIUM={path} does not start.")
        assert all(help_ in line for help_ in ("apt-get install", "playwright install", "CHROMIUM=/path"))


def test_working_named_browser_is_accepted(tmp_path: Path) -> None:
    good = tmp_path / "chromium"
    good.write_text("#!/bin/sh\nexit 0\n")
    good.chmod(0o755)
    assert run(sys.executable, str(TOOL), CHROMIUM=str(good)).returncode == 0


def test_missing_browser_is_reported_once(tmp_path: Path) -> None:
    """The PATH has no installer, and the Python prefix is empty, so no browser was found before."""
    code = f"import sys; sys.prefix = {str(tmp_path)!r}; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    web = str(TESTS / "web")
    ended = run(sys.executable, "-c", code, web, "-p", "no:cacheprovider", PATH=str(tmp_path), CHROMIUM="")
    assert ended.returncode == 2
    assert [line for line in ended.stderr.splitlines() + ended.stdout.splitlines() if "no Chromium" in line]
    assert "ERROR" not in ended.stdout
