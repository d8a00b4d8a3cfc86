"""Notifications go on after a failing subscriber or statement."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from notahat.store import Store, open_store
from simulation import postgres
from simulation.loop import VirtualLoop
from simulation.postgres import Database

ONE, OTHER = UUID(int=1), UUID(int=2)


def fail(_: object) -> None:
    raise ArithmeticError


def run(story: Callable[[Database, Store, Store], Awaitable[None]]) -> None:
    """Run a story of two nodes."""
    loop = VirtualLoop("notifications")
    database = Database(loop)

    async def main() -> None:
        store, other = await open_store("postgresql://one"), await open_store("postgresql://other")
        await asyncio.sleep(1)
        await story(database, store, other)
        for one in (store, other):
            await one.close()

    with loop.patched(), postgres.patched(database):
        loop.run(main())


def test_notifications_go_on_after_a_failing_subscriber(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    versions: list[int] = []

    async def notify_two_tables(_: Database, store: Store, other: Store) -> None:
        store.subscribe(ONE, fail, fail)
        store.subscribe(OTHER, versions.append, fail)
        for table in (ONE, OTHER):
            await other.append(table, 0, b"event")
            await asyncio.sleep(0.1)

    run(notify_two_tables)
    assert versions == [1]
    assert len(caplog.records) == 1


def test_failed_read_of_presence_is_repeated_soon() -> None:
    reports: list[frozenset[UUID]] = []

    async def lose_one_answer(database: Database, store: Store, other: Store) -> None:
        store.subscribe(ONE, fail, reports.append)
        database.fail_next("SELECT table_id, guests")
        other.publish_presence("other", {ONE: frozenset({OTHER})}, 20.0)
        await asyncio.sleep(1)

    run(lose_one_answer)
    assert reports == [frozenset({OTHER})]
