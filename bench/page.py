"""docs/benchmarks.md, of which each measurement writes its own section and leaves the others as they are."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

Written by the scripts in `bench/` (`make bench` runs them all). Compare the rows of one table with each other:
they were measured in one run. Figures of different dates or machines are not comparable.
"""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write(name: str, title: str, text: str, described: str) -> None:
    """Put a section into the page, in the place of the one with this name."""
    section = f"<!-- {name} -->\n## {title}\n\n{text}\n\n{described}\n<!-- /{name} -->\n"
    page = PAGE.read_text() if PAGE.exists() else HEAD
    old = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->\n", re.DOTALL)
    page = old.sub(lambda _: section, page) if old.search(page) else f"{page}\n{section}"
    PAGE.write_text(page)
