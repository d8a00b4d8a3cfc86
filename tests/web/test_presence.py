"""Players who are away, arrive late or are removed, and what the others see of it.

One player has a browser; the others are scripted.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from scripted_players import ScriptedPlayers
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess
from support.table_screen import fits, headline, news


@contextmanager
def _seated(
    ada: BrowserGuest, site: ServerProcess, *others: str, bots: int = 0, **options: Any
) -> Iterator[ScriptedPlayers]:
    """Seat Ada, then the others, of whom the first is the host, then computer players."""
    with ScriptedPlayers(site.url) as players:
        ada.join(players.open_table(*others, **options), "Ada")
        players.sit()
        for _ in range(bots):
            players.do_as_host("add_bot", level="regular")
        yield players


def test_stand_in_is_offered_when_player_is_away(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        with _seated(ada, site, "Ben", bots=1, starter=1) as players:
            players.do_as_host("hand_over", seat=0)
            ada.start()
            players.phase("draw")
            players.disconnect("Ben")
            headline(ada, "Ben is away.")
            fits(ada, "[data-absent]")
            ada.button("Wait").click()
            expect(ada.page.locator("[data-absent]")).to_have_count(0)
            headline(ada, "Ben is away.")
            ada.page.reload()
            ada.button("Let a computer play").click()
            expect(ada.page.locator("[data-sentence]")).not_to_contain_text("Ben is away.")
            expect(ada.page.get_by_text("computer playing")).to_have_count(1)
        with _seated(ada, site, "Ben", "Cem", starter=2) as players:
            players.do_as_host("start")
            ada.at_table()
            ada.button("Menu").click()
            ada.button("Pause").wait_for()  # with other people a menu does not pause the game
            players.do("Ben", "emote", emote="laugh")
            assert not players.state.view.paused
            ada.button("Close").click()
            players.disconnect("Cem")
            headline(ada, "Cem is away.")
            ada.button("Let a computer play").click()  # any player may, after twenty seconds of game time
            expect(ada.page.get_by_text("computer playing")).to_have_count(1)
            players.connect("Cem")
            news(ada, "Cem is back.")


def test_r3_2_first_look_ends_when_all_are_ready(browser: Browser, unhurried: ServerProcess) -> None:
    with (
        BrowserGuest(browser, unhurried.url, PHONE) as ada,
        _seated(ada, unhurried, "Ben", bots=6, starter=2, pace="relaxed", gifts_each=2) as players,
    ):
        players.do_as_host("start")
        figures = ada.page.locator("[data-first-look]")
        figures.wait_for()
        assert int(figures.inner_text()) > 10, "with sixteen gifts it takes a while"
        fits(ada, "[data-actions]")
        whole, left = ada.page.evaluate(load("patienceLine"))
        players.do("Ben", "emote", emote="hello")
        ada.page.wait_for_function(f"(left) => ({load('patienceLine')})()[1] < left", arg=left)
        assert ada.page.evaluate(load("patienceLine"))[0] == pytest.approx(whole, rel=1e-3), (
            "somebody waves, and time goes on where it was"
        )
        players.do("Ben", "ready")
        ada.button("Got it").click()
        figures.wait_for(state="detached")
        headline(ada, "New from the shop.")


def test_r8_4_spoken_table_plays_on_without_absent_player(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as ada:
        with _seated(ada, site, "Cem", "Ben", claims="spoken", starter=2) as players:
            players.do_as_host("start")
            players.phase("draw")
            players.do("Ben", "leave")
            headline(ada, "Ben has left the table.")
            fits(ada, "[data-absent]")
            ada.button("Move for Ben").click()
            ada.button("Draw for Ben").wait_for()
            players.do("Cem", "move_for", seat=2, move="draw", turn=0)
            news(ada, "Cem moves for Ben.")
            ada.button("Move for Ben").click()  # a move has closed the sheet
            ada.button(re.compile("Pass it on for Ben")).wait_for()
            headline(ada, "Ben has left the table.")
            ada.button("Deal again without Ben").click()
            expect(ada.page.locator("[data-seat]")).to_have_count(2)
        with _seated(ada, site, "Cem", "Ben", claims="spoken", arrows="white", starter=0) as players:
            players.do_as_host("start")
            ada.do("draw")
            ada.do("pass")
            assert players.phase("answer").receiver == 2
            players.do("Ben", "leave")
            ada.button("Move for Ben").click()
            ada.button("Refuse for Ben").wait_for()
            ada.button("Say thank you for Ben").click()
            players.phase("give")
            ada.button("Move for Ben").click()
            ada.button(re.compile("Pass it on for Ben")).click()
            assert players.phase("answer").receiver == 1
            players.do("Cem", "deal_again", seat=2)
            news(ada, "Dealt again without Ben")


def test_news_line_reports_players_and_options(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as ada, ScriptedPlayers(site.url) as players:
        ada.stop_clock().join(players.open_table("Ben"), "Ada")
        line = ada.page.locator("[data-news]")
        players.sit()
        news(ada, "Ben sits down.")
        players.connect("Cem")
        news(ada, "Someone is watching.")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        players.do_as_host("set_options", options={"pace": "brisk"})
        news(ada, "The house rules have changed.")
        players.do_as_host("lock", locked=True)
        news(ada, "The table is locked.")
        players.do_as_host("hand_over", seat=0)
        news(ada, "You’re the host.")
        ada.choose("relaxed")
        players.until(lambda now: now.view.options.pace == "relaxed")
        players.disconnect("Ben")
        news(ada, "Ben is away.")
        players.connect("Ben")
        news(ada, "Ben is back.")
        ada.page.evaluate("() => scrollTo(0, 0)")
        box, header = line.bounding_box(), ada.page.locator("header").bounding_box()
        assert box is not None
        assert header is not None
        assert box["y"] + box["height"] <= header["y"] + header["height"] + 1, "the table is not covered"
        ada.step(4100)
        expect(line).to_have_count(0)
        players.do("Ben", "emote", emote="clap")
        expect(ada.page.locator("[data-chair] [data-bubble]")).to_have_text("Well done!")


def test_removal_asks_first_and_can_be_undone(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, PHONE) as ada,
        BrowserGuest(browser, site.url, PHONE, allow_errors=True) as ben,
    ):
        code = ada.new_table("Ada")
        ben.stop_clock().start_clock().join(code, "Ben")
        ada.chairs(2)
        ada.tap_chair("Ben")
        ada.button("Remove Ben").click()
        ada.page.get_by_role("heading", name="Remove Ben?").wait_for()
        ada.button("No, stay").click()
        ada.chairs(2)
        ada.tap_chair("Ben")
        ada.button("Remove Ben").click()
        ada.page.get_by_role("button", name="Remove", exact=True).click()
        why = "The host has removed you from this table."
        ben.page.get_by_text(why).wait_for()
        ben.page.reload()
        ben.page.get_by_text(why).wait_for()
        ada.button("Menu").click()
        ada.button("Let Ben back in").click()
        ada.button("Menu").click()
        ada.button("Leave the table").wait_for()
        expect(ada.button("Let Ben back in")).to_have_count(0)
        ada.button("Close").click()
        ben.page.clock.fast_forward(5000)
        ben.page.locator("#name").fill("Ben")
        ben.page.locator("form .button.act").click()
        ada.chairs(2)
        ada.tap_chair("Ben")
        ada.button("Remove Ben").click()
        ada.page.get_by_text("from another device, Ben could still come back").wait_for()
        ada.button("Remove and lock").click()
        ben.page.get_by_text(why).wait_for()
        ben.page.context.clear_cookies()  # a fresh identity
        ben.page.reload()
        ben.page.get_by_text("The host has locked the table. You can watch.").wait_for()


def test_guest_without_seat_reads_why(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, allow_errors=True) as zoe, ScriptedPlayers(site.url) as players:
        code = players.open_table("Ada")
        players.sit()
        for _ in range(7):
            players.do_as_host("add_bot", level="regular")
        zoe.open(f"/t/{code}")
        zoe.page.get_by_text("All eight seats are taken. You can watch.").wait_for()
        players.do_as_host("remove", seat=7)
        zoe.page.locator("#name").wait_for()
        players.do_as_host("lock", locked=True)
        for _ in range(2):
            zoe.page.get_by_text("The host has locked the table. You can watch.").wait_for()
            zoe.page.reload()
        players.do_as_host("set_options", options={"spectators": False, "starter": 0})
        players.do_as_host("start")
        for _ in range(2):
            zoe.page.get_by_text("A game is running, and nobody can watch at this table.").wait_for()
            zoe.page.reload()


def test_r8_3_latecomer_waits_for_next_round(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as eve, ScriptedPlayers(site.url) as players:
        eve.open(f"/t/{players.open_table('Ada', starter=0)}")
        eve.page.locator("#name").wait_for()
        players.sit()
        players.do_as_host("add_bot", level="regular")
        players.do_as_host("start")
        eve.button("Join next round").click()
        eve.page.get_by_label("Your name").fill("Eve")
        eve.button("Sit down").click()
        told = eve.page.get_by_text("You’re in next round, as Eve.")
        told.wait_for()
        players.until(lambda now: list(now.view.waiting) == ["Eve"])
        eve.page.reload()
        told.wait_for()
        eve.button("Just watch instead").click()
        eve.button("Join next round").wait_for()


def test_home_links_back_and_host_without_seat_starts(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as tv, ScriptedPlayers(site.url) as players:
        code = players.code = tv.new_table("Ada")
        tv.open()
        tv.page.get_by_role("link", name=f"Back to your table {code[:4]}").click()
        tv.chairs(1)
        tv.button("Menu").click()
        tv.button("Leave the table").click()
        tv.page.locator("dialog dialog [data-do=leave]").click()
        tv.page.locator("[data-back]").click()  # also after leaving
        tv.page.locator("#name").wait_for()
        players.connect("Ben")
        players.sit("Ben")
        tv.add_bots(1)
        tv.start()
        with ScriptedPlayers(site.url) as away:
            tv.join(away.open_table("Cem"), "Ada")
            tv.page.get_by_text("The player who opened this table starts the game.").wait_for()


def test_solo_game_pauses_and_resumes_after_countdown(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as ada:
        ada.stop_clock().start_clock()
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        draw, countdown = ada.page.locator("[data-do=draw]"), ada.page.locator("[data-countdown]")
        draw.wait_for()
        ada.stop_clock()
        for what, heard in (("Menu", False), ("Menu", True), ("Rules", True)):
            ada.page.get_by_role("banner").get_by_role("button", name=what).click()
            expect(ada.page.get_by_role("dialog", name=what)).to_be_visible()  # over the table, in the same tab
            if heard:
                headline(ada, "Paused.")
            ada.button("Close").first.click()  # perhaps before the server has paused
            countdown.wait_for()
            expect(countdown).to_contain_text("3")
            ada.step(2400)
            expect(countdown).to_have_count(0)
            draw.wait_for()
        ada.page.reload()
        ada.until(lambda: draw.count() == 1, passing=100)
        hide(ada, True)
        headline(ada, "Paused.")
        hide(ada, False)
        countdown.get_by_role("button", name="Pause").click()
        expect(countdown).to_have_count(0)
        headline(ada, "Paused.")
        ada.button("Resume").click()
        draw.wait_for()


def hide(visitor: BrowserGuest, hidden: bool) -> None:
    visitor.page.evaluate(load("setHidden"), hidden)


def test_timeout_says_that_a_stand_in_claimed(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, PHONE) as ada,
        _seated(ada, site, "Ben", patience_seconds=20, starter=0) as ben,
    ):
        ben.do_as_host("start")
        ada.do("draw")
        news(ada, "Time was up. A computer said this for you.")
