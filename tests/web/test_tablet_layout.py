"""The layout of tablets and big screens: nothing overlaps and nothing is cut off, for 2 to 8 seats.

The states come from a real room and are sent to the page without a server. The laws for more
sizes are in web/test/game/tabletLayout.test.ts.
"""

import itertools
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, WebSocketRoute

from notahat.gifts import catalogue, offer
from notahat.rules import legal
from notahat.table import commands as do
from notahat.wire.messages import State, Summary
from support.browser_guest import BrowserGuest
from support.room_driver import RoomDriver
from support.scripts import load
from support.server_process import ServerProcess

TABLETS = ((768, 1024), (1024, 768), (1366, 1024), (390, 844))
SCREENS = (*TABLETS, (1920, 1080), (3840, 2160))
WALLS = ((1024, 768), (1366, 1024), (1920, 1080))
AWARDS = ("best_memory", "boldest_lie", "most_suspicious", "most_trusting")
NAMES = ("Wolfgang-Maximilian", "Mum", "Bernadette", "Uncle Bo", "Dad", "Ida", "Zoe", "Theo")
LONGEST = max(catalogue(), key=lambda gift: len(offer(gift, "de")))


def state_with_offer(seats: int) -> State:
    """Return a state with two penalties and an offer with the longest text."""
    return driver_after_refusals(seats, True, True, False).states("Ada")[-1]


def states_after_round(seats: int) -> list[State]:
    """Return the states after three penalties and after one player is ready."""
    driver = driver_after_refusals(seats, True, True, True)
    driver.send("Ada", do.Ready(seat=0))
    return driver.states("Ada")[-2:]


def driver_after_refusals(seats: int, *answers: bool) -> RoomDriver:
    options = {"gifts_each": 1 + (seats % 3 == 2), "rounds": "each"}
    driver = RoomDriver("Ada", options=options).connect("Ada")
    for name in NAMES[:seats]:
        driver.send("Ada", do.Sit(name))
    driver.send("Ada", do.Start())
    for refused in answers:
        act(driver, do.Draw)
        driver.run_until(lambda after: round_of(after).moves == ("give",))
        due = round_of(driver)
        driver.send("Ada", do.Give(turn(driver), LONGEST, due.receivers[0], seat=due.seat))
        if refused:
            act(driver, do.Refuse)
    return driver


def act(driver: RoomDriver, move: type[do.Draw] | type[do.Refuse]) -> None:
    driver.send("Ada", move(turn(driver), seat=round_of(driver).seat))


def round_of(driver: RoomDriver) -> Any:
    assert driver.room.table.round is not None
    return legal(driver.room.table.round)


def turn(driver: RoomDriver) -> int:
    assert driver.room.table.round is not None
    return driver.room.table.round.turn


@pytest.mark.parametrize(("page", "sizes"), [("around", TABLETS), ("screen", SCREENS)])
def test_tablet_and_screen_parts_do_not_overlap(
    browser: Browser, site: ServerProcess, page: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    states = {seats: state_with_offer(seats) for seats in range(2, 9)}
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        line.send(msgspec.json.encode(states[2]).decode())

    seen = states[2].view
    summary = Summary(seen.code, seen.stage, seen.seats, 0, False, seen.options, seen.match, invitation="/t/K7QX")
    with BrowserGuest(browser, site.url, lang="de-DE", reduced_motion="reduce") as who:
        who.page.route("**/api/tables/K7QX", lambda route: route.fulfill(body=msgspec.json.encode(summary)))
        told = {
            "awards": [
                {"award": award, "seats": [0], "count": 3, "gift": LONGEST, "claim": LONGEST} for award in AWARDS
            ]
        }
        who.page.route("**/K7QX/rounds/*", lambda route: route.fulfill(body=msgspec.json.encode(told)))
        who.page.route_web_socket("**/api/tables/K7QX/socket*", answer)
        who.open(f"/t/K7QX/{page}").at_table()
        for seats, state in states.items():
            lines[0].send(msgspec.json.encode(state).decode())
            who.page.wait_for_function("n => document.querySelectorAll('[data-seat]').length === n", arg=seats)
            for width, height in sizes:
                who.resize((width, height))
                who.page.wait_for_function(load("tableTopFills"), arg=[width, height])
                who.still()  # the shop turns
                found = who.page.evaluate(load("tabletBoxes"))
                where = f"{seats} at {width}x{height}"
                assert found["cut"] == [], where
                check(found["all"], width, height, where)
        if page == "screen":
            between, ready = states_after_round(8)
            lines[0].send(msgspec.json.encode(between).decode())
            who.page.locator("[data-over=between] .awards li").nth(3).wait_for()
            stories = [url for url in who.requests if "/rounds/" in url]
            lines[0].send(msgspec.json.encode(ready).decode())
            who.page.locator("[data-over=between] li", has_text="bereit").wait_for()
            for size in WALLS:  # a big screen cannot be scrolled
                who.resize(size)
                assert who.page.evaluate("() => document.documentElement.scrollHeight") <= size[1], size
            assert [url for url in who.requests if "/rounds/" in url] == stories, "told once, however many are ready"


def check(boxes: dict[str, list[float]], width: int, height: int, where: str) -> None:
    assert "[data-air] 0" in boxes, where
    for (name, box), (other, another) in itertools.combinations(boxes.items(), 2):
        assert apart(box, another, width), f"{name} over {other}: {where}"
    for name, (left, top, right, bottom) in boxes.items():
        inside = left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1
        assert inside, f"{name} sticks out: {where}"


def apart(one: list[float], other: list[float], width: int) -> bool:
    """Return whether two boxes do not overlap, apart from slightly rotated cards."""
    askew = max(1.0, width / 1000)
    return any(one[n + 2] <= other[n] + askew or other[n + 2] <= one[n] + askew for n in (0, 1))
