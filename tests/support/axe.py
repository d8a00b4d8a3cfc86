"""axe-core in a visitor's page: WCAG 2.2 AA and best practice."""

from pathlib import Path
from typing import Any

from support.visitor import Visitor

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = f"""() => {{
  window.axeFound = null;
  axe.run(document, {{ runOnly: {_RULES} }}).then(({{ violations }}) => {{ window.axeFound = violations; }});
}}"""


def check(visitor: Visitor, state: str, passing: int = 0) -> None:
    """axe finds nothing in what the visitor sees now. Where the page's clock is held, some milliseconds must pass."""
    if not passing:
        visitor.still()
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(_AXE.read_text("utf-8"))
    visitor.page.evaluate(_RUN)
    visitor.until(lambda: bool(visitor.page.evaluate("() => window.axeFound !== null")), passing=passing)
    found: list[dict[str, Any]] = visitor.page.evaluate("() => window.axeFound")
    told = [f"{one['id']}: {one['help']} {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
    assert told == [], f"{state}: {told}"
