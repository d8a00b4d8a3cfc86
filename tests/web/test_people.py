"""People come and go: who is away, who comes late, who was sent away, and what everybody is told of it.

One of them has a browser. The others are company: they do what the test says, and need no page for it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from scripted_players import Company
from support.browser_guest import DESKTOP, PHONE, Visitor
from support.server_process import Served

# the line of patience: how long it would take if it were whole, and how long it takes
_LINE = """() => {
  const shrinks = document.querySelector(".patience .line")?.getAnimations()[0]?.effect;
  if (!shrinks) return [0, Infinity];
  const { duration } = shrinks.getTiming();
  return [duration / Number(/[0-9.]+/.exec(shrinks.getKeyframes()[0].transform)[0]), duration];
}"""

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


@contextmanager
def _at_a_table(ada: Visitor, site: Served, *others: str, bots: int = 0, **options: Any) -> Iterator[Company]:
    """Ada sits down first, then the others, of whom the first is the host; then computers."""
    with Company(site.url) as company:
        ada.join(company.open_table(*others, **options), "Ada")
        company.sit()
        for _ in range(bots):
            company.host_does("add_bot", level="regular")
        yield company


@SIZES
def test_when_who_must_act_is_away_a_computer_may_play_for_them(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        with _at_a_table(ada, site, "Ben", bots=1, starter=1) as company:
            company.host_does("hand_over", seat=0)
            ada.start()
            company.phase("draw")
            company.go("Ben")
            headline(ada, "Ben is away.")
            fits(ada, "[data-absent]")
            ada.button("Wait").click()
            expect(ada.page.locator("[data-absent]")).to_have_count(0)
            headline(ada, "Ben is away.")
            ada.page.reload()
            ada.button("Let a computer play").click()
            expect(ada.page.locator("[data-sentence]")).not_to_contain_text("Ben is away.")
            expect(ada.page.get_by_text("a computer stands in")).to_have_count(1)
        with _at_a_table(ada, site, "Ben", "Cem", starter=2) as company:
            company.host_does("start")
            ada.at_table()
            ada.button("Menu").click()
            ada.button("Pause").wait_for()  # in company nobody's menu pauses the game
            company.do("Ben", "emote", emote="laugh")
            assert not company.state.view.paused
            ada.button("Close").click()
            company.go("Cem")
            headline(ada, "Cem is away.")
            ada.button("Let a computer play").click()  # anyone may, after twenty seconds, which pass quickly here
            expect(ada.page.get_by_text("a computer stands in")).to_have_count(1)
            company.come("Cem")
            news(ada, "Cem is back.")


@SIZES
def test_r3_2_the_first_look_before_a_computer_begins_runs_down_and_ends_when_all_have_looked(
    browser: Browser, unhurried: Served, size: tuple[int, int]
) -> None:
    with (
        Visitor(browser, unhurried.url, size) as ada,
        _at_a_table(ada, unhurried, "Ben", bots=6, starter=2, pace="relaxed", gifts_each=2) as company,
    ):
        company.host_does("start")
        figures = ada.page.locator("[data-first-look]")
        figures.wait_for()
        assert int(figures.inner_text()) > 10, "with sixteen gifts it takes a while"
        fits(ada, "[data-actions]")
        whole, left = ada.page.evaluate(_LINE)
        company.do("Ben", "emote", emote="hello")
        ada.page.wait_for_function(f"(left) => ({_LINE})()[1] < left", arg=left)
        assert ada.page.evaluate(_LINE)[0] == pytest.approx(whole, rel=1e-3), (
            "somebody waves, and time goes on where it was"
        )
        company.do("Ben", "ready")
        ada.button("I have looked").click()
        figures.wait_for(state="detached")
        headline(ada, "New from the shop.")


@SIZES
def test_r8_4_at_a_spoken_table_who_has_left_is_moved_for_or_dealt_out(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        with _at_a_table(ada, site, "Cem", "Ben", claims="spoken", starter=2) as company:
            company.host_does("start")
            company.phase("draw")
            company.do("Ben", "leave")
            headline(ada, "Ben has left the table.")
            fits(ada, "[data-absent]")
            ada.button("Draw for Ben").wait_for()
            company.do("Cem", "move_for", seat=2, move="draw", turn=0)
            news(ada, "Cem moves for Ben.")
            ada.button(re.compile("Pass it on for Ben")).wait_for()
            headline(ada, "Ben has left the table.")
            ada.button("Deal again without Ben").click()
            expect(ada.page.locator("[data-seat]")).to_have_count(2)
        with _at_a_table(ada, site, "Cem", "Ben", claims="spoken", arrows="white", starter=0) as company:
            company.host_does("start")
            ada.do("draw")
            ada.do("pass")
            assert company.phase("answer").receiver == 2
            company.do("Ben", "leave")
            ada.button("Move for Ben").click()
            ada.button("Refuse for Ben").wait_for()
            ada.button("Say thank you for Ben").click()
            ada.button(re.compile("Pass it on for Ben")).click()
            assert company.phase("answer").receiver == 1
            company.do("Cem", "deal_again", seat=2)
            news(ada, "Dealt again without Ben")


@SIZES
def test_one_line_of_news_tells_who_comes_and_goes_and_what_was_agreed(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada, Company(site.url) as company:
        ada.page.clock.install()
        ada.join(company.open_table("Ben"), "Ada")
        ada.page.clock.pause_at(ada.page.evaluate("() => Date.now() / 1000") + 10)
        line = ada.page.locator("[data-news]")

        def told(text: str) -> None:
            ada.until(lambda: line.count() == 1 and text in line.inner_text(), passing=200)

        company.sit()
        told("Ben sits down.")
        company.come("Cem")
        told("Somebody is watching.")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        company.host_does("set_options", options={"pace": "brisk"})
        told("What we play has changed.")
        company.host_does("lock", locked=True)
        told("The table is locked.")
        company.host_does("hand_over", seat=0)
        told("You are the host.")
        ada.choose("relaxed")
        company.until(lambda now: now.view.options.pace == "relaxed")
        company.go("Ben")
        told("Ben is away.")
        company.come("Ben")
        told("Ben is here again.")
        box, header = line.bounding_box(), ada.page.locator("header").bounding_box()
        assert box is not None
        assert header is not None
        assert box["y"] + box["height"] <= header["y"] + header["height"] + 1, "the table is not covered"
        ada.page.clock.run_for(4100)
        expect(line).to_have_count(0)
        company.do("Ben", "emote", emote="clap")
        expect(ada.page.locator("[data-chair] [data-bubble]")).to_have_text("Well done!")


@SIZES
def test_removing_asks_once_and_whoever_is_let_back_in_comes_in_by_themselves(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada, Visitor(browser, site.url, size, forgiving=True) as ben:
        ben.page.clock.install()
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
        ben.page.clock.fast_forward(5000)
        ben.page.locator("#name").fill("Ben")
        ben.page.locator("form .button.act").click()
        ada.chairs(2)


@SIZES
def test_whoever_cannot_sit_or_watch_reads_why_at_once_and_after_a_reload(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size, forgiving=True) as zoe, Company(site.url) as company:
        code = company.open_table("Ada")
        company.sit()
        for _ in range(7):
            company.host_does("add_bot", level="regular")
        zoe.open(f"/t/{code}")
        zoe.page.get_by_text("All eight seats are taken. You can watch.").wait_for()
        company.host_does("remove", seat=7)
        zoe.page.locator("#name").wait_for()
        company.host_does("lock", locked=True)
        for _ in range(2):
            zoe.page.get_by_text("The host has locked the table. You can watch.").wait_for()
            zoe.page.reload()
        company.host_does("set_options", options={"spectators": False, "starter": 0})
        company.host_does("start")
        for _ in range(2):
            zoe.page.get_by_text("A game is running, and nobody may watch at this table.").wait_for()
            zoe.page.reload()


@SIZES
def test_r8_3_who_comes_late_is_asked_their_name_and_told_when_they_are_in(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as eve, Company(site.url) as company:
        eve.open(f"/t/{company.open_table('Ada', starter=0)}")
        eve.page.locator("#name").wait_for()
        company.sit()
        company.host_does("add_bot", level="regular")
        company.host_does("start")
        eve.button("Play from the next round").click()
        eve.page.get_by_label("Your name").fill("Eve")
        eve.button("Sit down").click()
        told = eve.page.get_by_text("You are in from the next round, as Eve.")
        told.wait_for()
        company.until(lambda now: list(now.view.waiting) == ["Eve"])
        eve.page.reload()
        told.wait_for()
        eve.button("Rather just watch").click()
        eve.button("Play from the next round").wait_for()


@SIZES
def test_the_door_leads_back_and_a_host_without_a_seat_starts(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as tv, Company(site.url) as company:
        code = company.code = tv.new_table("Ada")
        tv.open()
        tv.page.get_by_role("link", name=f"Back to your table {code[:4]}").click()
        tv.chairs(1)
        tv.button("Menu").click()
        tv.button("Leave the table").click()
        tv.page.locator(".doors").wait_for()
        tv.open()
        expect(tv.page.locator("[data-back]")).to_have_count(0)
        tv.open(f"/t/{code}")
        company.come("Ben")
        company.sit("Ben")
        tv.add_bots(1)
        tv.start()
        with Company(site.url) as away:
            tv.join(away.open_table("Cem"), "Ada")
            tv.page.get_by_text("Whoever opened this table starts the game.").wait_for()


@SIZES
def test_alone_with_computers_a_menu_or_a_hidden_page_pauses_and_a_countdown_goes_on(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada:
        ada.page.clock.install()
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        draw, countdown = ada.page.locator("[data-do=draw]"), ada.page.locator("[data-countdown]")
        draw.wait_for()
        ada.page.clock.pause_at(ada.page.evaluate("() => Date.now() / 1000") + 10)
        for heard in (False, True):
            ada.button("Menu").click()
            if heard:
                headline(ada, "A pause.")
            ada.button("Close").click()  # before the server has heard of it, perhaps
            countdown.wait_for()
            expect(countdown).to_contain_text("3")
            ada.page.clock.run_for(2400)
            expect(countdown).to_have_count(0)
            draw.wait_for()
        ada.page.reload()
        ada.until(lambda: draw.count() == 1, passing=100)
        hide(ada, True)
        headline(ada, "A pause.")
        hide(ada, False)
        countdown.get_by_role("button", name="Pause").click()
        expect(countdown).to_have_count(0)
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


@SIZES
def test_when_time_is_up_one_reads_that_a_computer_said_it(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with Visitor(browser, site.url, size) as ada, _at_a_table(ada, site, "Ben", patience_seconds=20, starter=0) as ben:
        ben.host_does("start")
        ada.do("draw")
        news(ada, "Time was up. A computer said this for you.")
