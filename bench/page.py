"""Write sections of docs/benchmarks.md."""

import re
import textwrap
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write(name: str, title: str, text: str, run: str) -> None:
    """Replace the section with this name, or add it."""
    section = f"<!-- {name} -->\n## {title}\n\n{text}\n\n{textwrap.fill(run, 140)}\n<!-- /{name} -->\n"
    page = PAGE.read_text()
    old = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->\n", re.DOTALL)
    page = old.sub(lambda _: section, page) if old.search(page) else f"{page}\n{section}"
    PAGE.write_text(page)
