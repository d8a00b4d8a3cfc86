"""The consent to a study: off by default, and withdrawn at any time."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.axe import check
from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess, running_server


@pytest.fixture
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("study"), pace=25.0, coverage=False, NOTAHAT_STUDY="yes") as server:
        yield server


def asked(ada: BrowserGuest, where: str) -> Locator:
    return ada.page.locator(f"{where} [data-study]").get_by_role("checkbox")


def test_study_consent_is_given_and_withdrawn(browser: Browser, asking: ServerProcess) -> None:
    with BrowserGuest(browser, asking.url, PHONE, color_scheme="dark", reduced_motion="reduce") as ada:
        ada.new_table("Ada")
        ada.add_bots(1)
        expect(asked(ada, "main")).not_to_be_checked()
        asked(ada, "main").press("Space")
        expect(asked(ada, "main")).to_be_checked()
        check(ada, "lobby with a study")
        ada.page.reload()
        expect(asked(ada, "main")).to_be_checked()
        ada.start()
        ada.button("Menu").click()
        expect(asked(ada, "dialog")).to_be_checked()
        check(ada, "menu with a study")
        asked(ada, "dialog").click()
        expect(asked(ada, "dialog")).not_to_be_checked()
        ada.page.reload()
        ada.button("Menu").click()
        expect(asked(ada, "dialog")).not_to_be_checked()
