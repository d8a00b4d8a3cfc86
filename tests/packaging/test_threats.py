"""Every promise of docs/security.md names the test that keeps it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^\| (?!what they try|package |---).*\|$")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def promises() -> list[str]:
    """All lines of tables that promise something."""
    told = (ROOT / "docs" / "security.md").read_text()
    sections = told.split("\n## ")[2:]  # who they are promises nothing
    lines = [line for section in sections for line in section.splitlines()]
    return [line for line in lines if LINE.match(line) and not set(line) <= set("|- ")]


def test_every_line_of_the_threat_model_names_a_test_that_exists() -> None:
    lines = promises()
    assert len(lines) >= 9
    for line in lines:
        named = NAMED.findall(line)
        assert named, line
        for file, test in named:
            assert re.search(rf"def {test}\b", (ROOT / file).read_text()), f"{file}::{test}"


def test_every_package_that_players_get_is_spoken_of() -> None:
    told = (ROOT / "docs" / "security.md").read_text()
    packages = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert len(packages) >= 10
    assert [name for name in packages if not re.search(rf"\b{re.escape(name)}\b", told)] == []
