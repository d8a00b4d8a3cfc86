"""axe-core in a visitor's page: WCAG 2.2 AA and best practice."""

from pathlib import Path
from typing import Any

from support.browser_guest import Visitor

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = """(rules) => {
  window.axeFound = null;
  const how = { runOnly: rules, resultTypes: ["violations"], preload: false };
  axe.run(document, how).then(({ violations }) => { window.axeFound = violations; });
}"""


def check(visitor: Visitor, state: str, passing: int = 0) -> None:
    """axe finds nothing in what the visitor sees now. Where the page's clock is held, some milliseconds must pass."""
    _find_nothing(visitor, state, _RULES, passing)


def check_both(visitor: Visitor, state: str, passing: int = 0) -> None:
    """axe finds nothing in the light, and in the dark no colours that are hard to read: little else changes there."""
    check(visitor, state, passing)
    visitor.page.emulate_media(color_scheme="dark")
    _find_nothing(visitor, f"{state}, in the dark", ["color-contrast", "link-in-text-block"], passing)
    visitor.page.emulate_media(color_scheme="light")


def _find_nothing(visitor: Visitor, state: str, rules: list[str], passing: int) -> None:
    if not passing:
        visitor.still()
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(_AXE.read_text("utf-8"))
    visitor.page.evaluate(_RUN, rules)
    visitor.until(lambda: bool(visitor.page.evaluate("() => window.axeFound !== null")), passing=passing)
    found: list[dict[str, Any]] = visitor.page.evaluate("() => window.axeFound")
    told = [f"{one['id']}: {one['help']} {[_told(node) for node in one['nodes'][:3]]}" for one in found]
    assert told == [], f"{state}: {told}"


def _told(node: dict[str, Any]) -> str:
    return f"{node['html'][:160]}: {node['failureSummary']}"
