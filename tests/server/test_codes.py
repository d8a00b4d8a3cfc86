"""Four letters are easily tried: whoever tries many learns nothing, and people at their own table never notice."""

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from notahat.clients.python import Client
from notahat.server.limits.table_lookup import NO_SOONER, OF_A_GUEST, Doorman, Tries, place
from notahat.server.node import Hosted, Node
from notahat.server.settings import A_DAY, Settings
from notahat.server.table_codes import LENGTH, LETTERS, LONGEST, key_of, link_to, new_code, split
from notahat.store import open_store
from notahat.wire.reasons import ServerReason
from support.raw_http import RawSocket, ask
from support.server_process import Served, served

pytestmark = pytest.mark.anyio

CODES = len(LETTERS) ** LENGTH
HOME, AWAY = "192.0.2.1", "198.51.100.7"


class Hand:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def swept(addresses: int, seconds: float, step: float = 1.0) -> int:
    """How many codes are tried from so many addresses in some time, by somebody who never rests."""
    clock = Hand()
    tries, tried = Tries(clock), 0
    while clock.now < 100.0 + seconds:
        for number in range(addresses):
            while tries.shared(f"192.0.{number >> 8}.{number & 255}").take():
                tried += 1
        clock.now += step
    return tried


def test_a_whole_sweep_takes_more_than_a_week_from_one_address() -> None:
    hour = swept(1, 3600.0)
    assert 1700 < hour < 1900
    assert CODES / hour * 3600 > 7 * A_DAY


def test_a_whole_sweep_takes_more_than_a_day_from_a_thousand_addresses() -> None:
    minutes = swept(1000, 120.0, 10.0)
    assert CODES / minutes * 120 > A_DAY / 2, "the burst counts much in two minutes"
    later = swept(1000, 240.0, 10.0) - minutes
    assert CODES / later * 120 > A_DAY


def test_a_network_of_ipv6_is_one_address() -> None:
    assert place("2001:db8:1:2::1") == place("2001:db8:1:2:ffff::9") != place("2001:db8:1:3::1")
    assert place("::ffff:192.0.2.1") == place("192.0.2.1") != place("192.0.2.2")
    assert place("fe80::1%eth0") == place("fe80::2")
    assert place("?") == "?"


def test_a_link_carries_a_key_that_nobody_guesses() -> None:
    id_ = uuid4()
    assert split(link_to("K7QX", id_).removeprefix("/t/").lower()) == ("K7QX", key_of(id_))
    assert key_of(id_) == key_of(UUID(str(id_))) != key_of(uuid4())
    assert len(LETTERS) ** len(key_of(id_)) > 2**56
    assert split("K7QX") == ("K7QX", "")
    assert split("K-7") == (None, "7")
    assert len(new_code(LONGEST)) == LONGEST


