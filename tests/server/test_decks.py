"""Decks that people make, over the wire: brought by HTTP, told to everybody at the table, and refused with a reason."""

import asyncio
import io
import re
import socket
import threading
import zipfile
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import pytest
from PIL import Image

from notahat.clients.python import Client, Declined
from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import plain_looks
from notahat.gifts.image_check import LARGEST_PICTURE
from notahat.rules import Illegal
from notahat.server.http.deck_uploads import Porter, put_deck
from notahat.server.node import Hosted, Node
from notahat.server.settings import Settings
from notahat.store import Store, Unavailable, open_store
from support.pictures import GIFTS, hat, large_png, own, picture, png_bomb
from support.raw_http import ask
from support.server_process import Served
from support.timeouts import PATIENCE

CUP = {"en": {"name": "teacup"}, "de": {"name": "Teetasse", "gender": "f"}}
ADA, BEN, EVE = (UUID(int=number) for number in range(3))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>wicked(1)</script></svg>'


def a_hat(image: bytes | None = None, name: str = "teacup", deck: str = "At home") -> bytes:
    words = CUP | {"en": {"name": name}}
    return hat(name=deck, balanced=[*GIFTS, "#1"], own=[own(image=image, words=words, look_alikes=["cup"])])


def wicked(image: bytes | None = None, name: str = "teacup") -> bytes:
    return a_hat(image, name, deck="Wicked")


def test_a_deck_is_brought_told_to_all_and_played(server: Served) -> None:
    async def evening() -> None:
        async with Client(server.url) as ada, Client(server.url) as ben:
            code = await ada.open_table(show_seconds=0, starter=0)
            async with ada.table(code) as hers, ben.table(code) as his:
                await hers.do("sit", name="Ada")
                await his.do("sit", name="Ben")
                with pytest.raises(Declined, match="not_host"):
                    await ben.put_deck(code, a_hat())
                seen = await ada.put_deck(code, a_hat())
                assert (seen.name, seen.cards, seen.missing) == ("At home", 11, 0)
                told = await his.until(lambda state: bool(state.view.deck))
                assert told.view.deck == seen
                deck = await ben.deck(code, seen.version)
                (cup,) = deck.own
                assert deck.gifts == tuple(sorted((*GIFTS, cup.key)))
                assert cup.words["de"][2] == "Ich habe eine schöne Teetasse für dich."
                assert cup.words["nl"][3] == "That’s not a teacup!"
                assert (cup.lang["de"], cup.lang["nl"], cup.kind) == ("de", "en", "image/webp")
                await hers.do("start")
                await hers.do("draw")
                await hers.until(lambda state: any(one.do == "give" for one in state.may))
                offered = await hers.do("give", claim=cup.key)
                assert offered.view.round is not None
                assert offered.view.round.phase.claim == cup.key  # type: ignore[union-attr]

    asyncio.run(evening())


def test_a_deck_tells_nothing_about_its_arrows(server: Served) -> None:
    """Rule 9.5 and the design: nobody gets a list of which gift has which back."""

    async def told(**sides: object) -> bytes:
        async with Client(server.url) as ada:
            code = await ada.open_table()
            seen = await ada.put_deck(code, hat(balanced=[], **sides))
            return msgspec.json.encode(await ada.deck(code, seen.version))

    gifts, mine = list(GIFTS), [own(name) for name in ("teacup", "saucer", "tea cosy")]
    one = asyncio.run(told(left=[*gifts[:5], "#1", "#2"], right=[*gifts[5:], "#3"], own=mine))
    other = asyncio.run(told(left=[*gifts[7:], "#1"], right=gifts[:6], any=[gifts[6], "#2", "#3"], own=mine[::-1]))
    assert one == other


def test_only_who_may_be_at_the_table_reads_its_deck(server: Served) -> None:
    async def asked() -> None:
        async with Client(server.url) as ada, Client(server.url) as eva:
            code = await ada.open_table(spectators=False)
            seen = await ada.put_deck(code, a_hat())
            assert (await eva.deck(code, seen.version)).name == "At home"  # in the lobby everybody looks round
            for version in (seen.version + 1, seen.version - 1, 0, 10**8):
                with pytest.raises(Declined, match="no_such_deck"):
                    await ada.deck(code, version)
            async with ada.table(code) as table:
                await table.do("sit", name="Ada")
                await table.do("add_bot", level="casual")
                await table.do("start")
            with pytest.raises(Declined, match=r"no_such_table|no_spectators"):
                await eva.deck(code, seen.version)

    asyncio.run(asked())


