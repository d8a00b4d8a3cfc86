"""The bar that shows how much time is left for a move."""

import pytest
from playwright.sync_api import Browser

from scripted_players import ScriptedPlayers
from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess


def test_time_bar_survives_return_to_normal_pace(browser: Browser, unhurried: ServerProcess) -> None:
    """The normal pace is the absence of a speed, so the delta carries null."""
    with BrowserGuest(browser, unhurried.url, PHONE) as ada, ScriptedPlayers(unhurried.url) as players:
        ada.join(players.open_table("Ben", show_seconds=0, patience_seconds=120, starter=1), "Ada")
        players.sit()
        players.do_as_host("set_options", options={"pace": "brisk"})
        players.do_as_host("set_options", options={"pace": "normal"})
        players.do_as_host("start")
        players.do("Ben", "draw")
        bar = f"({load('patienceLine')})()[0]"
        whole = ada.page.wait_for_function(f"() => {bar} > 1000 && {bar}")  # the open gift has a short one before
        assert whole.json_value() == pytest.approx(120_000, rel=0.01)
