"""Tables in one player's browser without any server: invitations and answers are carried by hand."""

import base64
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.browser_guest import PHONE, BrowserGuest
from support.friends import KEPT, VANISHED_MS, Guests, code_of, guests_of_site, holds, term
from support.scripts import call, load
from support.server_process import running_server

MODULES = Path(__file__).parents[2] / "web" / "node_modules"
MOST_FRAGMENT = 300
PATIENCE_MS = 6_000  # then a server has gone
PACE = 100.0
_OFFER = """async () => {
  window.heard = [];
  window.peer = new RTCPeerConnection();
  window.own = peer.createDataChannel("devices");
  own.onmessage = ({ data }) => heard.push(data);
  await peer.setLocalDescription();
  while (peer.iceGatheringState !== "complete")
    await new Promise((resolve) => peer.addEventListener("icegatheringstatechange", resolve, { once: true }));
  return peer.localDescription.sdp;
}"""
_LINKED_TO_HEIR = "() => devices.some((one) => one.readyState === 'open')"


@pytest.fixture
def guest(browser: Browser, folder: Path) -> Iterator[Guests]:
    with guests_of_site(browser, folder) as guests:
        yield guests


def test_friends_meet_by_hand(guest: Guests) -> None:
    ada, ben, cem = people = [guest() for _ in range(3)]
    code = open_table(ada)
    link = invitation(ada)
    assert_forged_offers_learn_no_token(ben, cem, link)
    ada.page.locator("[data-by-hand] [data-copy]").click()
    go(ben, link[:-30])
    expect(ben.page.get_by_text("This invitation is incomplete")).to_be_visible()
    go(ben, link)
    go(cem, link)  # which was sent to two friends
    late = answer_link(cem)
    scan_answer(ada, ben)
    expect(ada.page.locator("[data-by-hand] [data-copy]")).to_have_text("Copy link")  # the next one is not copied yet
    ben.sit("Ben")
    paste(ada, late)
    expect(ada.page.get_by_text("already used this invitation")).to_be_visible()
    expect(ada.page.locator("[data-connected]")).not_to_contain_text("Connected")
    expect(cem.page.get_by_text("before you: ask for a new one")).to_be_visible()
    go(cem, invitation(ada))
    assert_bad_answers_are_refused(ada, cem)
    pass_answer(ada, answer_link(cem))
    cem.sit("Cem")
    screen_joins(ada, guest(holds=False))
    hide_page(ada)
    assert holds(ada, code), "people hide the page to send an invitation"
    assert not any(is_heir(one, code) for one in (ben, cem))
    ada.page.keyboard.press("Escape")
    ada.chairs(3)
    ada.start()
    assert not [url for one in people for url in one.requests if "/api/" in url], "no server but the files"
    ada.until(lambda: any(is_heir(one, code) and len(term(one, code)["voters"]) == 3 for one in (ben, cem)))
    other = cem if is_heir(ben, code) else ben
    other.until(lambda: other.page.evaluate(_LINKED_TO_HEIR))  # so they go on without Ada, as in test_peers.py
    ada.until(lambda: any(one.act() == "refuse" for one in people))


def go(one: BrowserGuest, link: str) -> None:
    """Open a link, also if it differs from the page's URL only behind the #."""
    one.page.goto("about:blank")
    one.page.goto(link)


def screen_joins(ada: BrowserGuest, screen: BrowserGuest) -> None:
    ada.page.get_by_label("This one is for a TV").check()
    screen.page.goto(invitation(ada))
    paste_answer(ada, answer_link(screen))
    expect(screen.page.get_by_text("New friends are invited there")).to_be_visible()


def hide_page(one: BrowserGuest) -> None:
    """Hide a page for longer than a holder may be away, and show it again."""
    for hidden in (True, False):
        one.page.evaluate(load("setHidden"), hidden)
        one.page.clock.run_for(VANISHED_MS)


