"""axe-core in a visitor's page: WCAG 2.2 AA and best practice."""

from pathlib import Path
from typing import Any

from support.visitor import Visitor

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = f"async () => (await axe.run(document, {{ runOnly: {_RULES} }})).violations"


def check(visitor: Visitor, state: str) -> None:
    """axe finds nothing in what the visitor sees now."""
    visitor.page.wait_for_timeout(250)
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(_AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = visitor.page.evaluate(_RUN)
    told = [f"{one['id']}: {one['help']} {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
    assert told == [], f"{state}: {told}"
