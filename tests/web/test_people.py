"""People come and go: who is away, who comes late, who was sent away, and what everybody is told of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.serving import Served, served
from support.visitor import DESKTOP, PHONE, Visitor

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def news(visitor: Visitor, text: str) -> None:
    """One line of news shows this, sooner or later."""
    expect(visitor.page.locator("[data-news]")).to_contain_text(text)


def headline(visitor: Visitor, text: str) -> None:
    expect(visitor.page.locator("[data-sentence]")).to_contain_text(text)


def fits(visitor: Visitor, selector: str) -> None:
    """Nothing of it is cut off, and every button is large enough for a thumb."""
    visitor.page.locator(selector).first.wait_for()
    width, height = visitor.page.viewport_size["width"], visitor.page.viewport_size["height"]  # type: ignore[index]
    for button in visitor.page.locator(f"{selector} .button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert box["height"] >= 44


@SIZES
def test_when_who_must_act_is_away_a_computer_may_play_for_them(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        code = ada.new_table("Ada")
        with Visitor(browser, site.url) as ben:
            ben.join(code, "Ben")
            ada.chairs(2)
            ada.add_bots(1)
            ada.begin(1)
            ada.start()
            ben.page.locator("[data-do=draw]").wait_for()
        headline(ada, "Ben is away.")
        fits(ada, "[data-absent]")
        ada.button("Wait").click()
        expect(ada.page.locator("[data-absent]")).to_have_count(0)
        headline(ada, "Ben is away.")
        ada.page.reload()
        ada.button("Let a computer play").click()
        expect(ada.page.locator("[data-sentence]")).not_to_contain_text("Ben is away.")
        expect(ada.page.get_by_text("a computer stands in")).to_have_count(1)


@SIZES
def test_anyone_seated_may_let_a_computer_play_for_who_has_been_away_for_long(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, size) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        with Visitor(browser, site.url) as cem:
            cem.join(code, "Cem")
            ada.chairs(3)
            ada.begin(2)
            ada.start()
            cem.page.locator("[data-do=draw]").wait_for()
        headline(ben, "Cem is away.")
        ben.button("Let a computer play").click()  # twenty seconds pass quickly here
        expect(ben.page.get_by_text("a computer stands in")).to_have_count(1)
        news(ada, "A computer plays for Cem.")


@SIZES
def test_r3_2_the_first_look_before_a_computer_begins_runs_down_and_ends_when_all_have_looked(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    with served(tmp_path, pace=1.0) as server, Visitor(browser, server.url, size) as ada:
        ada.new_table("Ada")
        ada.add_bots(7)
        ada.choose("relaxed")
        ada.page.locator('label:has-text("Gifts each") select').select_option("2")
        ada.page.locator("details select").last.select_option("1")
        ada.start()
        expect(ada.page.locator("[data-sentence] .line, [data-patience]").first).to_be_visible()
        fits(ada, "[data-actions]")
        ada.button("I have looked").click()
        headline(ada, "New from the shop.")  # otherwise it would take 25 seconds


@SIZES
def test_r8_4_whoever_leaves_on_their_turn_at_a_spoken_table_is_moved_for_or_dealt_out(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, size) as cem:
        code = ada.new_table("Ada")
        with Visitor(browser, site.url) as ben:
            ben.join(code, "Ben")
            ada.chairs(2)
            cem.join(code, "Cem")
            ada.chairs(3)
            ada.choose("spoken")
            ada.page.locator("details select").last.select_option("1")
            ada.start()
            ben.page.locator("[data-do=draw]").wait_for()
            ben.button("Menu").click()
            ben.button("Leave the table").click()
            ben.page.locator(".doors").wait_for()
        headline(cem, "Ben has left the table.")
        fits(cem, "[data-absent]")
        cem.button("Draw for Ben").click()
        news(ada, "Cem moves for Ben.")
        cem.button(re.compile("Pass it on for Ben")).wait_for()
        headline(cem, "Ben has left the table.")
        cem.button("Deal again without Ben").click()
        news(ada, "Dealt again without Ben")
        expect(ada.page.locator("[data-seat]")).to_have_count(2)
        expect(cem.page.locator("[data-seat]")).to_have_count(2)


def test_r12_who_is_away_is_answered_for_by_choosing_what_they_say(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url, PHONE) as ada, Visitor(browser, site.url) as cem:
        code = ada.new_table("Ada")
        with Visitor(browser, site.url) as ben:
            ben.join(code, "Ben")
            ada.chairs(2)
            cem.join(code, "Cem")
            ada.chairs(3)
            ada.choose("spoken")
            ada.choose("black")
            ada.page.locator("details select").last.select_option("0")
            ada.start()
            ada.page.locator("[data-do=draw]").click()
            ada.page.locator("[data-do=pass]").click()
            ben.page.locator("[data-do=accept]").wait_for()
            ben.button("Menu").click()
            ben.button("Leave the table").click()
            ben.page.locator(".doors").wait_for()
        ada.button("Move for Ben").click()
        ada.button("Refuse for Ben").wait_for()
        ada.button("Say thank you for Ben").click()
        news(cem, "Ada moves for Ben.")
        cem.button(re.compile("Pass it on for Ben")).click()
        cem.page.locator("[data-do=accept]").wait_for()


@SIZES
def test_one_line_of_news_tells_who_comes_and_goes_and_what_was_agreed(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada, Visitor(browser, site.url, size) as ben:
        code = ada.new_table("Ada")
        ben.open(f"/t/{code}")
        news(ada, "Somebody is watching.")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        ben.page.locator("#name").fill("Ben")
        ben.page.locator("form .button.act").click()
        news(ada, "Ben sits down.")
        ada.choose("brisk")
        news(ben, "What we play has changed.")
        ada.button("Menu").click()
        ada.button("Lock the table").click()
        news(ben, "The table is locked.")
        ada.button("Menu").click()
        ada.button("Make Ben the host").click()
        news(ben, "You are the host.")
        ben.page.goto("about:blank")
        news(ada, "Ben is away.")
        ben.open(f"/t/{code}")
        news(ada, "Ben is here again.")
        line, header = ada.page.locator("[data-news]").bounding_box(), ada.page.locator("header").bounding_box()
        assert line is not None
        assert header is not None
        assert line["y"] + line["height"] <= header["y"] + header["height"] + 1, "the table is not covered"


@SIZES
def test_removing_asks_once_and_can_be_taken_back(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with Visitor(browser, site.url, size) as ada, Visitor(browser, site.url, size, forgiving=True) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.tap_chair("Ben")
        ada.button("Remove Ben").click()
        ada.page.get_by_role("heading", name="Send Ben away?").wait_for()
        ada.button("No, stay").click()
        ada.chairs(2)
        ada.tap_chair("Ben")
        ada.button("Remove Ben").click()
        ada.button("Send away").click()
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
        ben.page.reload()
        ben.page.locator("#name").wait_for()
        ben.join(code, "Ben")
        ada.chairs(2)


@SIZES
def test_whoever_cannot_sit_or_watch_reads_why_at_once_and_after_a_reload(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, size, forgiving=True) as zoe:
        code = ada.new_table("Ada")
        ada.add_bots(7)
        zoe.open(f"/t/{code}")
        zoe.page.get_by_text("All eight seats are taken. You can watch.").wait_for()
        ada.page.locator("[data-chair]").last.get_by_role("button", name=re.compile("what to do")).click()
        ada.button(re.compile("^Remove")).click()
        zoe.page.locator("#name").wait_for()
        ada.button("Menu").click()
        ada.button("Lock the table").click()
        for _ in range(2):
            zoe.page.get_by_text("The host has locked the table. You can watch.").wait_for()
            zoe.page.reload()
        ada.page.locator("details:has(select) summary").click()
        ada.page.locator('label:has-text("Spectators") select').select_option("false")
        ada.start()
        for _ in range(2):
            zoe.page.get_by_text("A game is running, and nobody may watch at this table.").wait_for()
            zoe.page.reload()


@SIZES
def test_r8_3_who_comes_late_is_asked_their_name_and_told_when_they_are_in(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, size) as eve:
        code = ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        eve.open(f"/t/{code}")
        eve.button("Play from the next round").click()
        eve.page.get_by_label("Your name").fill("Eve")
        eve.button("Sit down").click()
        eve.page.get_by_text("You are in from the next round, as Eve.").wait_for()
        news(ada, "Eve is in from the next round.")
        eve.page.reload()
        eve.page.get_by_text("You are in from the next round, as Eve.").wait_for()
        eve.button("Rather just watch").click()
        eve.button("Play from the next round").wait_for()


@SIZES
def test_a_host_without_a_seat_starts_and_the_others_are_told_so(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as tv, Visitor(browser, site.url, size) as ben:
        code = tv.new_table("Ada")
        tv.button("Menu").click()
        tv.button("Leave the table").click()
        tv.page.locator(".doors").wait_for()
        tv.open(f"/t/{code}")
        ben.join(code, "Ben")
        ben.page.get_by_text("Whoever opened this table starts the game.").wait_for()
        tv.add_bots(1)
        tv.start()
        ben.at_table()


def test_emotes_are_seen_in_the_lobby(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, PHONE) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.button("Say something").click()
        ada.button("Well done!").click()
        expect(ben.page.locator("[data-chair] [data-bubble]")).to_have_text("Well done!")


@SIZES
def test_the_door_leads_back_to_ones_table_while_there_is_one(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        code = ada.new_table("Ada")
        ada.open()
        ada.page.get_by_role("link", name=f"Back to your table {code[:4]}").click()
        ada.chairs(1)
        ada.button("Menu").click()
        ada.button("Leave the table").click()
        ada.page.locator(".doors").wait_for()
        ada.open()
        expect(ada.page.locator("[data-back]")).to_have_count(0)


@SIZES
def test_alone_with_computers_a_menu_or_a_hidden_page_pauses_and_a_countdown_goes_on(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        draw = ada.page.locator("[data-do=draw]")
        draw.wait_for()
        ada.button("Menu").click()
        ada.button("Close").click()  # before the server has heard of it, perhaps
        ada.page.locator("[data-countdown]").wait_for()
        draw.wait_for()
        ada.button("Menu").click()
        headline(ada, "A pause.")
        ada.button("Close").click()
        ada.page.locator("[data-countdown]").wait_for()
        draw.wait_for()
        expect(ada.page.locator("[data-countdown]")).to_have_count(0)
        ada.page.reload()
        draw.wait_for()
        hide(ada, True)
        headline(ada, "A pause.")
        hide(ada, False)
        ada.page.locator("[data-countdown]").get_by_role("button", name="Pause").click()
        expect(ada.page.locator("[data-countdown]")).to_have_count(0)
        headline(ada, "A pause.")
        ada.button("Go on").click()
        draw.wait_for()


def hide(visitor: Visitor, hidden: bool) -> None:
    visitor.page.evaluate(
        """hidden => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )


def test_in_company_nobodys_menu_pauses_the_game(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        ada.button("Menu").click()
        ada.button("Pause").wait_for()
        expect(ben.page.locator("[data-sentence]")).not_to_contain_text("A pause.")


@SIZES
def test_when_time_is_up_one_reads_that_a_computer_said_it(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.choose("20")
        ada.page.locator("details select").last.select_option("0")
        ada.start()
        ada.page.locator("[data-do=draw]").click()
        news(ada, "Time was up. A computer said this for you.")
