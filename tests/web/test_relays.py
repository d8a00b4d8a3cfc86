"""Friends who meet through a relay, on a static site without a rendezvous."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.browser_guest import PHONE, BrowserGuest
from support.nostr_relay import nostr_relay
from support.static_host import BASE, built_site, plain_host

NAMES = ("Adalovelace", "Benfranklin")
EPHEMERAL = range(20_000, 30_000)
RELAY_CODE_BYTES = 16_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)


def test_friends_meet_through_a_relay(browser: Browser, folder: Path) -> None:
    with nostr_relay() as relay, plain_host(folder, rendezvous="", relays=relay.url) as (url, _):
        also = relay.url.replace("ws:", "http:")
        with BrowserGuest(browser, url, PHONE, also=also) as ada, BrowserGuest(browser, url, PHONE, also=also) as ben:
            link = open_table(ada)
            join(ben, link)
            ada.chairs(2)
    assert_relay_learns_nothing(relay.received, link)


def open_table(ada: BrowserGuest) -> str:
    ada.open("/")
    ada.set_name(NAMES[0])
    ada.page.locator("[data-new]").click()
    ada.chairs(1)
    return ada.page.url


def join(ben: BrowserGuest, link: str) -> None:
    ben.page.goto(link)
    ben.page.locator("#name").fill(NAMES[1])
    ben.page.locator("form .button.act").click()
    ben.page.locator("[data-chair].yours").wait_for()


def assert_relay_learns_nothing(received: list[str], link: str) -> None:
    """The relay has seen sealed messages of two throw-away keys, and neither names nor the invitation."""
    events = [message[1] for message in map(json.loads, received) if message[0] == "EVENT"]
    assert len({event["pubkey"] for event in events}) == 2, "an offer and an answer"
    assert all(event["kind"] in EPHEMERAL for event in events)
    code, secret = re.findall(r"#(PEER-\w+)\.([\w-]+)", link)[0]
    seen = "".join(received) + "".join(_bytes(event["content"]).decode("latin-1") for event in events)
    assert not [one for one in (*NAMES, code, secret, "description", "fingerprint") if one in seen]


def _bytes(content: str) -> bytes:
    return base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))


def test_code_for_relays_is_a_file_of_its_own(folder: Path) -> None:
    """Only sites that name relays load it: it has a limit of its own, and no service worker stores it."""
    (code,) = (folder / BASE[1:] / "assets").glob("relays-*.js")
    assert len(gzip.compress(code.read_bytes())) <= RELAY_CODE_BYTES
    assert re.search(r"\(\?<[=!]|\bstatic\s*\{", code.read_text("utf-8")) is None, "newer than Safari 16.0"
    assert code.name not in (folder / BASE[1:] / "worker.js").read_text("utf-8")
    index = (folder / BASE[1:] / "index.html").read_text("utf-8")
    assert code.name not in index