def _zip_bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deck.hat", b"0" * 5_000_000)
    return out.getvalue()


def _with_a_place() -> bytes:
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = (52.0, 30.0, 0.0)
    return picture("JPEG", exif=exif)


HOSTILE = {
    "an SVG with a script": (SVG, "deck_unreadable"),
    "a zip bomb": (_zip_bomb(), "deck_unreadable"),
    "an SVG as a picture": (wicked(SVG), "deck_picture"),
    "a PNG bomb": (wicked(png_bomb()), "deck_picture"),
    "a PNG of 8 MB": (wicked(large_png(16)), "deck_picture"),
    "a picture that is also a page": (wicked(picture("PNG") + b"<script>wicked(1)</script>"), "deck_picture"),
    "a photo with its place": (wicked(_with_a_place()), "deck_picture_tells"),
    "a picture that is too large": (wicked(b"\x89PNG" + b"0" * LARGEST_PICTURE), "deck_picture"),
    "a name with markup": (wicked(name="<img src=x onerror=wicked(1)>"), "deck_name"),
    "a name that looks like another": (wicked(name="ρear"), "deck_twice"),
    "too few cards": (hat(balanced=GIFTS[:5], name="Wicked"), "deck_too_small"),
}


def new_table(server: Served) -> tuple[str, dict[str, str]]:
    who = {"authorization": f"Bearer {ask(server.url, 'POST', '/api/guests').json['token']}"}
    return str(ask(server.url, "POST", "/api/tables", b"{}", **who).json["code"]), who


def summary(server: Served, code: str, who: dict[str, str]) -> dict[str, object]:
    """All that is known of a table, but for who looks at it."""
    return ask(server.url, "GET", f"/api/tables/{code}", **who).json | {"watching": 0}


def test_hostile_files_get_a_reason_and_nothing_of_them_is_kept(server: Served) -> None:
    for what, (data, reason) in HOSTILE.items():
        code, who = new_table(server)
        before = summary(server, code, who)
        answer = ask(server.url, "POST", f"/api/tables/{code}/deck", data, **who)
        assert (answer.status, answer.json["reason"]) == (400, reason), what
        assert answer.json["detail"], what
        assert summary(server, code, who) == before, what
    assert (
        ask(server.url, "POST", f"/api/tables/{code}/deck", a_hat(deck="Welcome"), **who).status == HTTPStatus.CREATED
    )
    kept = server.kept
    assert b"Welcome" in kept  # so whatever is kept can be seen in it
    assert b"Wicked" not in kept
    assert b"wicked(1)" not in kept


@pytest.mark.parametrize(
    "body", [b"content-length: 50000000\r\n\r\n{", b"transfer-encoding: chunked\r\n\r\n1e8481\r\n" + b" " * 2_000_001]
)
def test_50_mb_are_refused_before_they_are_read(server: Served, body: bytes) -> None:
    code, who = new_table(server)
    place = urlsplit(server.url)
    head = f"POST /api/tables/{code}/deck HTTP/1.1\r\nhost: x\r\nauthorization: {who['authorization']}\r\n".encode()
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as line:
        line.sendall(head + body)
        told = b""
        while b"deck_too_big" not in told:
            told += line.recv(65536) or pytest.fail("no answer")
    assert told.startswith(b"HTTP/1.1 413")


def test_a_deck_is_looked_through_beside_the_loop() -> None:
    """Its pictures take a while to unpack, and nobody at any table waits for that."""
    went_on = threading.Event()

    def looks(name: str) -> frozenset[str]:
        assert went_on.wait(PATIENCE), "the loop stands still"
        return plain_looks(name)

    async def brought() -> None:
        looking = asyncio.create_task(Porter(looks).looked_through(a_hat(), ADA, "here"))
        await asyncio.sleep(0)
        assert not looking.done()
        went_on.set()
        assert (await looking).name == "At home"

    asyncio.run(brought())


