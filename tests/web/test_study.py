"""The consent to a study: off by default, and withdrawn at any time; and the questions of a study."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.server_process import ServerProcess, running_server


@pytest.fixture
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("study")
    with running_server(folder, pace=100.0, coverage=False, NOTAHAT_STUDY="yes", NOTAHAT_STUDY_PROBE="1") as server:
        yield server


def asked(ada: BrowserGuest, where: str) -> Locator:
    return ada.page.locator(f"{where} [data-study]").get_by_role("checkbox")


def test_study_consent_is_given_and_withdrawn(browser: Browser, asking: ServerProcess) -> None:
    with BrowserGuest(browser, asking.url, PHONE) as ada, ScriptedPlayers(asking.url) as players:
        players.join(ada.new_table("Ada"), "Ben")
        ada.chairs(2)
        ada.begin(0)
        expect(asked(ada, "main")).not_to_be_checked()
        expect(ada.page.locator("[data-study]")).to_contain_text("how sure you are")
        asked(ada, "main").press("Space")
        expect(asked(ada, "main")).to_be_checked()
        sent: list[str | bytes] = []
        ada.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
        ada.page.reload()
        expect(asked(ada, "main")).to_be_checked()
        ada.start()
        ada.do("draw")
        ada.give("umb")
        answer_question(ada)
        said = [command for command in map(json.loads, sent) if command.get("do") == "probe"]
        assert [(command["believed"], command["confidence"]) for command in said] == [("umbrella", 3)]
        ada.button("Menu").click()
        expect(asked(ada, "dialog")).to_be_checked()
        asked(ada, "dialog").click()
        expect(asked(ada, "dialog")).not_to_be_checked()
        ada.page.reload()
        ada.button("Menu").click()
        expect(asked(ada, "dialog")).not_to_be_checked()


def answer_question(ada: BrowserGuest) -> None:
    ada.page.locator("[data-do=probe]").click()
    ada.page.locator("[data-probe-pick]").click()
    field = ada.page.get_by_role("combobox")
    field.fill("umb")
    field.press("Enter")
    ada.page.locator("[data-sure='3']").click()
    expect(ada.page.locator("[data-do=probe], dialog")).to_have_count(0)
