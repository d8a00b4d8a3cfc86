"""Tables in the browser of a player, with guests in other engines than the one that opens the table."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.browser_guest import PHONE, BrowserGuest
from support.engine_player import do_action, offered_action
from support.input import Touch, until
from support.scripts import call
from support.static_host import RendezvousProcess, built_site, plain_host
from support.timeouts import TIMEOUT
from support.webdriver import Engine

MOST_ACTIONS = 80
_HAS_WEBRTC = "return 'RTCPeerConnection' in window"
_IS_SEATED = "return document.querySelector('[data-chair].yours') !== null"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    from browser import ARGUMENTS, chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS, timeout=TIMEOUT * 1000)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def rendezvous() -> Iterator[RendezvousProcess]:
    process = RendezvousProcess()
    yield process
    assert process.stop() == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, rendezvous: RendezvousProcess) -> Iterator[str]:
    with plain_host(built_site(tmp_path_factory), rendezvous.url) as (url, _):
        yield url


@pytest.fixture
def ben(engine: Engine, site: str) -> Touch:
    """A player in an engine that can connect to other devices, with new settings and no tables."""
    engine.resize(*PHONE)
    engine.open(f"{site}/icon.svg")
    if not engine.run(_HAS_WEBRTC):
        pytest.skip("this engine has no WebRTC")
    engine.run("localStorage.clear()")
    engine.run(call("skipPrompts"))
    return Touch(engine)


@pytest.fixture
def ada(chromium: Browser, site: str, rendezvous: RendezvousProcess) -> Iterator[BrowserGuest]:
    with BrowserGuest(chromium, site, PHONE, also=rendezvous.url, service_workers="allow") as guest:
        yield guest


def test_guest_plays_a_round(engine: Engine, ben: Touch, ada: BrowserGuest) -> None:
    ada.open_lobby()
    engine.open(ada.page.url)
    ben.write("#name", "Ben")
    ben.press("form:has(#name) .button.act")
    until(lambda: engine.run(_IS_SEATED), "not seated")
    ada.start()
    play_round(ada, engine, ben)
    assert engine.errors() == []


def test_table_in_the_engine_has_guests(engine: Engine, ben: Touch, ada: BrowserGuest, site: str) -> None:
    engine.open(f"{site}/")
    ben.press("[data-new]")
    until(lambda: engine.run(_IS_SEATED), "no table")
    ada.page.goto(engine.run("return location.href"))
    ada.sit("Ada")
    ben.press(".start")
    ada.at_table()
    play_round(ada, engine, ben)
    assert engine.errors() == []


def play_round(ada: BrowserGuest, engine: Engine, ben: Touch) -> None:
    """Play until the round is over for both; every claim is doubted."""
    done: list[str] = []
    while offered_action(engine) != "over" or not ada.over:
        ada.act()
        what = offered_action(engine)
        if what not in ("", "over"):
            do_action(engine, ben, what)
            done.append(what)
        assert len(done) < MOST_ACTIONS, done
    assert done, "the engine's player had nothing to do"
