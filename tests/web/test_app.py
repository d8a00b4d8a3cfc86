"""An app to keep: small, installable, and open without a network; and one device for several people."""

import gzip
import json
import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from notahat.bots import CHARACTERS
from support.browser_guest import PHONE, Visitor
from support.server_process import Served

STATIC = Path(__file__).parents[2] / "src" / "notahat" / "server" / "static"
FACES = Path(__file__).parents[2] / "web" / "src" / "parts" / "faces.ts"

MORE = (
    "AroundPage-*.js",
    "ScreenPage-*.js",
    "Controller-*.js",
    "room-*.js",
    "pocket-*.js",
    "worker-*.js",
    "PrintPage-*.js",
    "DecksPage-*.js",
    "OnTable-*.js",
    "decks-*.js",
)


def _gzipped(ending: str) -> int:
    pattern = ending if "*" in ending else f"*{ending}"
    return sum(len(gzip.compress(file.read_bytes())) for file in (STATIC / "assets").glob(pattern))


def test_the_app_is_small() -> None:
    """All of it, not only the first load: at most 90 kB of JavaScript, 40 kB of CSS, 250 kB of drawings. A device that
    lies on a table, a big screen, a phone beside it, who prints, makes decks or took the game along gets a bit more.
    """
    assert _gzipped(".js") - sum(map(_gzipped, MORE)) <= 90_000
    assert sum(map(_gzipped, MORE)) <= 37_000
    assert _gzipped(".css") <= 40_000
    assert sum(len(gzip.compress(file.read_bytes())) for file in (STATIC / "assets").glob("drawings-*.json")) <= 250_000


def test_the_shell_opens_without_a_network_and_says_so(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url, PHONE, forgiving=True) as ada:
        ada.open()
        ready = "() => navigator.serviceWorker.ready.then((there) => there.active.state)"
        assert ada.page.evaluate(ready) in ("activating", "activated")
        ada.until(lambda: ada.page.evaluate("() => navigator.serviceWorker.controller !== null"))
        ada.offline(True)
        ada.page.reload()
        ada.page.get_by_role("heading", name="Not a Hat").wait_for()
        ada.button("Play now").click()
        ada.page.get_by_text("The server cannot be reached. Are you online?").wait_for()


def test_it_can_be_installed(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada:
        ada.open()
        path = ada.page.locator("link[rel=manifest]").get_attribute("href") or ""
        manifest = json.loads(ada.page.evaluate("path => fetch(path).then((answer) => answer.text())", path))
        assert manifest["start_url"] == "./"
        for icon in manifest["icons"]:
            answer = ada.page.evaluate(
                "path => fetch(path).then((answer) => [answer.status, answer.headers.get('content-type')])", icon["src"]
            )
            assert answer == [200, icon["type"]]


def test_title_and_icon_say_whose_turn_it_is(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada:
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").wait_for()
        assert ada.page.title().startswith("Your turn")
        assert ada.page.locator("link[rel=icon]").get_attribute("href") == "/icon-turn.svg"


def test_without_motion_the_way_of_a_gift_is_drawn_instead(browser: Browser, unhurried: Served) -> None:
    with Visitor(browser, unhurried.url, reduced_motion="reduce") as ada:
        ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("svg.way path").wait_for()
        assert ada.page.locator(".flyer").evaluate("card => getComputedStyle(card).transform") == "none"


def test_who_comes_late_watches_and_may_sit_down_for_the_next_game(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url, PHONE) as ben:
        code = ada.new_table("Ada")
        ada.add_bots(2)
        ada.begin(0)
        ada.start()
        ben.open(f"/t/{code}")
        ben.page.get_by_text("watching").wait_for()
        assert ben.offers() == set()
        ben.button("Play from the next round").click()
        ben.page.get_by_label("Your name").fill("Ben")
        ben.button("Sit down").click()
        ben.page.get_by_text("You are in from the next round, as Ben.").wait_for()
        ada.button("Menu").click()
        ada.button("End the game now").click()
        ada.button("Change people or rules").click()
        ada.chairs(4)


def test_play_now_is_a_whole_game_against_three_computer_players(browser: Browser, site: Served) -> None:
    """Whoever doubts every gift and calls each an umbrella sees the end of the round soon."""
    with Visitor(browser, site.url) as ada:
        ada.play_now()
        assert ada.page.locator("[data-seat]").count() == 4
        while not ada.over:
            ada.until(lambda: ada.over or bool(ada.offers()))
            ada.act()
        ada.page.get_by_role("heading", name=re.compile("forgot the least|^You (win|share)")).wait_for()
        expect(ada.page.locator(".opened li")).to_have_count(4)
        ada.page.locator("[data-again]").click()  # nobody has to agree, so that it is dealt at once
        expect(ada.page.locator("[data-seat]")).to_have_count(4)


def test_r12_two_people_on_one_device_speak_and_the_table_judges(browser: Browser, site: Served) -> None:
    """Whoever gives is judged to be wrong, but for the very first time: that judgement is corrected (12.2)."""
    with Visitor(browser, site.url, PHONE) as ada:
        ada.new_table("Ada")
        ada.choose("spoken")
        ada.seat_here("Ben")
        ada.chairs(2)
        ada.begin(0)
        ada.choose("each")
        ada.start()
        _speak(ada)
        _judge(ada, "Ada was wrong")
        _judge(ada, "No: the receiver was wrong")
        for _ in range(2):
            _speak(ada)
            _judge(ada, "Ben was wrong")
        ada.ended()
        ada.button("No: the receiver was wrong").click()  # also the verdict that ended the round
        ada.at_table()
        _judge(ada, "No: the giver was wrong")
        ada.ended()
        ada.page.get_by_role("heading", name="This round goes to Ada.").wait_for()
        ada.button("Ready").click()
        ada.at_table()
        for _ in range(3):
            _speak(ada)
            _judge(ada, "Ben was wrong")
        ada.ended()
        ada.page.get_by_role("heading", name="Ada forgot the least.").wait_for()
        assert "6 penalty points" in ada.text()
        ada.button("Change people or rules").click()
        ada.chairs(2)


def _judge(ada: Visitor, what: str) -> None:
    ada.button(what).click()
    ada.button(what).wait_for(state="detached")


def _speak(ada: Visitor) -> None:
    """A gift is drawn, named aloud, and not believed."""
    for what in ("draw", "pass", "refuse"):
        ada.do(what)


def test_every_computer_player_has_a_face() -> None:
    faces = re.findall(r"^  (\w+): \{\s+name: \"(\w+)\"", FACES.read_text("utf-8"), re.MULTILINE)
    assert dict(faces) == {key: character.name for key, character in CHARACTERS.items()}