def assert_forged_offers_learn_no_token(eve: BrowserGuest, fay: BrowserGuest, link: str) -> None:
    """A guest knows the invitation, makes an offer of its own, and sends it to somebody as if it held the table."""
    eve.open("/")
    greeting = '{"device":"00000000000000000000000000000000","screen":false,"votes":true,"rank":0,"term":null}'
    for forged in ('{"to":"proof","proof":"AA.AA"}', f'{{"to":"welcome","greeting":{greeting}}}'):
        offer = pack(eve.page.evaluate(_OFFER))
        go(fay, link.rpartition(".")[0] + "." + offer)
        answer = unpack(answer_link(fay).rpartition(".")[2])
        eve.page.evaluate("(sdp) => peer.setRemoteDescription({ type: 'answer', sdp })", answer)
        eve.until(lambda: eve.page.evaluate("() => own.readyState") == "open")
        eve.page.evaluate("(text) => own.send('.' + text)", forged)
        eve.until(lambda: eve.page.evaluate("() => own.readyState") == "closed")
        assert eve.page.evaluate("() => heard") == [], "it introduces itself to the holder only"
        expect(fay.page.get_by_text("can’t reach each other")).to_be_visible()


def test_tables_go_on_when_the_server_has_gone(browser: Browser, tmp_path: Path) -> None:
    """The server itself is stopped, because a browser set offline keeps its open connections. A game alone waits for
    it; friends continue by hand, and need only the page that their browser has kept.
    """
    with running_server(tmp_path, pace=PACE, coverage=False) as server, ExitStack() as stack:
        ada, ben = (stack.enter_context(BrowserGuest(browser, server.url, PHONE, **KEPT)) for _ in range(2))
        ada.page.add_init_script(call("shortenIdleTimeout"))
        ada.page.clock.install()
        ada.open()
        ada.page.locator("[data-along=offered]").wait_for()
        ada.page.evaluate("dispatchEvent(new Event('appinstalled'))")  # an installed app downloads the game
        ada.page.locator("[data-along=here]").wait_for()
        ada.play_now()
        table = ada.page.url
        assert "POCKET" not in table
        server.stop()
        lose_server(ada)
        expect(ada.page.get_by_text("Your game is safe: it’s waiting on the server.")).to_be_visible()
        ada.button("Play here in the meantime").click()
        ada.page.wait_for_url("**/t/POCKET-1")
        ada.at_table()
        expect(ada.page.locator("[data-seat]")).to_have_count(4)
        server.start()
        ada.page.goto(table)
        ada.at_table()
        expect(ada.page.get_by_text("waiting on the server")).to_have_count(0)

        ben.join(ada.new_table(), "Ben")
        ben.until(lambda: ben.page.evaluate("() => navigator.serviceWorker.controller !== null"))
        ada.chairs(2)
        ada.start()
        server.stop()
        lose_server(ada)
        ada.page.locator("[data-open-here]").click()
        ada.chairs(1)
        ada.page.locator("[data-hand]").click()
        ben.page.goto(invitation(ada))
        paste_answer(ada, answer_link(ben))
        ben.sit("Ben")


def lose_server(ada: BrowserGuest) -> None:
    ada.page.get_by_text("Finding the table again").wait_for()
    ada.page.clock.fast_forward(PATIENCE_MS)


def open_table(ada: BrowserGuest) -> str:
    """Open a table for friends, begin to invite them, and return its code."""
    ada.open_lobby()
    ada.page.locator("[data-hand]").click()
    return code_of(ada.page.url)


def invitation(host: BrowserGuest) -> str:
    """Return the link of the invitation that the host shows."""
    link = read_code(host, host.page.locator("[data-by-hand] svg.qr"))
    assert len(link.partition("#")[2]) <= MOST_FRAGMENT
    return link


