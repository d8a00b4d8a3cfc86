"""Run axe-core in a guest's page: WCAG 2.2 AA and best practice."""

from pathlib import Path
from typing import Any

from support.browser_guest import BrowserGuest
from support.scripts import load

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def check(guest: BrowserGuest, state: str) -> None:
    """Assert that axe finds nothing now."""
    _find_nothing(guest, state, _RULES)


def check_both(guest: BrowserGuest, state: str) -> None:
    """Assert that axe finds nothing in light mode, and no contrast errors in dark mode, where only colours differ."""
    check(guest, state)
    guest.page.emulate_media(color_scheme="dark")
    _find_nothing(guest, f"{state}, in the dark", ["color-contrast", "link-in-text-block"])
    guest.page.emulate_media(color_scheme="light")


def _find_nothing(guest: BrowserGuest, state: str, rules: list[str]) -> None:
    if not guest.is_stopped:
        guest.still()
    if not guest.page.evaluate("() => 'axe' in window"):
        guest.page.evaluate(_AXE.read_text("utf-8"))
    guest.page.evaluate(load("runAxe"), rules)
    guest.until(lambda: guest.page.evaluate("() => window.axeFound !== null"), passing=1)  # axe uses timers
    found: list[dict[str, Any]] = guest.page.evaluate("() => window.axeFound")
    messages = [f"{one['id']}: {one['help']} {[_describe(node) for node in one['nodes'][:3]]}" for one in found]
    assert messages == [], f"{state}: {messages}"


def _describe(node: dict[str, Any]) -> str:
    return f"{node['html'][:160]}: {node['failureSummary']}"
