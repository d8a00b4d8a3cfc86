"""The browser is got once, before any test; where there is none, one line says what helps."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
TOOL = TESTS.parent / "tools" / "browser.py"


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))}
    return subprocess.run(command, env={**kept, **environment}, capture_output=True, text=True, check=False)


def test_a_named_browser_that_does_not_start_is_told_in_one_line_with_what_helps(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho get me from a shop >&2\nexit 1\n")
    broken.chmod(0o755)
    for path in (str(broken), "/nowhere/chromium"):
        said = run(sys.executable, str(TOOL), CHROMIUM=path)
        assert said.returncode == 1
        assert said.stdout == ""
        (line,) = said.stderr.splitlines()
        assert line.startswith(f"CHROMIUM={path} does not start.")
        assert all(help_ in line for help_ in ("apt-get install", "playwright install", "CHROMIUM=/path"))


def test_a_named_browser_that_starts_is_taken(tmp_path: Path) -> None:
    good = tmp_path / "chromium"
    good.write_text("#!/bin/sh\nexit 0\n")
    good.chmod(0o755)
    assert run(sys.executable, str(TOOL), CHROMIUM=str(good)).returncode == 0


def test_without_a_browser_the_tests_say_so_once_and_install_nothing(tmp_path: Path) -> None:
    """Whatever would be run to install one is not even on the PATH; nor was a browser found before, as it is asked in
    a Python whose prefix is empty.
    """
    ask = f"import sys; sys.prefix = {str(tmp_path)!r}; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    web = str(TESTS / "web")
    said = run(sys.executable, "-c", ask, web, "-p", "no:cacheprovider", PATH=str(tmp_path), CHROMIUM="")
    assert said.returncode == 2
    assert [line for line in said.stderr.splitlines() + said.stdout.splitlines() if "no Chromium" in line]
    assert "ERROR" not in said.stdout