def read_code(reader: BrowserGuest, code: Locator) -> str:
    """Photograph a QR code and read it."""
    code.wait_for()
    context = reader.page.context
    context.route("**/qr/*.js", lambda route: route.fulfill(path=MODULES / "qr" / route.request.url.rpartition("/")[2]))
    picture = base64.b64encode(code.screenshot()).decode()
    text: str = reader.page.evaluate(load("readQrCode"), [f"{reader.page.url.partition('#')[0]}qr/decode.js", picture])
    return text


def scan_answer(host: BrowserGuest, guest: BrowserGuest) -> None:
    """Hold the guest's screen into the host's camera."""
    code = guest.page.locator("[data-answer] svg.qr")
    code.wait_for()
    host.page.evaluate("(picture) => (window.cameraPicture = picture)", base64.b64encode(code.screenshot()).decode())
    host.page.locator("[data-scan]").click()
    connected(host)


def answer_link(guest: BrowserGuest) -> str:
    return read_code(guest, guest.page.locator("[data-answer] svg.qr"))


def paste_answer(host: BrowserGuest, link: str) -> None:
    before = int(host.page.locator("[data-connected]").get_attribute("data-connected") or 0)
    paste(host, link)
    connected(host, before + 1)


def paste(host: BrowserGuest, text: str) -> None:
    host.page.locator("#answer").fill(text)
    host.page.locator("form:has(#answer) .button").click()


def pass_answer(host: BrowserGuest, link: str) -> None:
    """Open the answer in another tab of the host's browser."""
    before = int(host.page.locator("[data-connected]").get_attribute("data-connected") or 0)
    tab = host.tab()
    tab.goto(link)
    expect(tab.get_by_text("The answer has arrived")).to_be_visible()
    tab.close()
    connected(host, before + 1)


def connected(host: BrowserGuest, count: int = 1) -> None:
    expect(host.page.locator("[data-connected]")).to_have_attribute("data-connected", str(count))


def assert_bad_answers_are_refused(host: BrowserGuest, guest: BrowserGuest) -> None:
    real = answer_link(guest)
    paste(host, "https://example.org/")
    expect(host.page.get_by_text("isn’t an answer to an invitation")).to_be_visible()
    paste(host, re.sub(r"#ANSWER\.\w", "#ANSWER.-", real))
    expect(host.page.get_by_text("belongs to another invitation")).to_be_visible()
    paste(host, real[:-40])
    expect(host.page.get_by_text("isn’t an answer to an invitation")).to_be_visible()


def is_heir(guest: BrowserGuest, code: str) -> bool:
    seen = term(guest, code)
    return bool(seen["successor"] == seen["self"])


def pack(sdp: str) -> str:
    """Pack a description without candidates (web/src/net/peers/description.ts)."""
    user, password = (re.findall(rf"a=ice-{kind}:(\S+)", sdp)[0].encode() for kind in ("ufrag", "pwd"))
    fingerprint = bytes.fromhex(re.findall(r"a=fingerprint:sha-256 (\S+)", sdp)[0].replace(":", ""))
    packed = bytes([len(user)]) + user + bytes([len(password)]) + password + fingerprint
    for name, port in re.findall(r"a=candidate:\S+ 1 udp \d+ (\S+)\.local (\d+) typ host", sdp):
        packed += b"\2" + bytes.fromhex(name.replace("-", "")) + int(port).to_bytes(2, "big")
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(packed: str) -> str:
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    user, data = data[1 : 1 + data[0]].decode(), data[1 + data[0] :]
    password, data = data[1 : 1 + data[0]].decode(), data[1 + data[0] :]
    fingerprint = ":".join(f"{byte:02X}" for byte in data[:32])
    lines = [
        "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:0",
        f"a=ice-ufrag:{user}", f"a=ice-pwd:{password}", f"a=fingerprint:sha-256 {fingerprint}",
        "a=setup:passive", "a=sctp-port:5000", "a=max-message-size:262144", "",
    ]  # fmt: skip
    return "\r\n".join(lines)
