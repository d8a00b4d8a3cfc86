"""Browsers without WebRTC on a static site: they cannot connect to other devices, and the page says so."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.static_host import built_site, plain_host

INVITATION = f"#PEER-ABCDEF.{'A' * 43}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)


def test_browser_without_webrtc_says_so_and_plays_alone(browser: Browser, folder: Path) -> None:
    with plain_host(folder) as (url, _), BrowserGuest(browser, url, PHONE) as ada:
        ada.page.add_init_script("delete window.RTCPeerConnection")
        ada.page.goto(f"{url}/{INVITATION}")
        expect(ada.page.get_by_text("This browser can’t connect devices directly")).to_be_visible()
        ada.page.get_by_role("link", name="Home").click()
        ada.set_name("Ada")
        ada.page.locator("[data-new]", has_text="New table").click()
        ada.chairs(1)
        assert ada.page.url == f"{url}/t/POCKET-1"
