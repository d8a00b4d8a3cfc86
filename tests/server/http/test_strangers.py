"""A knock at a running table: the players hear it, and the stranger learns nothing but being let in."""

import asyncio
import time
from uuid import UUID, uuid4

import pytest

from notahat.live.requests import Connect, Submit
from notahat.live.room import Room
from notahat.rules import Illegal
from notahat.server.http.strangers import Knocks
from notahat.server.limits.budget import ADDRESS_KNOCKS, KNOCK_ANSWER_SECONDS
from notahat.server.limits.table_lookup import GUEST_ATTEMPTS, MIN_RESPONSE_SECONDS, TableLookup
from notahat.server.node import Node
from notahat.table.commands import GuestCommand, Sit, Start
from notahat.wire.messages import KnockAnswer
from support.connections import RecordingConnection
from support.raw_table import ManualClock
from support.timeouts import until

pytestmark = pytest.mark.anyio


class KnockDriver:
    """A node, its knocks, and a clock that stands still."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.clock = ManualClock()
        self.lookup = TableLookup(node, clock=self.clock)
        self.knocks = Knocks(node, self.lookup, self.clock)

    async def running_table(self) -> tuple[str, Room]:
        """Return the code and the room of a match of two players on one device."""
        connection = RecordingConnection("Ada")
        code, table_id = await self.node.open_table(connection.guest, {})
        room = await self.node.room(table_id)
        assert room is not None
        self.node.handle(Connect(table_id, connection), connection.guest)
        commands: tuple[GuestCommand, ...] = (Sit("Ada"), Sit("Ben"), Start())
        for number, command in enumerate(commands):
            version = room.table.version
            self.node.handle(Submit(table_id, connection, str(number), command), connection.guest)
            await until(lambda version=version: room.table.version > version)  # type: ignore[misc]
        return code, room

    async def knock(self, code: str, guest: UUID, address: str = "192.0.2.1") -> object:
        try:
            return await self.knocks.knock(code, guest, address, "Eve")
        except Illegal as illegal:
            return illegal.reason.value


@pytest.fixture
def driver(node: Node) -> KnockDriver:
    return KnockDriver(node)


async def test_knock_gets_the_same_answer_for_every_code(driver: KnockDriver) -> None:
    code, room = await driver.running_table()
    version, guest = room.table.version, uuid4()
    for requested in (code, "AAAA", "no code"):
        began = time.monotonic()
        assert await driver.knock(requested, guest) == KnockAnswer(False, KNOCK_ANSWER_SECONDS.value)
        assert time.monotonic() - began >= MIN_RESPONSE_SECONDS * 0.99
    await until(lambda: room.table.version > version)
    assert list(room.table.knocks) == [guest]
    driver.clock.now += 20
    assert await driver.knock(code, guest) == await driver.knock("AAAA", guest) == KnockAnswer(False, 40)
    assert await driver.lookup.find(code, guest, "192.0.2.9") == "no_such_table", "a knock alone admits no stranger"


async def test_knocks_count_as_attempts_and_are_never_refunded(driver: KnockDriver) -> None:
    code, _ = await driver.running_table()
    guest, burst = uuid4(), int(GUEST_ATTEMPTS[0])
    codes = [code, *(f"AAA{letter}" for letter in "ACDEFGHJKMN")][:burst]
    addresses = [f"192.0.2.{number}" for number in range(burst)]
    await asyncio.gather(*(driver.knock(*one) for one in zip(codes, [guest] * burst, addresses, strict=True)))
    assert await driver.knock("CCCC", guest) == "too_many_tries"
    assert await driver.knock(code, guest) == KnockAnswer(False, 60), "to ask for the answer costs nothing"


async def test_knocks_per_address_are_limited(driver: KnockDriver) -> None:
    answers = await asyncio.gather(*(driver.knock("AAAA", uuid4()) for _ in range(ADDRESS_KNOCKS.value + 3)))
    assert answers.count("too_many_tries") == 3
    driver.clock.now += 31
    assert await driver.knock("AAAA", uuid4()) == KnockAnswer(False, 60)
