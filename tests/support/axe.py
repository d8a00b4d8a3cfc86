"""axe-core in a guest's page, in light and in dark mode."""

from pathlib import Path

from support.browser_guest import BrowserGuest
from support.scripts import load

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def check(guest: BrowserGuest) -> None:
    """Assert that axe finds nothing now."""
    guest.still()
    guest.page.evaluate(AXE.read_text("utf-8"))
    assert guest.page.evaluate(load("runAxe")) == []
