"""Notifications go on after a failing subscriber or statement. Presence leases survive failed statements, and an old
statement never overtakes a new one.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from psycopg import OperationalError

from notahat.store import open_store
from notahat.store.notifications import DELETE_LEASES, UPSERT_LEASES, PresenceLeases
from simulation import postgres
from simulation.loop import VirtualLoop
from simulation.postgres import Database

ONE, OTHER = UUID(int=1), UUID(int=2)
SECONDS = 20.0  # of a lease
POLL_SECONDS = 5.0


def fail(_: object) -> None:
    raise ArithmeticError


@pytest.fixture
def errors(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.ERROR)
    return caplog


def test_notifications_go_on_after_a_failing_subscriber(errors: pytest.LogCaptureFixture) -> None:
    loop = VirtualLoop("notifications")
    database = Database(loop)
    versions: list[int] = []

    async def notify_two_tables() -> None:
        store, writer = await open_store("postgresql://one"), await open_store("postgresql://other")
        await asyncio.sleep(1)
        store.subscribe(ONE, fail, fail)
        store.subscribe(OTHER, versions.append, fail)
        for table in (ONE, OTHER):
            await writer.append(table, 0, b"event")
            await asyncio.sleep(0.1)
        for one in (store, writer):
            await one.close()

    with loop.patched(), postgres.patched(database):
        loop.run(notify_two_tables())
    assert versions == [1]
    assert len(errors.records) == 1


def test_failed_read_of_presence_is_repeated_soon() -> None:
    loop = VirtualLoop("notifications")
    database = Database(loop)
    reports: list[frozenset[UUID]] = []

    async def lose_one_answer() -> None:
        store, other = await open_store("postgresql://one"), await open_store("postgresql://other")
        await asyncio.sleep(1)
        store.subscribe(ONE, fail, reports.append)
        database.fail_next("SELECT table_id, guests")
        other.publish_presence("other", {ONE: frozenset({OTHER})}, 20.0)
        await asyncio.sleep(1)
        for one in (store, other):
            await one.close()

    with loop.patched(), postgres.patched(database):
        loop.run(lose_one_answer())
    assert reports == [frozenset({OTHER})]


class LeaseTable:
    """The table of leases. Statements take the seconds in `delays`, or fail for those in `failures`."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.guests: dict[UUID, set[str]] = {}
        self.expires = 0.0
        self.delays: list[float] = []
        self.failures = 0
        self.notified: list[UUID] = []
        self._loop = loop
        self.leases = PresenceLeases(self._execute, self.notified.append)

    async def _execute(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        await asyncio.sleep(self.delays.pop(0) if self.delays else 0.01)
        if self.failures:
            self.failures -= 1
            raise OperationalError
        if sql == UPSERT_LEASES:
            self.guests |= {table: set(guests.split()) for table, guests in zip(values[2], values[3], strict=True)}
            self.expires = self._loop.time() + SECONDS
        elif sql == DELETE_LEASES:
            for table in values[1]:
                self.guests.pop(table, None)
        return []

    def publish(self, *guests: UUID) -> None:
        self.leases.publish("node", {ONE: frozenset(guests)}, SECONDS)

    async def poll(self, seconds: float, phase: float = POLL_SECONDS) -> None:
        """Renew the leases regularly; they must not lapse."""
        end = self._loop.time() + seconds
        while self._loop.time() < end:
            await asyncio.sleep(phase)
            assert self._loop.time() < self.expires
            self.leases.renew()
            phase = POLL_SECONDS


def run(test: Callable[[LeaseTable], Awaitable[None]]) -> None:
    loop = VirtualLoop("leases")

    async def main() -> None:
        await test(LeaseTable(loop))

    with loop.patched():
        loop.run(main())


def test_leases_do_not_lapse_after_failed_renewals() -> None:
    async def fail_renewals(table: LeaseTable) -> None:
        table.publish(OTHER)
        await table.leases.flush()
        table.failures = 3
        await table.poll(60, phase=4.9)
        assert table.failures == 0

    run(fail_renewals)


def test_slow_renewal_does_not_overwrite_a_departure() -> None:
    async def leave_during_renewal(table: LeaseTable) -> None:
        table.publish(OTHER)
        await table.poll(9)
        table.delays = [2.0]
        table.leases.renew()
        await asyncio.sleep(1)
        table.publish()
        await asyncio.sleep(5)
        assert table.guests == {}

    run(leave_during_renewal)
