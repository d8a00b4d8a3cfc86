"""A node carries out all effects of a room, or evicts the room: nobody waits for an effect that was left out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from notahat.server.node import Node, OpenRoom
from notahat.server.settings import Settings
from notahat.store import open_store
from notahat.table.commands import Rename, Sit
from simulation.loop import VirtualLoop
from support.tables import guest

URL = "sqlite://:memory:"


class RecordingConnection:
    """A connection that records messages and close codes; with `fails` it cannot send."""

    def __init__(self, name: str, fails: bool = False) -> None:
        self.guest = guest(name)
        self.fails = fails
        self.messages: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        if self.fails:
            raise RuntimeError("handler is closed")
        self.messages.append(msgspec.json.decode(message))

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        if self.fails:
            raise RuntimeError("handler is closed")
        self.closed = code

    @property
    def acknowledged(self) -> list[str]:
        return [message["ack"] for message in self.messages if "ack" in message]


def run(test: Callable[[Node, OpenRoom], Awaitable[None]]) -> None:
    loop = VirtualLoop("effects")

    async def main() -> None:
        store = await open_store(URL)
        node = Node(Settings(store=URL), store)
        _, id_ = await node.open_table(guest("Ada"), {})
        open_room = await node.open_room(id_)
        assert open_room is not None
        await test(node, open_room)
        await node.close()
        await store.close()

    with loop.patched():
        loop.run(main())


@pytest.fixture(autouse=True)
def errors(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING)
    return caplog


def test_failing_connection_does_not_stop_others(errors: pytest.LogCaptureFixture) -> None:
    async def broadcast(node: Node, open_room: OpenRoom) -> None:
        broken, ada = RecordingConnection("Ben", fails=True), RecordingConnection("Ada")
        for connection in (broken, ada):
            assert node.connect(open_room, connection, changes=False)
        node.submit(open_room, ada, "k1", Sit("Ada"))
        node.submit(open_room, ada, "k2", Rename("Eva"))
        await asyncio.sleep(1)
        assert ada.acknowledged == ["k1", "k2"]
        assert ada.closed is None

    run(broadcast)
    assert {record.getMessage() for record in errors.records} == {"a connection failed"}


def fail(*_: object) -> None:
    raise ArithmeticError


@pytest.mark.parametrize("method", ["woken", "committed", "connected_elsewhere"])
def test_failing_room_is_evicted(method: str, errors: pytest.LogCaptureFixture) -> None:
    async def fail_once(node: Node, open_room: OpenRoom) -> None:
        ada, ben = RecordingConnection("Ada"), RecordingConnection("Ben")
        for connection in (ada, ben):
            assert node.connect(open_room, connection, changes=False)
        setattr(open_room.room, method, fail)
        node.submit(open_room, ada, "k1", Sit("Ada"))
        node.disconnect(open_room, ben)  # so that there is something to wake for
        node._on_presence(open_room, frozenset({guest("Cem")}))
        await asyncio.sleep(10)
        assert ada.closed == 1012
        again = await node.open_room(open_room.id)
        assert again is not None
        assert again is not open_room
        assert [seat.name for seat in again.room.table.seats] == ["Ada"]

    run(fail_once)
    assert {record.getMessage() for record in errors.records} == {"a room failed"}