class Porch:
    """A node with its doorman, and people who ask there."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.doorman = Doorman(node, clock=Hand())  # time stands still, however long the machine takes

    async def open(self, host: UUID) -> str:
        return (await self.node.open_table(host, {}))[0]

    async def exhaust(self, address: str) -> None:
        while self.doorman.tries.shared(address).take():
            pass

    async def find(self, asked: str, guest: UUID | None, address: str = AWAY) -> str:
        found = await self.doorman.find(asked, guest, address)
        return "in" if isinstance(found, Hosted) else found.value


@pytest.fixture
async def porch(tmp_path: Path, anyio_backend: object) -> AsyncIterator[Porch]:
    store = await open_store(f"sqlite:///{tmp_path / 'tables.db'}")
    node = Node(Settings(), store)
    yield Porch(node)
    await node.close()
    await store.close()


async def test_the_throttled_are_told_the_same_about_every_code_and_nothing_is_loaded(porch: Porch) -> None:
    code = await porch.open(uuid4())
    await porch.exhaust(AWAY)
    told = [await porch.find(asked, None) for asked in (code, "AAAA", "no code", f"{code}-WRONGKEY")]
    assert told == [ServerReason.TOO_MANY_TRIES.value] * 4
    assert porch.node.tables == 0
    guest = uuid4()
    assert await porch.find(code, guest) == await porch.find("AAAA", guest) == "too_many_tries"


async def test_people_at_their_own_table_are_never_throttled_by_strangers(porch: Porch) -> None:
    host = uuid4()
    code = await porch.open(host)
    await porch.exhaust(AWAY)
    assert [await porch.find(code, host) for _ in range(60)] == ["in"] * 60


async def test_a_link_lets_in_whoever_tries_else(porch: Porch) -> None:
    code, id_ = await porch.node.open_table(uuid4(), {})
    await porch.exhaust(AWAY)
    asked = link_to(code, id_).removeprefix("/t/")
    assert await porch.find(asked, None) == await porch.find(asked, uuid4()) == "in"


async def test_right_codes_cost_nothing(porch: Porch) -> None:
    code = await porch.open(uuid4())
    assert [await porch.find(code, uuid4(), HOME) for _ in range(60)] == ["in"] * 60, "a party behind one address"


async def test_a_guest_who_moves_from_address_to_address_is_one_guest(porch: Porch) -> None:
    guest = uuid4()
    most = int(OF_A_GUEST[0])
    told = await asyncio.gather(*(porch.find("AAAA", guest, f"192.0.2.{n}") for n in range(most + 3)))
    assert (told.count("no_such_table"), told.count("too_many_tries")) == (most, 3)


async def test_a_wrong_code_and_a_closed_table_take_the_same_time(porch: Porch) -> None:
    host = uuid4()
    code = await porch.open(host)
    hosted = await porch.node.find(code)
    assert hosted is not None
    hosted.room.table = locked(hosted)
    for asked in (code, "AAAA"):
        began = time.monotonic()
        assert await porch.find(asked, None) == "no_such_table"
        assert time.monotonic() - began >= NO_SOONER * 0.99


def locked(hosted: Hosted):  # type: ignore[no-untyped-def]
    from msgspec import structs

    return structs.replace(hosted.room.table, locked=True)


def test_no_started_or_locked_table_is_found_by_four_letters(server: Served) -> None:
    async def story() -> None:
        async with Client(server.url) as host, Client(server.url) as friend, Client(server.url) as stranger:
            code = await host.open_table()
            assert (await friend.summary(code)).invitation == (await host.summary(code)).invitation
            async with host.table(code) as ada:
                await ada.do("lock", locked=True)
                assert status(server, code, stranger) == (404, 404)
                await ada.do("lock", locked=False)
                for name in ("Ada", "Ben"):
                    await ada.do("sit", name=name)
                await ada.do("start")
                assert status(server, code, stranger) == (404, 404)
                assert status(server, code, friend) == (200, 101), "they were let in before it began"
                asked = (await friend.summary(code)).invitation.removeprefix("/t/")
                assert status(server, asked, stranger) == (200, 101)
                assert status(server, code, host) == (200, 101)

    asyncio.run(story())


def status(server: Served, asked: str, client: Client) -> tuple[int, int]:
    """How a request and a handshake are answered."""
    token = f"Bearer {client.token}"
    with RawSocket(server.url, f"/api/tables/{asked}/socket", authorization=token) as line:
        return ask(server.url, "GET", f"/api/tables/{asked}", authorization=token).status, line.status


def test_one_address_can_try_thirty_codes_at_once_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        began = time.monotonic()
        told = at_once(server, [f"/api/tables/AA{a}{b}" for a in LETTERS[:10] for b in LETTERS[:10]])
        assert 30 <= told.count(404) <= 31 + (time.monotonic() - began) * 0.5
        assert set(told) <= {404, 429}


def at_once(server: Served, paths: list[str]) -> list[int]:
    """How each is answered, when all are asked at the same time."""
    with ThreadPoolExecutor(len(paths)) as people:
        return [answer.status for answer in people.map(lambda path: ask(server.url, "GET", path), paths)]


def test_of_two_forwarded_lines_the_proxys_own_is_believed(tmp_path: Path) -> None:
    with served(tmp_path, NOTAHAT_GUESTS_PER_ADDRESS="1", NOTAHAT_BEHIND_PROXY="yes") as server:
        told = [minted(server, f"9.9.9.{n}", "10.0.0.1") for n in range(3)]
    assert told == [201, 429, 429]


def minted(server: Served, *forwarded: str) -> int:
    from http.client import HTTPConnection

    connection = HTTPConnection(server.url.removeprefix("http://"))
    connection.putrequest("POST", "/api/guests")
    for line in forwarded:
        connection.putheader("X-Forwarded-For", line)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status
