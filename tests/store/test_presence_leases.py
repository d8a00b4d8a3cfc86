"""Presence leases survive failed statements, and an old statement never overtakes a new one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from psycopg import OperationalError

from notahat.store.notifications import DELETE_LEASES, UPSERT_LEASES, PresenceLeases
from simulation.loop import VirtualLoop

TABLE, ADA, BEN = UUID(int=1), UUID(int=10), UUID(int=11)
SECONDS = 20.0
POLL_SECONDS = 5.0


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
        self.leases.publish("node", {TABLE: frozenset(guests)}, SECONDS)

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
        table.publish(ADA)
        await table.leases.flush()
        table.failures = 3
        await table.poll(60, phase=4.9)
        assert table.failures == 0

    run(fail_renewals)


def test_slow_renewal_does_not_overwrite_a_departure() -> None:
    async def leave_during_renewal(table: LeaseTable) -> None:
        table.publish(ADA)
        await table.poll(9)
        table.delays = [2.0]
        table.leases.renew()
        await asyncio.sleep(1)
        table.publish()
        await asyncio.sleep(5)
        assert table.guests == {}

    run(leave_during_renewal)
