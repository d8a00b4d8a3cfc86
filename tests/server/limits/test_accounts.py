"""One account per address: who holds most of a full resource is shed first, and that is logged and counted."""

import asyncio
import logging
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest

from notahat.clients.python import Client
from notahat.server.limits.accounts import A_DAY, Accounts, Pool, ShedLog
from notahat.server.limits.budget import DAILY_UPLOAD_BYTES, DECK_BYTES, SOCKETS
from notahat.server.settings import Settings
from support.raw_http import send_request
from support.raw_table import ManualClock
from support.server_process import METRICS_TOKEN, in_process_server

HERE, THERE = "192.0.2.1", "192.0.2.2"
MANY = 1_000_000
SENT = ({"name": "Ada"}, {"emote": "laugh"})


class Item:
    """A holder that records whether it was shed."""

    is_shed = False

    def shed(self) -> None:
        self.is_shed = True


def hold(pool: Pool, address: str, number: int, size: int = 1) -> list[Item]:
    items = [Item() for _ in range(number)]
    for item in items:
        pool.hold(address, item, size)
    return items


def test_oldest_of_the_largest_address_is_shed() -> None:
    pool = Pool("bytes", 100, ShedLog())
    small, large = hold(pool, HERE, 1, 30), hold(pool, THERE, 7, 10)
    pool.hold(THERE, large[0], 10)  # used again
    (newest,) = hold(pool, "198.51.100.1", 1, 10)
    assert [item.is_shed for item in large] == [False, True, False, False, False, False, False]
    assert not small[0].is_shed
    assert not newest.is_shed
    assert pool.total == 100
    pool.release(THERE, large[1])
    pool.release(HERE, small[0])
    assert pool.total == 70, "what is shed or released counts once"


def test_one_large_holder_may_shed_thousands_of_small_ones() -> None:
    pool = Pool("bytes", 5000, ShedLog())
    small = hold(pool, HERE, 5000)
    hold(pool, THERE, 1, 2400)
    assert sum(item.is_shed for item in small) == 2400


def test_address_that_holds_most_gets_no_room() -> None:
    pool = Pool("sockets", 10, ShedLog(), share=2)
    few, many = hold(pool, HERE, 3), hold(pool, THERE, 7)
    assert not pool.make_room(THERE)
    assert pool.make_room(HERE)
    assert (sum(item.is_shed for item in few), sum(item.is_shed for item in many)) == (0, 1)


def test_share_of_an_address_is_not_shed_for_others() -> None:
    pool = Pool("sockets", 10, ShedLog(), share=5)
    party = hold(pool, HERE, 5)
    hold(pool, THERE, 5)
    assert not pool.make_room("198.51.100.1")
    assert not any(item.is_shed for item in party)


def test_sockets_are_reserved_for_members() -> None:
    accounts = Accounts(1000)
    for number in range(500):
        hold(accounts.sockets, f"2001:db8:{number:x}::/64", 1)
    assert not accounts.sockets.make_room(HERE, reserve=accounts.reserve)
    assert accounts.sockets.make_room(HERE)
    assert Accounts(MANY).sockets.limit == SOCKETS.value


def test_shed_address_is_logged_once_a_minute_without_the_address(caplog: pytest.LogCaptureFixture) -> None:
    shed_log = ShedLog()
    with caplog.at_level(logging.WARNING):
        for address in (HERE, HERE, THERE):
            shed_log.count(address, "frames")
        for number in range(1000):
            shed_log.count(f"2001:db8:{number:x}::/64", "bytes")
    first, second, *rest = caplog.records
    assert (first.reason, second.reason) == ("frames", "frames")  # type: ignore[attr-defined]
    assert HERE not in caplog.text
    assert first.address != second.address  # type: ignore[attr-defined]
    assert 40 < len(rest) < 100, "many addresses do not fill the log"
    assert shed_log.counts == {"frames": 3, "bytes": 1000}


def test_largest_address_gives_way_to_other_uploads() -> None:
    accounts = Accounts(100, guests_per_address=MANY)
    with ExitStack() as stack:
        uploads = [stack.enter_context(accounts.upload(HERE)) for _ in range(70)]
        assert {upload.count(DECK_BYTES.value) for upload in uploads} == {None}
        assert accounts.bytes.total <= accounts.bytes.limit
        assert uploads[0].count(1) == "busy", "it had to make room"
        assert stack.enter_context(accounts.upload(THERE)).count(DECK_BYTES.value) is None
    assert accounts.bytes.total == 0


def test_bytes_a_day_are_limited_per_address() -> None:
    clock = ManualClock()
    accounts = Accounts(100, guests_per_address=2, clock=clock)

    def upload(address: str, size: int) -> str | None:
        with accounts.upload(address) as one:
            return one.count(size)

    assert upload(HERE, 2 * DAILY_UPLOAD_BYTES.value) is None
    assert upload(HERE, 1000) == "too_fast"
    assert upload(THERE, 1000) is None
    clock.now += A_DAY / 2
    assert upload(HERE, DAILY_UPLOAD_BYTES.value) is None
    assert upload(HERE, 1000) == "too_fast"


@pytest.mark.anyio
async def test_party_of_thirty_plays_and_reloads_behind_one_address(tmp_path: Path) -> None:
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}", metrics_token=METRICS_TOKEN)
    async with in_process_server(settings) as url, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _ in range(30)]
        codes = [await client.open_table() for client in clients[:4]]
        for reload in range(2):  # the sockets of the page before are still open
            pages = [asyncio.to_thread(send_request, url, "GET", "/") for _ in range(6 * len(clients))]
            assert {page.status for page in await asyncio.gather(*pages)} == {200}
            tables = [clients[n].table(codes[n % 4]) for n in range(30)]
            seats = [await stack.enter_async_context(table) for table in tables]
            await asyncio.gather(*(seat.do("sit" if not reload else "emote", **SENT[reload]) for seat in seats))
        page = await asyncio.to_thread(send_request, url, "GET", "/metrics", authorization=f"Bearer {METRICS_TOKEN}")
        assert b'notahat_held{resource="sockets"} 60.0' in page.body
        assert b"notahat_shed_total{" not in page.body
