"""A node carries out all effects of a room, or evicts the room: nobody waits for an effect that was left out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from notahat.live.requests import Connect, Submit
from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.store import open_store
from notahat.table.commands import Rename, Sit
from simulation.loop import VirtualLoop
from support.connections import RecordingConnection
from support.tables import guest

URL = "sqlite://:memory:"


def run(test: Callable[[Node, UUID], Awaitable[None]]) -> None:
    loop = VirtualLoop("effects")

    async def main() -> None:
        store = await open_store(URL)
        node = Node(Settings(store=URL), store)
        _, id_ = await node.open_table(guest("Ada"), {})
        assert await node.room(id_) is not None
        await test(node, id_)
        await node.close()
        await store.close()

    with loop.patched():
        loop.run(main())


@pytest.fixture(autouse=True)
def errors(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING)
    return caplog


def test_failing_connection_does_not_stop_others(errors: pytest.LogCaptureFixture) -> None:
    async def broadcast(node: Node, table: UUID) -> None:
        broken, ada = RecordingConnection("Ben", fails=True), RecordingConnection("Ada")
        for connection in (broken, ada):
            node.handle(Connect(table, connection), connection.guest)
        node.handle(Submit(table, ada, "k1", Sit("Ada")), ada.guest)
        node.handle(Submit(table, ada, "k2", Rename("Eva")), ada.guest)
        await asyncio.sleep(1)
        assert ada.acknowledged == ["k1", "k2"]
        assert ada.closed is None

    run(broadcast)
    assert {record.getMessage() for record in errors.records} == {"a connection failed"}


def fail(*_: object) -> None:
    raise ArithmeticError


def test_failing_room_is_evicted(errors: pytest.LogCaptureFixture) -> None:
    async def fail_once(node: Node, table: UUID) -> None:
        ada = RecordingConnection("Ada")
        node.handle(Connect(table, ada), ada.guest)
        failing = node.host.rooms[table]
        failing.committed = fail  # type: ignore[assignment,method-assign]
        node.handle(Submit(table, ada, "k1", Sit("Ada")), ada.guest)
        await asyncio.sleep(10)
        assert ada.closed == 1012
        again = await node.room(table)
        assert again is not None
        assert again is not failing
        assert [seat.name for seat in again.table.seats] == ["Ada"]

    run(fail_once)
    assert {record.getMessage() for record in errors.records} == {"a room failed"}
