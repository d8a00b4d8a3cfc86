"""What the writing thread writes together."""

import asyncio
from uuid import uuid4

import pytest

from notahat.store import Commit, writer
from notahat.store.writer import Append, Job, Writer

pytestmark = pytest.mark.anyio


class Batches:
    """A writer that writes nothing, and remembers how much it was given at a time."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.writer = Writer(self._together)
        self._unanswered = 0
        self._all_told = asyncio.Event()

    def _together(self, jobs: list[Job]) -> None:
        self.sizes.append(len(jobs))
        for job in jobs:
            assert isinstance(job, Append)
            job.result = job.wanted

    def append(self) -> None:
        self._unanswered += 1
        self._all_told.clear()
        self.writer.append(Commit(uuid4(), 1, "k", b"event"), self._done)

    def _done(self, _: object) -> None:
        self._unanswered -= 1
        if not self._unanswered:
            self._all_told.set()

    async def told(self) -> None:
        await asyncio.wait_for(self._all_told.wait(), 30)

    def append_in_turns(self, turns: int, each: int) -> None:
        """So many in this turn of the loop, and in each of the next ones."""
        for _ in range(each):
            self.append()
        if turns > 1:
            asyncio.get_running_loop().call_soon(self.append_in_turns, turns - 1, each)


async def test_what_comes_in_one_turn_of_the_loop_is_written_together() -> None:
    batches = Batches()
    batches.append_in_turns(1, 7)
    await batches.told()
    await batches.writer.close()
    assert batches.sizes == [7]


async def test_while_each_turn_brings_more_the_next_one_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_turns(5, 2)
    await batches.told()
    await batches.writer.close()
    assert batches.sizes == [10]


async def test_nobody_is_waited_for_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 0.0)
    batches = Batches()
    batches.append_in_turns(5, 2)
    await batches.told()
    await batches.writer.close()
    assert len(batches.sizes) > 1
    assert sum(batches.sizes) == 10


async def test_who_is_alone_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 60.0)
    batches = Batches()
    for _ in range(3):
        batches.append()
        await batches.told()
    await batches.writer.close()
    assert batches.sizes == [1, 1, 1]


async def test_all_answers_of_a_batch_come_in_one_turn_of_the_loop() -> None:
    batches, turns, answered_in = Batches(), [0], list[int]()

    def turn() -> None:
        turns[0] += 1
        if not batches.sizes or len(answered_in) < 5:
            asyncio.get_running_loop().call_soon(turn)

    for _ in range(5):
        batches.writer.append(Commit(uuid4(), 1, "k", b"event"), lambda _: answered_in.append(turns[0]))
    turn()
    await batches.writer.close()
    assert len(answered_in) == 5
    assert len(set(answered_in)) == 1