def test_whoever_brings_many_decks_waits_behind_themselves() -> None:
    """Others wait for one deck of an address, and those who share it for one of a guest."""
    all_came, order = threading.Event(), []

    def looks(name: str) -> frozenset[str]:
        assert all_came.wait(PATIENCE)
        order.extend([name] if name.startswith("thing") else [])
        return plain_looks(name)

    async def brought() -> None:
        porter = Porter(looks)
        decks = [("thing one", EVE, "there"), ("thing two", EVE, "there"), ("thing three", EVE, "there")]
        decks += [("thing of her flatmate", BEN, "there"), ("thing of Ada", ADA, "here")]
        tasks = []
        for name, guest, address in decks:
            tasks.append(asyncio.create_task(porter.looked_through(a_hat(name=name), guest, address)))
            await asyncio.sleep(0)
        all_came.set()
        await asyncio.gather(*tasks)

    asyncio.run(brought())
    first = list(dict.fromkeys(order))
    assert first == ["thing one", "thing of Ada", "thing of her flatmate", "thing two", "thing three"]


def at_a_table(story: Callable[[Store, Node, Hosted, Deck], Awaitable[None]]) -> None:
    """Ada has opened a table, and brings a deck that was looked through."""

    async def run() -> None:
        store = await open_store("sqlite://:memory:")
        node = Node(Settings(), store)
        _, table = await node.open_table(ADA, {})
        hosted = await node.hosted(table)
        assert hosted is not None
        await story(store, node, hosted, read_deck(a_hat()))
        await node.close()
        await store.close()

    asyncio.run(run())


def test_who_brings_a_deck_while_the_store_is_away_asks_again(caplog: pytest.LogCaptureFixture) -> None:
    async def story(store: Store, node: Node, hosted: Hosted, deck: Deck) -> None:
        await store.close()
        with pytest.raises(Unavailable, match="in a moment"):
            await put_deck(node, hosted, ADA, deck)
        with pytest.raises(Unavailable, match="in a moment"):  # the room is given up and read anew
            await put_deck(node, hosted, ADA, deck)

    at_a_table(story)
    assert [record.message for record in caplog.records] == ["store unavailable"]


def test_every_deck_is_an_order_of_its_own() -> None:
    async def story(store: Store, node: Node, hosted: Hosted, deck: Deck) -> None:
        for _ in range(2):
            await put_deck(node, hosted, ADA, deck)
        with pytest.raises(Illegal, match="host"):
            await put_deck(node, hosted, BEN, deck)
        keys = [commit.command for commit in await store.read(hosted.id, 1)]
        assert len(set(keys)) == len(keys) == 2
        assert all(re.fullmatch(f"{ADA.hex}:[0-9a-f]{{16}}", key) for key in keys), "ids are random strings"

    at_a_table(story)


def test_no_frame_brings_a_picture(server: Served) -> None:
    """Frames are decided at once; whatever must be unpacked comes as a file and is looked through beside."""

    async def framed() -> None:
        async with Client(server.url) as ada:
            code = await ada.open_table()
            async with ada.table(code) as table:
                state = await table.do("put_deck", deck=msgspec.json.decode(hat()))
                assert state.view.deck is not None
                with pytest.raises(Declined, match="deck_picture"):
                    await table.do("put_deck", deck=msgspec.json.decode(a_hat()))

    asyncio.run(framed())


def test_somebody_brings_ten_decks_at_once_and_then_waits(server: Served) -> None:
    code, who = new_table(server)
    tries = [ask(server.url, "POST", f"/api/tables/{code}/deck", b"{}", **who).json["reason"] for _ in range(11)]
    assert tries == ["deck_unreadable"] * 10 + ["too_fast"]


def test_whoever_makes_a_deck_hears_the_lines_first(server: Served) -> None:
    def lines(lang: str, **word: object) -> dict[str, object]:
        return ask(server.url, "POST", "/api/lines", msgspec.json.encode({"lang": lang, "word": word})).json

    assert lines("de", name="Teetasse", gender="f") == {
        "thing": "eine Teetasse",
        "offer": "Ich habe eine schöne Teetasse für dich.",
        "denial": "Das ist keine Teetasse!",
    }
    assert lines("it", name="specchio", gender="m")["denial"] == "Questo non è uno specchio!"
    assert lines("de", name="Teetasse")["reason"] == "deck_name"
    assert lines("xx", name="Teetasse")["reason"] == "deck_name"
    assert lines("en", name="<b>")["reason"] == "deck_name"
