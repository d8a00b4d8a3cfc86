"""Every guarantee in docs/security.md names an existing test, and every dependency is listed."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")
TEST = re.compile(r"`(tests/[\w/]+\.py)?::(test_\w+)`")  # without a file: in the same one as the test before
VITEST = re.compile(r"`(web/test/[\w/]+\.test\.ts)`")


def guarantees() -> list[str]:
    """Return the rows of all tables whose last column names tests."""
    tables = re.findall(r"^\|.*\| (?:test|limits) \|\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return [row for table in tables for row in table.splitlines()]


def test_threat_model_names_existing_tests() -> None:
    rows = guarantees()
    assert len(rows) >= 9
    assert [row for row in rows if not TEST.search(row) and not VITEST.search(row)] == []
    assert [file for file in VITEST.findall(PAGE) if not (ROOT / file).exists()] == []
    assert [f"{file}::{test}" for file, test in named_tests() if not has_test(file, test)] == []


def named_tests() -> Iterator[tuple[str, str]]:
    for line in PAGE.splitlines():
        file = ""
        for named, test in TEST.findall(line):
            file = named or file
            yield file, test


def has_test(file: str, test: str) -> bool:
    path = ROOT / file
    return path.is_file() and re.search(rf"def {test}\b", path.read_text("utf-8")) is not None


def test_security_page_lists_all_dependencies() -> None:
    packages = re.findall(r"^([\w.-]+)(?:\[.*?\])?==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    assert len(packages) >= 10
    assert [name for name in packages if not re.search(rf"\b{re.escape(name)}\b", PAGE)] == []
