"""Guessing codes is throttled and reveals nothing; members of a table are not affected."""

import asyncio
import time
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from notahat.clients.python import Client
from notahat.server.limits.table_lookup import (
    GUEST_ATTEMPTS,
    MIN_RESPONSE_SECONDS,
    AttemptLimits,
    TableLookup,
)
from notahat.server.node import Node
from notahat.server.settings import A_DAY
from notahat.server.table_codes import LENGTH, LETTERS, MAX_LENGTH, link_key, new_code, split_code, table_link
from notahat.wire.messages import ServerReason
from support.raw_http import CLOSE, send_request
from support.raw_table import ManualClock, open_socket
from support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

CODES = len(LETTERS) ** LENGTH
HOME_ADDRESS, STRANGE_ADDRESS = "192.0.2.1", "198.51.100.7"


def attempts_possible(addresses: int, seconds: float, step: float = 1.0) -> int:
    """Return how many codes can be tried from a number of addresses in some seconds."""
    clock = ManualClock()
    limits, attempts = AttemptLimits(clock), 0
    while clock.now < 100.0 + seconds:
        for number in range(addresses):
            while limits.of_address(f"192.0.{number >> 8}.{number & 255}").count():
                attempts += 1
        clock.now += step
    return attempts


def test_trying_all_codes_from_one_address_takes_over_a_week() -> None:
    hour = attempts_possible(1, 3600.0)
    assert 1700 < hour < 1900
    assert CODES / hour * 3600 > 7 * A_DAY


def test_trying_all_codes_from_1000_addresses_takes_over_a_day() -> None:
    minutes = attempts_possible(1000, 120.0, 10.0)
    assert CODES / minutes * 120 > A_DAY / 2, "the burst counts much in two minutes"
    later = attempts_possible(1000, 240.0, 10.0) - minutes
    assert CODES / later * 120 > A_DAY


def test_link_carries_an_unguessable_key() -> None:
    table_id = uuid4()
    assert split_code(table_link("K7QX", table_id).removeprefix("/t/").lower()) == ("K7QX", link_key(table_id))
    assert link_key(table_id) == link_key(UUID(str(table_id))) != link_key(uuid4())
    assert len(LETTERS) ** len(link_key(table_id)) > 2**56
    assert split_code("K7QX") == ("K7QX", "")
    assert split_code("K-7") == (None, "7")
    assert len(new_code(MAX_LENGTH)) == MAX_LENGTH


class LookupDriver:
    """A node and its table lookup, with a clock that stands still."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.lookup = TableLookup(node, clock=ManualClock())

    async def open(self, host: UUID) -> str:
        return (await self.node.open_table(host, {}))[0]

    async def exhaust(self, address: str) -> None:
        while self.lookup.attempts.of_address(address).count():
            pass

    async def find(self, requested: str, guest: UUID | None, address: str = STRANGE_ADDRESS) -> str:
        found = await self.lookup.find(requested, guest, address)
        return "in" if isinstance(found, UUID) else found.value


@pytest.fixture
def driver(node: Node) -> LookupDriver:
    return LookupDriver(node)


async def test_throttled_lookup_reveals_and_loads_nothing(driver: LookupDriver) -> None:
    code = await driver.open(uuid4())
    await driver.exhaust(STRANGE_ADDRESS)
    answers = [await driver.find(requested, None) for requested in (code, "AAAA", "no code", f"{code}-WRONGKEY")]
    assert answers == [ServerReason.TOO_MANY_TRIES.value] * 4
    assert driver.node.tables == 0
    guest = uuid4()
    assert await driver.find(code, guest) == await driver.find("AAAA", guest) == "too_many_tries"


async def test_members_are_never_throttled_by_strangers(driver: LookupDriver) -> None:
    host = uuid4()
    code = await driver.open(host)
    await driver.exhaust(STRANGE_ADDRESS)
    assert [await driver.find(code, host) for _ in range(60)] == ["in"] * 60


async def test_guest_attempts_count_across_addresses(driver: LookupDriver) -> None:
    guest = uuid4()
    burst = int(GUEST_ATTEMPTS[0])
    answers = await asyncio.gather(*(driver.find("AAAA", guest, f"192.0.2.{n}") for n in range(burst + 3)))
    assert (answers.count("no_such_table"), answers.count("too_many_tries")) == (burst, 3)


async def test_wrong_code_and_closed_table_take_the_same_time(driver: LookupDriver) -> None:
    code, table_id = await driver.node.open_table(uuid4(), {})
    room = await driver.node.room(table_id)
    assert room is not None
    room.table = structs.replace(room.table, locked=True)
    for requested in (code, "AAAA"):
        began = time.monotonic()
        assert await driver.find(requested, None) == "no_such_table"
        assert time.monotonic() - began >= MIN_RESPONSE_SECONDS * 0.99


def test_started_or_locked_table_is_not_found_by_code(server: ServerProcess) -> None:
    async def scenario() -> None:
        async with Client(server.url) as host, Client(server.url) as friend, Client(server.url) as stranger:
            code = await host.open_table()
            assert (await friend.summary(code)).invitation == (await host.summary(code)).invitation
            async with host.table(code) as ada:
                await ada.do("lock", locked=True)
                assert status(server, code, stranger) == (404, "no_such_table")
                await ada.do("lock", locked=False)
                for name in ("Ada", "Ben"):
                    await ada.do("sit", name=name)
                await ada.do("start")
                assert status(server, code, stranger) == (404, "no_such_table")
                assert status(server, code, friend) == (200, ""), "admitted before the match began"
                requested = (await friend.summary(code)).invitation.removeprefix("/t/")
                assert status(server, requested, stranger) == (200, "")
                assert status(server, code, host) == (200, "")

    asyncio.run(scenario())


def status(server: ServerProcess, requested: str, client: Client) -> tuple[int, str]:
    """Return the status of a request, and why a socket is closed."""
    token = f"Bearer {client.token}"
    with open_socket(server, client, requested) as connection:
        response = send_request(server.url, "GET", f"/api/tables/{requested}", authorization=token)
        opcode, first = connection.receive()
        return response.status, first[2:].decode() if opcode == CLOSE else ""
