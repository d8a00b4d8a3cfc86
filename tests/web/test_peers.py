"""Tables in the browser of one player: friends join over WebRTC, without a server."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from support.browser_guest import BrowserGuest, play_until_over
from support.friends import VANISHED_MS, Guests, code_of, guests_of_site, holds, prepare, term
from support.pictures import GIFTS, hat, own, png
from support.scripts import load
from support.static_host import RendezvousProcess

UNANSWERED_MS = 8_000  # then a page says that nobody answers
_RECEIVED = "() => window.received"
_IMPOSTOR = """const send = RTCDataChannel.prototype.send;
RTCDataChannel.prototype.send = function (text) { send.call(this, text.replace("hello", "welcome")); };"""


@pytest.fixture
def rendezvous() -> Iterator[RendezvousProcess]:
    process = RendezvousProcess()
    yield process
    assert process.stop() == 0


@pytest.fixture
def guest(browser: Browser, folder: Path, rendezvous: RendezvousProcess) -> Iterator[Guests]:
    with guests_of_site(browser, folder, rendezvous.url) as guests:
        yield guests


def test_friends_play_in_one_browser(guest: Guests, rendezvous: RendezvousProcess) -> None:
    ada, ben, cem, eve = guest(), guest(), guest(), guest(holds=False)
    link = open_table(ada)
    join(ben, link, "Ben")
    join(cem, link, "Cem")
    assert_other_key_is_refused(eve, link)
    assert_impostor_is_refused(eve, link)
    ada.chairs(3)
    ada.begin(0)
    ada.start()
    assert_wrapped_gift_is_not_sent(ada, ben)
    rendezvous.stop(signal.SIGKILL)
    rendezvous.start()
    eve.page.goto(link)  # a late guest
    eve.at_table()
    assert_hostile_guest_is_stopped(eve)
    assert term(ada)["generation"] < 99
    reload_host(ada, [ben, cem])
    gone = kill_holder([ada, ben, cem], rendezvous)
    gone.page.goto(link)
    gone.at_table()
    assert not holds(gone), "the old holder is a guest"
    play_until_over([ada, ben, cem])
    expect(gone.page.locator(".opened li").first).to_be_visible()  # the story came over the channel
    for one in (ada, ben, cem):
        one.page.locator("[data-again]").click()
    gone.at_table()
    assert not [one for one in eve.requests if "/pocket/" in one], "only holder and successor load Python"


def test_game_is_hosted_on_another_device_than_the_table(guest: Guests, tmp_path: Path) -> None:
    """Own deck, TV and controller after the opener has handed the table over; then she takes it back."""
    ada, ben, tv = guest("de-DE"), guest(), guest(holds=False)
    link = open_table(ada)
    join(ben, german_invitation(ada, link), "Ben")
    expect(ben.button("Menu")).to_be_visible()  # in their own language
    ada.button("Menü").click()
    ada.page.locator("[data-do=move]").filter(has_text="Ben").click()
    ben.until(lambda: holds(ben))
    ben.chairs(2)
    ada.seen("news", "Der Tisch steht jetzt auf dem Gerät von Ben.")
    put_deck(ada, tmp_path)
    expect(ben.page.locator("[data-deck] summary")).to_contain_text("Our deck")
    tv.page.goto(f"{link}/screen")
    tv.page.locator("[data-come]").wait_for()
    ada.start()
    tv.page.locator("[data-seat]").first.wait_for()
    ada.button("Menü").click()
    ada.page.locator("dialog [data-do=controller]").click()
    ada.page.locator("[data-controller]").wait_for()
    ada.page.locator("[data-do=controller]").click()
    ada.button("Menü").click()
    ada.page.locator("[data-do=take]").click()
    ada.until(lambda: holds(ada) and not holds(ben))
    ada.at_table()


def german_invitation(ada: BrowserGuest, link: str) -> str:
    """Return the link that Ada's page offers: to a first page of the static host that previews in German."""
    home, _, invitation = link.partition("#")
    expect(ada.page.locator(".link")).to_contain_text("/games/hat/de/#PEER-")
    page = ada.page.request.get(f"{home}de/").text()
    assert '<html lang="de"' in page
    assert 'property="og:description" content="Alle haben jedes Geschenk gesehen.' in page
    assert f'hreflang="nl" href="{urlsplit(home).path}nl/"' in page
    return f"{home}de/#{invitation}"


def open_table(ada: BrowserGuest) -> str:
    """Open a table for friends and return its invitation."""
    ada.open_lobby()
    expect(ada.page.get_by_role("img", name="QR")).to_be_visible()
    assert re.search(r"/#PEER-\w{6}\.[\w-]{43}$", ada.page.url)
    return ada.page.url


def join(guest: BrowserGuest, link: str, name: str) -> None:
    guest.page.goto(link)
    guest.sit(name)


def assert_other_key_is_refused(eve: BrowserGuest, link: str) -> None:
    """The secret is that of the invitation, the key another one."""
    eve.page.goto(link[:-4] + "AAAA")
    eve.until(lambda: eve.page.evaluate("() => devices.length > 0"))
    eve.page.clock.fast_forward(UNANSWERED_MS)
    expect(eve.page.get_by_text("isn’t answering")).to_be_visible()
    assert eve.page.evaluate(_RECEIVED) == [], "the holder's key is not the one of this invitation"


def assert_impostor_is_refused(eve: BrowserGuest, link: str) -> None:
    """A caller that welcomes the holder, as if it held the table itself, is not believed."""
    page = eve.tab()
    prepare(page)
    page.add_init_script(_IMPOSTOR)
    page.goto(link)
    page.wait_for_function("() => devices.some((one) => one.readyState === 'closed')")
    assert page.evaluate(_RECEIVED) == []
    page.close()


