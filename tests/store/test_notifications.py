"""A failing subscriber or statement does not stop the notifications of other tables."""

import asyncio
import logging
from uuid import UUID

import pytest

from notahat.store import open_store
from simulation import postgres
from simulation.loop import VirtualLoop
from simulation.postgres import Database

ONE, OTHER = UUID(int=1), UUID(int=2)


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
