"""Decks are read only from guests who may bring one, and their bytes are bounded."""

import asyncio
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from notahat.clients.python import Client
from notahat.server.limits.budget import (
    ADDRESS_UPLOAD_BYTES,
    DAILY_UPLOAD_BYTES,
    DECK_BYTES,
    TOTAL_UPLOAD_BYTES,
)
from notahat.server.limits.upload_budget import A_DAY, UploadBudget
from support.raw_http import send_request
from support.raw_table import ManualClock
from support.server_process import ServerProcess, running_server
from support.timeouts import TIMEOUT

MANY = 1_000_000
HERE, THERE = "192.0.2.1", "192.0.2.2"


def begin_upload(server: ServerProcess, client: Client, code: str, sent: int) -> socket.socket:
    """Send the head of an upload of the largest size, and only a part of its body."""
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port), timeout=TIMEOUT)
    head = f"POST /api/tables/{code}/deck HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {client.token}\r\n"
    connection.sendall(f"{head}content-length: {DECK_BYTES.value}\r\n\r\n".encode() + b" " * sent)
    return connection


def response_of(connection: socket.socket) -> bytes:
    """Return a response as far as its JSON body."""
    response = b""
    while b"}" not in response:
        response += connection.recv(65536) or pytest.fail("no answer")
    return response


def test_guest_who_is_not_host_is_refused_before_the_body(server: ServerProcess) -> None:
    async def scenario() -> None:
        async with Client(server.url) as ada, Client(server.url) as eve:
            code = await ada.open_table()
            with begin_upload(server, eve, code, 10) as connection:
                response = response_of(connection)
        assert response.startswith(b"HTTP/1.1 400 ")
        assert b'"not_host"' in response

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def test_unfinished_uploads_of_an_address_are_bounded(tmp_path: Path) -> None:
    almost = DECK_BYTES.value - 1
    uploads = ADDRESS_UPLOAD_BYTES.value // almost
    with running_server(tmp_path) as server, ExitStack() as stack:

        async def new_table() -> tuple[Client, str]:
            client = await Client(server.url).__aenter__()
            return client, await client.open_table()

        for _ in range(uploads):
            stack.enter_context(begin_upload(server, *asyncio.run(new_table()), almost))
        client, code = asyncio.run(new_table())
        headers = {"authorization": f"Bearer {client.token}"}
        while (
            answer := send_request(server.url, "POST", f"/api/tables/{code}/deck", b" " * 9, **headers)
        ).status == 400:
            client, code = asyncio.run(new_table())  # the other uploads have not arrived yet
            headers = {"authorization": f"Bearer {client.token}"}
        assert (answer.status, answer.json["reason"]) == (429, "too_fast")


def test_bytes_in_flight_are_limited_and_released() -> None:
    budget = UploadBudget(MANY)
    with budget.upload(HERE) as count:
        for _ in range(ADDRESS_UPLOAD_BYTES.value // DECK_BYTES.value):
            assert count(DECK_BYTES.value) is None
        assert count(1) == "too_fast"
        with budget.upload(THERE) as other:
            assert other(1) is None
        assert budget.bytes_in_flight == ADDRESS_UPLOAD_BYTES.value
    assert budget.bytes_in_flight == 0


def test_bytes_in_flight_of_all_addresses_are_limited() -> None:
    budget = UploadBudget(MANY)
    with ExitStack() as stack:
        for number in range(TOTAL_UPLOAD_BYTES.value // ADDRESS_UPLOAD_BYTES.value):
            count = stack.enter_context(budget.upload(f"192.0.2.{number}"))
            assert count(ADDRESS_UPLOAD_BYTES.value) is None
        count = stack.enter_context(budget.upload("198.51.100.1"))
        assert count(1) == "busy"


def test_bytes_a_day_are_limited_per_address() -> None:
    clock = ManualClock()
    budget = UploadBudget(2, clock)

    def upload(address: str, size: int) -> str | None:
        with budget.upload(address) as count:
            return count(size)

    assert upload(HERE, 2 * DAILY_UPLOAD_BYTES.value) is None
    assert upload(HERE, 1000) == "too_fast"
    assert upload(THERE, 1000) is None
    clock.now += A_DAY / 2
    assert upload(HERE, DAILY_UPLOAD_BYTES.value) is None
    assert upload(HERE, 1000) == "too_fast"