def assert_wrapped_gift_is_not_sent(ada: BrowserGuest, ben: BrowserGuest) -> None:
    """After a gift is wrapped, no frame to a guest names it, nor any card that was never open (rule 9.5)."""
    ada.do("draw")
    ben.until(lambda: '"event":"wrapped"' in "".join(ben.page.evaluate(_RECEIVED)))
    ada.page.locator("[data-do=give]").wait_for()
    frames: list[str] = ben.page.evaluate(_RECEIVED)
    wrapped = max(n for n, frame in enumerate(frames) if '"event":"wrapped"' in frame)
    (gift,) = set(re.findall(r'"event":"drawn","giver":0,"gift":"(\w+)"', "".join(frames)))
    assert not [frame for frame in frames[wrapped:] if f'"{gift}"' in frame]
    log: list[dict[str, Any]] = ada.page.evaluate(load("readLog"), code_of(ada.page.url))
    dealt = next(event for row in log for event in json.loads(row["entry"])["events"] if "cards" in event)
    named = {card["gift"] for card in dealt["cards"] if f'"{card["gift"]}"' in "".join(frames)}
    assert len(dealt["cards"]) > 100
    assert len(named) <= 5, "three dealt, one drawn, and the next of the shop"


def assert_hostile_guest_is_stopped(eve: BrowserGuest) -> None:
    """A spectator acts for a player, claims the table, sends a frame that is too big, and floods: all is refused."""
    forged = {"generation": 99, "holder": "0" * 32, "successor": None, "copy": "", "voters": {}, "seal": "AA.AA"}
    message = json.dumps({"to": "member", "message": {"is": "established", "term": forged}})
    eve.page.evaluate("(text) => devices.find((one) => one.readyState === 'open').send(text)", "." + message)
    eve.page.evaluate("""() => sendFrame('{"id":"x","do":"give","turn":1,"claim":"hat"}')""")
    eve.until(lambda: any('"no":"x"' in frame for frame in eve.page.evaluate(_RECEIVED)))
    assert eve.page.evaluate(load("floodChannel"), ["x" * 9000, 1]) == "too_big"
    eve.at_table()
    eve.until(lambda: eve.page.evaluate("() => window.channel.readyState") == "open")
    flood = ['{"id":"y","do":"answer","accept":true}', 20_000]
    closed = eve.page.evaluate(load("floodChannel"), flood)
    assert closed in ("too_fast", "closed without a reason"), "without one if the answers pile up unread first"


def reload_host(ada: BrowserGuest, guests: list[BrowserGuest]) -> None:
    """Reload the page that holds the table: every guest is connected again, with their seats. The page before lets go
    of the table a moment later, as on a busy machine.
    """
    counts = [len(one.page.evaluate(_RECEIVED)) for one in guests]
    late = ada.tab()
    late.goto(ada.page.url.partition("#")[0] + "icon.svg")
    late.evaluate("(name) => void navigator.locks.request(name, () => new Promise(() => undefined))", lock_of(ada))
    ada.page.reload(wait_until="commit")
    late.wait_for_function("async () => (await navigator.locks.query()).pending.length > 0")
    late.close()
    ada.at_table()
    assert_connected(guests, counts)


def lock_of(guest: BrowserGuest) -> str:
    return f"notahat {code_of(guest.page.url)}"


def assert_connected(guests: list[BrowserGuest], counts: list[int]) -> None:
    """Every guest has received more than before, and sits at the table."""
    for one, count in zip(guests, counts, strict=True):
        one.until(lambda one=one, count=count: len(one.page.evaluate(_RECEIVED)) > count)  # type: ignore[misc]
        one.at_table()


def kill_holder(people: list[BrowserGuest], rendezvous: RendezvousProcess) -> BrowserGuest:
    """End the page that holds the table in the middle of a move: its successor goes on, without the rendezvous. Return
    the guest of that page.
    """
    people[0].until(lambda: all(term(one)["successor"] and len(term(one)["voters"]) == 3 for one in people))
    gone = next(one for one in people if holds(one))
    heir = next(one for one in people if term(one)["self"] == term(gone)["successor"])
    (other,) = (one for one in people if one not in (gone, heir))
    other.until(lambda: other.page.evaluate("() => devices.filter((one) => one.readyState === 'open').length > 1"))
    rendezvous.stop(signal.SIGKILL)
    count = len(other.page.evaluate(_RECEIVED))
    gone.page.evaluate("() => document.querySelector('[data-actions] button')?.click()")
    gone.page.close()
    for one in (heir, other):
        one.page.clock.fast_forward(VANISHED_MS)
    heir.until(lambda: holds(heir))
    assert_connected([other], [count])
    heir.seen("news", "The table is on this device now")
    for one in (heir, other):
        one.page.get_by_text("is out of reach").wait_for(state="detached")
    other.page.clock.fast_forward(VANISHED_MS)  # the others have come back, so this is news
    other.seen("news", "is away.")
    rendezvous.start()
    gone.page = gone.tab()
    prepare(gone.page)
    return gone


def put_deck(ada: BrowserGuest, folder: Path) -> None:
    """Choose an own deck that is larger than a frame."""
    noise = Random(1)
    image = png(120, 100, b"".join(b"\0" + noise.randbytes(120) for _ in range(100)))
    file = folder / "deck.hat"
    file.write_bytes(hat(name="Our deck", balanced=[*GIFTS, "#1"], own=[own("onion tart", image)]))
    ada.page.locator("[data-deck] summary").click()
    ada.page.locator("[data-deck] input[type=file]").set_input_files(file)
