"""Checks of a table's page that several browser tests share."""

from playwright.sync_api import expect

from support.browser_guest import BrowserGuest


def news(visitor: BrowserGuest, text: str) -> None:
    """Wait until the news line has shown this, after the last news that were waited for."""
    visitor.seen("news", text)


def headline(visitor: BrowserGuest, text: str) -> None:
    """Wait until the table's sentence says this, which stays."""
    expect(visitor.page.locator("[data-sentence]")).to_contain_text(text)


def fits(visitor: BrowserGuest, selector: str) -> None:
    """Assert that all buttons are inside the window and large enough."""
    visitor.page.locator(selector).first.wait_for()
    width, height = visitor.page.viewport_size["width"], visitor.page.viewport_size["height"]  # type: ignore[index]
    for button in visitor.page.locator(f"{selector} .button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert box["height"] >= 44
