"""Where a server asks whether rounds may be studied: off until somebody says yes, and off again whenever they like."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.axe import check
from support.browser_guest import PHONE, Visitor
from support.server_process import Served, served


@pytest.fixture
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("study"), pace=25.0, measured=False, NOTAHAT_STUDY="yes") as server:
        yield server


def asked(ada: Visitor, where: str) -> Locator:
    return ada.page.locator(f"{where} [data-study]").get_by_role("checkbox")


def test_a_yes_is_asked_for_in_the_lobby_and_taken_back_from_the_menu(browser: Browser, asking: Served) -> None:
    with Visitor(browser, asking.url, PHONE, color_scheme="dark", reduced_motion="reduce") as ada:
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
