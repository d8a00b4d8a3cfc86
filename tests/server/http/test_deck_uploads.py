"""Own decks: uploaded by HTTP, sent to everybody at the table, or refused with a reason."""

import asyncio
import secrets
import socket
import threading
from http import HTTPStatus
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import pytest
from PIL import Image

from notahat.clients.python import Client, Declined
from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import plain_name_keys
from notahat.live.requests import ReadDeck, Submit
from notahat.rules import Illegal
from notahat.server.http.app import DeckValidator
from notahat.server.limits.budget import DECK_BYTES
from notahat.server.node import Node
from notahat.table.commands import UploadDeck
from support.pictures import GIFTS, hat, own, picture, png_bomb
from support.raw_http import send_request
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

CUP = {"en": {"name": "teacup"}, "de": {"name": "Teetasse", "gender": "f"}}
ADA, BEN, EVE = (UUID(int=number) for number in range(3))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>wicked(1)</script></svg>'


def hat_with_cup(image: bytes | None = None, name: str = "teacup", deck: str = "At home") -> bytes:
    words = CUP | {"en": {"name": name}}
    return hat(name=deck, balanced=[*GIFTS, "#1"], own=[own(image=image, words=words, look_alikes=["cup"])])


def hostile_hat(image: bytes | None = None, name: str = "teacup") -> bytes:
    return hat_with_cup(image, name, deck="Wicked")


def test_deck_message_hides_its_arrows(server: ServerProcess) -> None:
    """Rule 9.5: no message tells which gift has which back."""

    async def deck_message(**sides: object) -> bytes:
        async with Client(server.url) as ada:
            code = await ada.open_table()
            seen = await ada.put_deck(code, hat(balanced=[], **sides))
            return msgspec.json.encode(await ada.deck(code, seen.version))

    gifts, mine = list(GIFTS), [own(name) for name in ("teacup", "saucer", "tea cosy")]
    one = asyncio.run(deck_message(left=[*gifts[:5], "#1", "#2"], right=[*gifts[5:], "#3"], own=mine))
    other = asyncio.run(
        deck_message(left=[*gifts[7:], "#1"], right=gifts[:6], any=[gifts[6], "#2", "#3"], own=mine[::-1])
    )
    assert one == other


def _with_location() -> bytes:
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = (52.0, 30.0, 0.0)
    return picture("JPEG", exif=exif)


# of each reason one; tests/gifts/test_hat_file.py has all kinds
HOSTILE = {
    "an SVG with a script": (SVG, "deck_unreadable"),
    "a PNG bomb": (hostile_hat(png_bomb()), "deck_picture"),
    "a photo with its place": (hostile_hat(_with_location()), "deck_picture_tells"),
    "a name with markup": (hostile_hat(name="<img src=x onerror=wicked(1)>"), "deck_name"),
    "a name that looks like another": (hostile_hat(name="ρear"), "deck_twice"),
    "too few cards": (hat(balanced=GIFTS[:5], name="Wicked"), "deck_too_small"),
}


def new_table(server: ServerProcess) -> tuple[str, dict[str, str]]:
    headers = {"authorization": f"Bearer {send_request(server.url, 'POST', '/api/guests').json['token']}"}
    return str(send_request(server.url, "POST", "/api/tables", b"{}", **headers).json["code"]), headers


def summary(server: ServerProcess, code: str, headers: dict[str, str]) -> dict[str, object]:
    """Return a table's summary without the number of spectators."""
    return send_request(server.url, "GET", f"/api/tables/{code}", **headers).json | {"watching": 0}


def test_hostile_files_are_refused_and_not_stored(server: ServerProcess) -> None:
    for what, (data, reason) in HOSTILE.items():
        code, headers = new_table(server)
        before = summary(server, code, headers)
        answer = send_request(server.url, "POST", f"/api/tables/{code}/deck", data, **headers)
        assert (answer.status, answer.json["reason"]) == (400, reason), what
        assert answer.json["detail"], what
        assert summary(server, code, headers) == before, what
    assert (
        send_request(server.url, "POST", f"/api/tables/{code}/deck", hat_with_cup(deck="Welcome"), **headers).status
        == HTTPStatus.CREATED
    )
    stored = server.disk_content
    assert b"Welcome" in stored  # shows that stored decks are found this way
    assert b"Wicked" not in stored
    assert b"wicked(1)" not in stored


def test_pictures_are_sent_in_json_that_browsers_do_not_show(server: ServerProcess) -> None:
    code, headers = new_table(server)
    deck = send_request(server.url, "POST", f"/api/tables/{code}/deck", hat_with_cup(), **headers).json
    answer = send_request(server.url, "GET", f"/api/tables/{code}/decks/{deck['version']}", **headers)
    assert answer.status == HTTPStatus.OK
    assert b'"kind":"image/webp"' in answer.body
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


def begin_upload(server: ServerProcess, code: str, headers: dict[str, str], rest: bytes) -> bytes:
    """Send the beginning of an upload, without its end; return the answer."""
    address = urlsplit(server.url)
    head = f"POST /api/tables/{code}/deck HTTP/1.1\r\nhost: x\r\nauthorization: {headers['authorization']}\r\n".encode()
    with socket.create_connection((address.hostname, address.port), timeout=TIMEOUT) as connection:
        connection.sendall(head + rest)
        response = b""
        while b"}" not in response:
            response += connection.recv(65536) or pytest.fail("no answer")
    return response


