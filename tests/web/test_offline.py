"""The game without a server: as a static site."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from support.browser_guest import PHONE, BrowserGuest
from support.pictures import GIFTS, hat, own
from support.scripts import load
from support.static_host import BASE, plain_host

A_MEMORY = 10_000_000
INVITATION = f"#PEER-ABCDEF.{'A' * 43}"


def test_static_site_plays_on_offline(browser: Browser, folder: Path, tmp_path: Path) -> None:
    with (
        plain_host(folder, "") as (url, host),
        BrowserGuest(browser, url, PHONE, allow_errors=True, service_workers="allow") as ada,
    ):
        ada.open("/")
        expect(ada.page.locator("#code")).to_have_count(0)  # that would need a server or a rendezvous
        ada.page.locator("[data-along=offered]").get_by_text("MB").wait_for()
        ada.page.locator(".now").click()  # downloads the game with a progress bar
        ada.at_table()
        assert ada.page.url == f"{url}/t/POCKET-1"
        host.shutdown()  # from here on there is only this browser
        host.server_close()
        ada.offline(True)
        ada.do("draw") if "draw" in ada.offers() else ada.until(lambda: bool(ada.offers()))
        assert_no_hidden_gifts(ada.page)
        assert ada.page.evaluate(load("memorySnapshot"), "which is no memory of Python") > A_MEMORY
        ada.page.reload()  # starts Python from scratch and saves its memory again
        ada.at_table()
        assert ada.page.evaluate(load("memorySnapshot")) > A_MEMORY
        ask_where_the_table_is(ada)
        expect(ada.page.get_by_text("between rounds only")).to_be_visible()
        expect(ada.button("Save the game log as a file")).to_have_count(0)
        ada.page.keyboard.press("Escape")
        while not ada.over:
            ada.until(lambda: ada.over or bool(ada.offers()))
            ada.act()
        expect(ada.page.locator(".opened li")).to_have_count(4)
        save_log(ada)
        ada.page.keyboard.press("Escape")
        ada.page.evaluate(load("addOldTable"))
        ada.page.evaluate("base => history.pushState(null, '', base + '/')", BASE)
        ada.page.reload()
        ada.set_name("Ada")
        play_own_deck(ada, tmp_path)
        kept = [len(ada.page.evaluate(load("readLog"), code)) > 0 for code in ("POCKET-1", "POCKET-7")]
        assert kept == [True, False], "the old table was deleted"
        _browser_without_webrtc_says_so(ada)


def _browser_without_webrtc_says_so(ada: BrowserGuest) -> None:
    ada.page.add_init_script("delete window.RTCPeerConnection")
    ada.page.goto(f"{ada.page.url.partition('/t/')[0]}/{INVITATION}")
    expect(ada.page.get_by_text("This browser can’t connect devices directly")).to_be_visible()
    ada.page.get_by_role("link", name="Home").click()
    expect(ada.page.locator("[data-new]", has_text="New table")).to_be_visible()


def assert_no_hidden_gifts(page: Page) -> None:
    """Assert that hidden gifts are in the worker and the database only, not in the page's memory (rule 9.5)."""
    session = page.context.new_cdp_session(page)
    heap: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda part: heap.append(part["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    strings: list[str] = json.loads("".join(heap))["strings"]
    session.detach()
    log: list[dict[str, Any]] = page.evaluate(load("readLog"), "POCKET-1")
    dealt = next(row["entry"] for row in log if '"dealt"' in row["entry"])
    cards = [card["gift"] for event in json.loads(dealt)["events"] for card in event.get("cards", ())]
    assert len(cards) > 100
    hidden = f'"{cards[-2]}","back"'  # the order of the shop as the log has it
    assert hidden in dealt
    assert any("POCKET-1" in one for one in strings)  # it is the page's memory
    assert [one for one in strings if hidden in one] == []


def ask_where_the_table_is(ada: BrowserGuest) -> None:
    ada.button("Menu").click()
    ada.page.get_by_text("More settings", exact=True).click()
    ada.button("Where is this table kept?").click()
    expect(ada.page.get_by_text("On this device only.")).to_be_visible()


def save_log(ada: BrowserGuest) -> None:
    ask_where_the_table_is(ada)
    with ada.page.expect_download() as waiting:
        ada.button("Save the game log as a file").click()
    lines = Path(waiting.value.path()).read_text("utf-8").splitlines()
    assert [json.loads(line)["version"] for line in lines] == list(range(1, len(lines) + 1))
    assert waiting.value.suggested_filename == "not-a-hat-pocket-1.jsonl"


def play_own_deck(ada: BrowserGuest, tmp_path: Path) -> None:
    """Make an own deck and play with it: lines, validation errors and pictures work without a server."""
    ada.page.get_by_role("link", name="Make a deck").click()
    ada.page.locator("[data-own]").click()
    sheet = ada.page.locator("dialog[open]")
    sheet.get_by_label("Name, without “a” or “the”").fill("onion tart")
    expect(sheet.locator(".lines")).to_contain_text("That’s not an onion tart!")
    ada.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    choose, play = ada.page.get_by_label("Open a file"), ada.page.locator("[data-play]")
    for cards, told in ((GIFTS[:3], "5 more cards are needed"), ((*GIFTS, "lemon", "piano"), "")):
        file = tmp_path / f"{len(cards)}.hat"
        file.write_bytes(hat(balanced=[*cards, "#1"], own=[own()]))
        choose.set_input_files(file)
        expect(ada.page.locator("[data-cards]")).to_have_text(f"{len(cards) + 1} cards.")
        play.click()
        if told:
            expect(ada.page.get_by_role("alert")).to_contain_text(told)
    ada.chairs(1)
    assert ada.page.url.endswith(f"{BASE}/t/POCKET-2")  # reuses the table of the refused deck
    expect(ada.page.locator("[data-deck] summary")).to_contain_text("At home, 13 cards")
    expect(ada.page.locator("[data-deck] .gifts li")).to_have_count(13)
    expect(ada.page.locator("[data-deck] .gifts image[href^='blob:']")).to_have_count(1)
