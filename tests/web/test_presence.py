"""Players who are away, arrive late or are removed, and what the others see of it.

One player has a browser; the others are scripted.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, expect

from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import load
from support.server_process import ServerProcess


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
    with BrowserGuest(browser, site.url, PHONE) as ada, _seated(ada, site, "Ben", bots=1, starter=1) as players:
        players.do_as_host("hand_over", seat=0)
        ada.start()
        players.phase("draw")
        players.disconnect("Ben")
        ada.headline("Ben is away.")
        ada.button("Wait").click()
        expect(ada.page.locator("[data-absent]")).to_have_count(0)
        ada.headline("Ben is away.")
        ada.page.reload()
        ada.button("Let a computer play").click()
        expect(ada.page.locator("[data-sentence]")).not_to_contain_text("Ben is away.")
        expect(ada.page.get_by_text("computer playing")).to_have_count(1)


def test_r3_2_first_look_ends_when_all_are_ready(browser: Browser, unhurried: ServerProcess) -> None:
    with (
        BrowserGuest(browser, unhurried.url, PHONE) as ada,
        _seated(ada.stop_clock(), unhurried, "Ben", bots=6, starter=2, pace="relaxed", gifts_each=2) as players,
    ):
        players.do_as_host("start")
        figures = ada.page.locator("[data-first-look]")
        ada.until(lambda: figures.count() == 1)
        assert int(figures.inner_text()) > 10, "with sixteen gifts it takes a while"
        players.do("Ben", "ready")
        ada.tap(ada.button("Got it"))
        ada.until(lambda: figures.count() == 0)
        ada.seen("sentence", "New from the shop.")


def test_r8_4_spoken_table_plays_on_without_absent_player(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, DESKTOP) as ada,
        _seated(ada, site, "Cem", "Ben", claims="spoken", starter=2) as players,
    ):
        players.do_as_host("start")
        players.phase("draw")
        players.do("Ben", "leave")
        ada.headline("Ben has left the table.")
        ada.button("Move for Ben").click()
        ada.button("Draw for Ben").wait_for()
        players.do("Cem", "move_for", seat=2, move="draw", turn=0)
        ada.seen("news", "Cem moves for Ben.")
        ada.button("Move for Ben").click()  # a move has closed the sheet
        ada.button(re.compile("Pass it on for Ben")).click()
        players.phase("answer")
        players.do("Cem", "deal_again", seat=2)
        ada.seen("news", "Dealt again without Ben")
        expect(ada.page.locator("[data-seat]")).to_have_count(2)


def test_news_line_goes_by_itself_and_covers_no_seat(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, DESKTOP) as ada, ScriptedPlayers(site.url) as players:
        ada.stop_clock().join(players.open_table("Ben"), "Ada")
        line = ada.page.locator("[data-news]")
        players.sit()
        players.connect("Cem")
        ada.seen("news", "Ben sits down.", "Someone is watching.")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        players.do_as_host("hand_over", seat=0)
        ada.seen("news", "You’re the host.")
        box, header = line.bounding_box(), ada.page.locator("header").bounding_box()
        assert box is not None
        assert header is not None
        assert box["y"] + box["height"] <= header["y"] + header["height"] + 1
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
        ben.sit("Ben")
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
                ada.headline("Paused.")
            ada.button("Close").first.click()  # perhaps before the server has paused
            countdown.wait_for()
            expect(countdown).to_contain_text("3")
            ada.step(2400)
            expect(countdown).to_have_count(0)
            draw.wait_for()
        ada.page.reload()
        ada.until(lambda: draw.count() == 1, passing=100)
        hide(ada, True)
        ada.headline("Paused.")
        hide(ada, False)
        ada.page.get_by_role("status").get_by_role("button", name="Pause").click()
        expect(countdown).to_have_count(0)
        ada.headline("Paused.")
        ada.button("Resume").click()
        draw.wait_for()


def hide(visitor: BrowserGuest, hidden: bool) -> None:
    visitor.page.evaluate(load("setHidden"), hidden)