@pytest.mark.parametrize(
    "body", [b"content-length: 50000000\r\n\r\n{", b"transfer-encoding: chunked\r\n\r\n1e8481\r\n" + b" " * 2_000_001]
)
def test_50_mb_upload_is_refused_early(server: ServerProcess, body: bytes) -> None:
    response = begin_upload(server, *new_table(server), body)
    assert response.startswith(b"HTTP/1.1 413")
    assert b"deck_too_big" in response


def test_guest_who_is_not_host_is_refused_before_the_body(server: ServerProcess) -> None:
    code, _ = new_table(server)
    _, stranger = new_table(server)
    response = begin_upload(server, code, stranger, b"content-length: %d\r\n\r\n0123456789" % DECK_BYTES.value)
    assert response.startswith(b"HTTP/1.1 400 ")
    assert b'"not_host"' in response


def test_deck_is_validated_outside_the_event_loop() -> None:
    """Decoding pictures is slow and must not delay other tables."""
    loop_ran = threading.Event()

    def name_keys(name: str) -> frozenset[str]:
        assert loop_ran.wait(TIMEOUT), "the loop is blocked"
        return plain_name_keys(name)

    async def upload() -> None:
        validation = asyncio.create_task(DeckValidator(name_keys).validate(hat_with_cup(), ADA, "here"))
        await asyncio.sleep(0)
        assert not validation.done()
        loop_ran.set()
        assert (await validation).name == "At home"

    asyncio.run(upload())


def test_guest_with_many_decks_delays_nobody_else() -> None:
    """Other addresses wait for one deck of an address, other guests at that address for one deck of a guest."""
    all_queued, order = threading.Event(), []

    def name_keys(name: str) -> frozenset[str]:
        assert all_queued.wait(TIMEOUT)
        order.extend([name] if name.startswith("thing") else [])
        return plain_name_keys(name)

    async def upload() -> None:
        validator = DeckValidator(name_keys)
        decks = [("thing one", EVE, "there"), ("thing two", EVE, "there"), ("thing three", EVE, "there")]
        decks += [("thing of her flatmate", BEN, "there"), ("thing of Ada", ADA, "here")]
        tasks = []
        for name, guest, address in decks:
            tasks.append(asyncio.create_task(validator.validate(hat_with_cup(name=name), guest, address)))
            await asyncio.sleep(0)
        all_queued.set()
        await asyncio.gather(*tasks)

    asyncio.run(upload())
    first = list(dict.fromkeys(order))
    assert first == ["thing one", "thing of Ada", "thing of her flatmate", "thing two", "thing three"]


async def put_deck(node: Node, table: UUID, guest: UUID, deck: Deck) -> None:
    await node.ask(Submit(table, None, secrets.token_hex(8), UploadDeck(deck)), guest)


@pytest.mark.anyio
async def test_deck_of_an_old_version_is_read_and_cached(node: Node) -> None:
    _, table = await node.open_table(ADA, {})
    deck = read_deck(hat_with_cup())
    await put_deck(node, table, ADA, deck)
    await put_deck(node, table, ADA, read_deck(hat(name="The second")))
    first = await node.ask(ReadDeck(table, 2), ADA)
    assert b'"At home"' in first
    assert await node.ask(ReadDeck(table, 2), ADA) is first
    assert b'"The second"' in await node.ask(ReadDeck(table, 3), ADA)
    for version in (0, 1, 4):
        with pytest.raises(Illegal):
            await node.ask(ReadDeck(table, version), ADA)
    await put_deck(node, table, ADA, deck)
    assert await node.ask(ReadDeck(table, 4), ADA) == first, "a missing version is not remembered"


def test_frame_with_picture_is_refused(server: ServerProcess) -> None:
    """Frames are decided in the event loop, so decks with pictures must be uploaded as files."""

    async def send_in_frame() -> None:
        async with Client(server.url) as ada:
            code = await ada.open_table()
            async with ada.table(code) as table:
                state = await table.do("put_deck", deck=msgspec.json.decode(hat()))
                assert state.view.deck is not None
                with pytest.raises(Declined, match="deck_picture"):
                    await table.do("put_deck", deck=msgspec.json.decode(hat_with_cup()))

    asyncio.run(send_in_frame())


def test_deck_uploads_are_limited_per_guest(server: ServerProcess) -> None:
    code, headers = new_table(server)
    path = f"/api/tables/{code}/deck"
    reasons = [send_request(server.url, "POST", path, b"{}", **headers).json["reason"] for _ in range(20)]
    assert reasons[:10] == ["deck_unreadable"] * 10
    assert "too_fast" in reasons[10:], "one more is allowed every minute"


def test_lines_endpoint_returns_spoken_lines(server: ServerProcess) -> None:
    def lines(lang: str, **word: object) -> dict[str, object]:
        return send_request(server.url, "POST", "/api/lines", msgspec.json.encode({"lang": lang, "word": word})).json

    assert lines("de", name="Teetasse", gender="f") == {
        "thing": "eine Teetasse",
        "offer": "Ich habe eine schöne Teetasse für dich.",
        "denial": "Das ist keine Teetasse!",
    }
    assert lines("it", name="specchio", gender="m")["denial"] == "Questo non è uno specchio!"
    assert lines("de", name="Teetasse")["reason"] == "deck_name"
    assert lines("xx", name="Teetasse")["reason"] == "deck_name"
    assert lines("en", name="<b>")["reason"] == "deck_name"
