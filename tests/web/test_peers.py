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

from support.browser_guest import PHONE, BrowserGuest, play_until_over
from support.scripts import call, load
from support.static_host import RendezvousProcess, built_site, plain_host

GUESTS = ("Ben", "Cem", "Dora")
RECONNECT_SECONDS = 5.0
VANISHED_SECONDS = 10.0
HEARTBEAT_SECONDS = 3.0  # the last sign of life may be so much older than the end
_RECEIVED = "() => window.received"
_TERM = """(code) => ({
  ...JSON.parse(localStorage.getItem(`notahat.peers.${code}`)).vote.term,
  self: JSON.parse(localStorage.getItem("notahat.peers"))[code].device,
})"""


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

        ada, guests, eve, fay, gus = guest(), [guest() for _ in GUESTS], guest(), guest(), guest()
        link = open_table(ada)
        fay.page.goto(link[:-4] + "AAAA")  # another key, the same secret
        for one, name in zip(guests, GUESTS, strict=True):
            join(one, link, name)
        assert_impostor_is_refused(gus, link)
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
        assert term(ada)["generation"] < 99
        reload_host(ada, guests)
        gone, heir = kill_holder([ada, *guests], rendezvous)
        gone.page.add_init_script(call("recordChannel"))
        gone.page.goto(link)
        gone.at_table()
        assert not holds(gone), "the old holder is a guest"
        hand_over(heir, gone, ("Ada", *GUESTS)[[ada, *guests].index(gone)])
        play_until_over([ada, *guests])
        expect(fay.page.get_by_text("isn’t answering")).to_be_visible()
        assert fay.page.evaluate(_RECEIVED) == [], "the holder's key is not the one of this invitation"
        expect(guests[0].page.locator(".opened li").first).to_be_visible()  # the story came over the channel
        assert not [one for one in eve.requests if "/pocket/" in one], "only holder and successor load Python"


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


def assert_impostor_is_refused(gus: BrowserGuest, link: str) -> None:
    """A caller that welcomes the holder, as if it held the table itself, is not believed."""
    gus.page.add_init_script(
        """const send = RTCDataChannel.prototype.send;
        RTCDataChannel.prototype.send = function (text) { send.call(this, text.replace("hello", "welcome")); };"""
    )
    gus.page.goto(link)
    gus.until(lambda: gus.page.evaluate("() => devices.some((one) => one.readyState === 'closed')"))
    assert gus.page.evaluate(_RECEIVED) == []
    gus.page.close()


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
    """A spectator acts for a player, claims the table, sends a frame that is too big, and floods: all is refused."""
    forged = {"generation": 99, "holder": "0" * 32, "successor": None, "copy": "", "voters": {}, "seal": "AA.AA"}
    message = json.dumps({"to": "member", "message": {"is": "established", "term": forged}})
    eve.page.evaluate(
        "(text) => window.devices.find((one) => one.readyState === 'open').send(text)", json.dumps([message, False])
    )
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
    assert time.monotonic() - started < 3 * RECONNECT_SECONDS, "on a busy machine"


def term(guest: BrowserGuest) -> dict[str, Any]:
    """Return who holds the table, as this browser knows it."""
    code = guest.page.url.partition("#")[2].partition(".")[0]
    found: dict[str, Any] = guest.page.evaluate(_TERM, code)
    return found


def holds(guest: BrowserGuest) -> bool:
    seen = term(guest)
    return bool(seen["holder"] == seen["self"])


def kill_holder(people: list[BrowserGuest], rendezvous: RendezvousProcess) -> tuple[BrowserGuest, BrowserGuest]:
    """End the page that holds the table in the middle of a move: its successor goes on, without the rendezvous."""
    people[0].until(lambda: all(term(one)["successor"] and len(term(one)["voters"]) == 4 for one in people))
    gone = next(one for one in people if holds(one))
    heir = next(one for one in people if term(one)["self"] == term(gone)["successor"])
    guests = [one for one in people if one not in (gone, heir)]
    rendezvous.stop(signal.SIGKILL)
    counts = [len(one.page.evaluate(_RECEIVED)) for one in guests]
    gone.page.evaluate("() => document.querySelector('[data-actions] button')?.click()")
    killed = time.monotonic()
    gone.page.close()
    heir.until(lambda: holds(heir))
    assert time.monotonic() - killed > VANISHED_SECONDS - HEARTBEAT_SECONDS, "a short absence moves nothing"
    for one, count in zip(guests, counts, strict=True):
        one.until(lambda one=one, count=count: len(one.page.evaluate(_RECEIVED)) > count)  # type: ignore[misc]
    for one in (heir, *guests):
        one.at_table()
        one.page.get_by_text("is out of reach").wait_for(state="detached")
    assert time.monotonic() - killed < VANISHED_SECONDS + 3 * RECONNECT_SECONDS, "on a busy machine"
    expect(heir.page.get_by_text("The table is on this device now")).to_be_visible()
    rendezvous.start()
    gone.page = gone.tab()
    return gone, heir


def hand_over(holder: BrowserGuest, to: BrowserGuest, name: str) -> None:
    """Move the table to another device from the menu."""
    holder.button("Menu").click()
    holder.page.locator("[data-move]").nth(2).wait_for()
    holder.page.locator("[data-move]").filter(has_text=name).click()
    to.until(lambda: holds(to))
    to.at_table()
