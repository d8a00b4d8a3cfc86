"""The first game: you draw, give, accept and refuse, and are told what most people get wrong."""

from playwright.sync_api import Browser

from support.serving import Served
from support.visitor import PHONE, Visitor


def test_the_first_game_lets_you_do_every_move_once(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url, PHONE) as ada:
        ada.open("/learn")
        page = ada.page
        told = page.locator("header p")
        ada.button("Go on").click()
        page.locator("[data-do=draw]").click()
        ada.button("Go on").click()
        told.get_by_text("give it away at once").wait_for()
        _give(ada, "violin")
        told.get_by_text("For now, say what it really is").wait_for()
        _give(ada, "piano")
        ada.button("Go on").click()
        page.locator("[data-do=refuse]").click()
        told.get_by_text("You saw Bo’s guitar").wait_for()
        page.locator("[data-do=accept]").click()
        told.get_by_text("you give your oldest gift, the muffin").wait_for()
        ada.button("Go on").click()
        _give(ada, "muffin")
        ada.button("Go on").click()
        page.locator("[data-do=accept]").click()
        told.get_by_text("A violin it is not").wait_for()
        page.locator("[data-do=refuse]").click()
        page.locator("[data-do=go_on]").click()
        told.get_by_text("a penalty point").wait_for()
        ada.button("Go on").click()
        page.get_by_role("link", name="Play for real").click()
        page.get_by_role("heading", name="Not a Hat").wait_for()


def _give(ada: Visitor, gift: str) -> None:
    ada.page.locator("[data-do=give]").click()
    field = ada.page.get_by_role("combobox")
    field.fill(gift)
    field.press("Enter")
