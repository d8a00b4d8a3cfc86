"""Unusual names of players."""

import pytest
from playwright.sync_api import Browser

from support.browser_guest import BrowserGuest
from support.server_process import ServerProcess


@pytest.mark.parametrize("name", ["عائشة", "👩‍👩‍👧‍👦 und ich", "W" * 20])
def test_unusual_names_are_shown_whole(browser: Browser, site: ServerProcess, name: str) -> None:
    with BrowserGuest(browser, site.url, (320, 568)) as ada:
        ada.new_table(name)
        ada.add_bots(3)
        ada.start()
        mine = ada.page.locator("[data-seat].you .name")
        assert name in mine.inner_text().replace("\u00ad", "")
        assert mine.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
