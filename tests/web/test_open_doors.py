"""Notifications of hidden tabs, tempers of computer players, ready decks, and tables in the same house."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import call, load
from support.server_process import ServerProcess, running_server

TV = (1920, 1080)
NOTIFIED = "() => window.notifications.join()"


def test_hidden_tab_notifies_of_own_turn(browser: Browser, site: ServerProcess) -> None:
    guest = BrowserGuest(browser, site.url, PHONE, service_workers="allow")
    with guest as ada, ScriptedPlayers(site.url) as players:
        ada.page.add_init_script(call("fakeNotifications"))
        ada.join(players.open_table("Ben", starter=1), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.at_table()
        expect(ada.page.locator("[data-ask=notify]")).to_have_count(0)
        for hidden in (True, False):
            ada.page.evaluate(load("setHidden"), hidden)
        ada.tap("[data-ask=notify] [data-answer=yes]")
        ada.page.evaluate(load("setHidden"), True)
        mark = len(ada.record)
        players.do("Ben", "draw")
        players.phase("give")
        players.do("Ben", "give", claim="hat")
        ada.until(lambda: ada.page.evaluate(NOTIFIED) == "Your turn")
        assert {entry["beat"] for entry in ada.record[mark:]} == {"present"}, "nothing moves where nobody looks"
        ada.page.evaluate(load("setHidden"), False)
        ada.until(lambda: ada.page.evaluate(NOTIFIED) == "")
        ada.button("Menu").click()
        ada.page.get_by_label("Notify me").uncheck()
        assert ada.page.evaluate("() => JSON.parse(localStorage.notahat).notify") is False


def test_host_sets_tempers_and_guesses_the_sly_surprise(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada, BrowserGuest(browser, site.url, TV) as screen:
        ada.new_table()
        ada.tap_empty_chair()
        ada.page.locator("[data-dials] summary").click()
        ada.page.locator("[data-dial=trust]").fill("4")
        ada.page.locator("[data-dial=honesty]").fill("1")
        expect(ada.page.locator("[data-dials] output").nth(1)).to_have_text("rather honest")
        ada.page.locator(".tempers .button").first.click()
        ada.chairs(2)
        expect(ada.page.locator("[data-chair] small", has_text="rather honest, suspicious")).to_have_count(1)
        for chairs in (3, 4):
            ada.tap_empty_chair()
            ada.page.locator("[data-surprise]").click()
            ada.chairs(chairs)
        expect(ada.page.locator("[data-chair] small", has_text="a surprise")).to_have_count(2)
        ada.start()
        ada.end_game()
        ada.ended()
        screen.page.goto(f"{ada.page.url}/screen")
        expect(screen.page.locator("[data-sly] .button")).to_have_count(2)
        guesses = ada.page.locator("[data-sly] .button")
        expect(ada.page.locator("[data-sly] h2")).to_have_text("Who was the sly one?")
        expect(guesses).to_have_count(2)
        guesses.first.click()
        expect(guesses.filter(has_text="sly")).to_have_count(1)
        expect(ada.page.locator("[data-sly] h2")).not_to_have_text("Who was the sly one?")


def test_deck_is_one_tap_away_and_special_cards_come_later(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.new_table()
        ada.add_bots(1)
        shelf = ada.page.locator("[data-shelf] button")
        expect(shelf).to_have_count(10)
        shelf.filter(has_text="Animals").click()
        expect(ada.page.locator("[data-played]")).to_contain_text("Animals")
        expect(shelf.filter(has_text="Animals")).to_have_attribute("aria-pressed", "true")
        shelf.filter(has_text="Special").click()
        expect(ada.page.locator("[data-played]")).to_contain_text("Special, without its special cards")
        ada.start()
        ada.end_game()
        ada.ended()
        ada.tap("[data-special]")
        ada.at_table()
        ada.end_game()
        ada.ended()
        expect(ada.page.locator("[data-special]")).to_have_count(0)


def test_lobby_in_this_house_is_joined_with_one_tap(browser: Browser, tmp_path: Path) -> None:
    with running_server(tmp_path, coverage=False, NOTAHAT_LAN="yes") as house, ScriptedPlayers(house.url) as players:
        players.open_table("Ada")
        players.sit()
        with BrowserGuest(browser, house.url, PHONE) as ben:
            ben.open()
            table = ben.page.locator("[data-house]")
            expect(table).to_have_text("Ada’s tableOne player")
            players.do("Ada", "lock", locked=True)
            expect(table).to_have_count(0)
            players.do("Ada", "lock", locked=False)
            table.click()
            ben.chairs(1)
            assert players.code in ben.page.url
