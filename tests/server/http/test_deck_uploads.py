"""Own decks: uploaded by HTTP, sent to everybody at the table, or refused with a reason."""

import asyncio
import threading
from http import HTTPStatus
from uuid import UUID

import pytest

from notahat.gifts.hat_file import plain_name_keys
from notahat.server.http.app import DeckValidator
from notahat.server.limits.budget import DECK_BYTES
from support.pictures import GIFTS, hat, own
from support.raw_http import exchange_raw, send_request
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

CUP = {"en": {"name": "teacup"}, "de": {"name": "Teetasse", "gender": "f"}}
ADA, BEN, EVE = (UUID(int=number) for number in range(3))


def hat_with_cup(name: str = "teacup", deck: str = "At home") -> bytes:
    words = CUP | {"en": {"name": name}}
    return hat(name=deck, balanced=[*GIFTS, "#1"], own=[own(words=words, look_alikes=["cup"])])


def new_table(server: ServerProcess) -> tuple[str, dict[str, str]]:
    headers = {"authorization": f"Bearer {send_request(server.url, 'POST', '/api/guests').json['token']}"}
    return str(send_request(server.url, "POST", "/api/tables", b"{}", **headers).json["code"]), headers


def test_hostile_file_is_refused_and_not_stored(server: ServerProcess) -> None:
    """tests/gifts/test_hat_file.py has all kinds."""
    code, headers = new_table(server)
    path, hostile = f"/api/tables/{code}/deck", hat_with_cup("<img src=x onerror=wicked(1)>", deck="Wicked")
    answer = send_request(server.url, "POST", path, hostile, **headers)
    assert (answer.status, answer.json["reason"]) == (400, "deck_name")
    assert answer.json["detail"]
    assert send_request(server.url, "POST", path, hat_with_cup(deck="Welcome"), **headers).status == HTTPStatus.CREATED
    stored = server.disk_content
    assert b"Welcome" in stored  # shows that stored decks are found this way
    assert b"Wicked" not in stored


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
    head = f"POST /api/tables/{code}/deck HTTP/1.1\r\nhost: x\r\nauthorization: {headers['authorization']}\r\n"
    return exchange_raw(server.url, head.encode() + rest)


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


def test_deck_uploads_are_limited_per_guest(server: ServerProcess) -> None:
    code, headers = new_table(server)
    path = f"/api/tables/{code}/deck"
    reasons = [send_request(server.url, "POST", path, b"{}", **headers).json["reason"] for _ in range(20)]
    assert reasons[:10] == ["deck_unreadable"] * 10
    assert "too_fast" in reasons[10:], "one more is allowed every minute"
