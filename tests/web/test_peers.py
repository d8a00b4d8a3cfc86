"""Tables in the browser of one player: friends join over WebRTC, without a server."""

import json
import re
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripts import call, load
from support.static_host import RendezvousProcess, built_site, plain_host

GUESTS = ("Ben", "Cem", "Dora")
RECONNECT_SECONDS = 5.0
_RECEIVED = "() => window.received"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)


@pytest.fixture
def rendezvous() -> Iterator[RendezvousProcess]:
    process = RendezvousProcess()
    yield process
    assert process.stop() == 0


def test_friends_play_in_one_browser(browser: Browser, folder: Path, rendezvous: RendezvousProcess) -> None:
    with plain_host(folder, rendezvous.url) as (url, _), ExitStack() as stack:

        def guest() -> BrowserGuest:
            new = BrowserGuest(browser, url, PHONE, allow_errors=True, also=rendezvous.url)
            new.page.add_init_script(call("recordChannel"))
            return stack.enter_context(new)

        ada, guests, eve, fay = guest(), [guest() for _ in GUESTS], guest(), guest()
        link = open_table(ada)
        fay.page.goto(link[:-4] + "AAAA")  # another certificate, the same secret
        for one, name in zip(guests, GUESTS, strict=True):
            join(one, link, name)
        ada.chairs(4)
        ada.begin(0)
        ada.start()
        assert_wrapped_gift_is_not_sent(ada, guests[0])
        rendezvous.stop(signal.SIGKILL)
        rendezvous.start()
        watch(eve, link)
        assert_hostile_guest_is_stopped(eve)
        eve.page.goto(f"{link}/screen")  # a TV is a guest without a seat
        eve.page.locator("[data-seat]").first.wait_for()
        reload_host(ada, guests)
        play_on([ada, *guests])
        expect(fay.page.get_by_text("isn’t answering")).to_be_visible()
        assert fay.page.evaluate(_RECEIVED) == [], "the host's certificate is not the one of this invitation"
        expect(guests[0].page.locator(".opened li").first).to_be_visible()  # the story came over the channel
        assert not [one for one in guests[0].requests if "/pocket/" in one], "guests load the page only"


def play_on(people: list[BrowserGuest]) -> None:
    """Play until the round is over for all; every claim is doubted."""

    def over() -> bool:
        for one in people:
            one.act()
        return all(one.over for one in people)

    people[0].until(over)


def open_table(ada: BrowserGuest) -> str:
    """Open a table for friends and return its invitation."""
    ada.open("/")
    ada.set_name("Ada")
    ada.page.locator("[data-new]").click()
    ada.chairs(1)
    expect(ada.page.get_by_role("img", name="QR code")).to_be_visible()
    assert re.search(r"/#PEER-\w{6}\.[\w-]{43}$", ada.page.url)
    return ada.page.url


def join(guest: BrowserGuest, link: str, name: str) -> None:
    guest.page.goto(link)
    guest.page.locator("#name").fill(name)
    guest.page.locator("form .button.act").click()
    guest.page.locator("[data-chair].yours").wait_for()


def watch(eve: BrowserGuest, link: str) -> None:
    """Enter as a fifth after the start, through a rendezvous that has just been killed and started again."""
    eve.page.goto(link)
    eve.at_table()


def assert_wrapped_gift_is_not_sent(ada: BrowserGuest, ben: BrowserGuest) -> None:
    """After a gift is wrapped, no frame to a guest names it, nor any card that was never open (rule 9.5)."""
    ada.do("draw")
    ben.until(lambda: '"event":"wrapped"' in "".join(ben.page.evaluate(_RECEIVED)))
    ada.page.locator("[data-do=give]").wait_for()
    frames: list[str] = ben.page.evaluate(_RECEIVED)
    wrapped = max(n for n, frame in enumerate(frames) if '"event":"wrapped"' in frame)
    (gift,) = set(re.findall(r'"event":"drawn","giver":0,"gift":"(\w+)"', "".join(frames)))
    assert not [frame for frame in frames[wrapped:] if f'"{gift}"' in frame]
    log: list[dict[str, Any]] = ada.page.evaluate(load("readLog"), ada.page.url.partition("#")[2].partition(".")[0])
    dealt = next(event for row in log for event in json.loads(row["entry"])["events"] if "cards" in event)
    named = {card["gift"] for card in dealt["cards"] if f'"{card["gift"]}"' in "".join(frames)}
    assert len(dealt["cards"]) > 100
    assert len(named) <= 6, "four dealt, one drawn, and the next of the shop"


def assert_hostile_guest_is_stopped(eve: BrowserGuest) -> None:
    """A spectator acts for a player, sends a frame that is too big, and floods: the host refuses and closes."""
    eve.page.evaluate("""() => window.channel.send('{"id":"x","do":"give","turn":1,"claim":"hat"}')""")
    eve.until(lambda: any('"no":"x"' in frame for frame in eve.page.evaluate(_RECEIVED)))
    assert eve.page.evaluate(load("floodChannel"), ["x" * 9000, 1]) == "too_big"
    eve.at_table()
    eve.until(lambda: eve.page.evaluate("() => window.channel.readyState") == "open")
    flood = ['{"id":"y","do":"answer","accept":true}', 20_000]
    assert eve.page.evaluate(load("floodChannel"), flood) == "too_fast"


def reload_host(ada: BrowserGuest, guests: list[BrowserGuest]) -> None:
    """Reload the page that holds the table: every guest is connected again soon, with their seats."""
    started = time.monotonic()
    counts = [len(one.page.evaluate(_RECEIVED)) for one in guests]
    ada.page.reload()
    ada.at_table()
    for one, count in zip(guests, counts, strict=True):
        one.until(lambda one=one, count=count: len(one.page.evaluate(_RECEIVED)) > count)  # type: ignore[misc]
        one.at_table()
    assert time.monotonic() - started < 4 * RECONNECT_SECONDS, "on a busy machine"
