"""What the writing thread writes together."""

import asyncio
from uuid import UUID, uuid4

import pytest

from notahat.store import Commit, writer
from notahat.store.writer import Append, Job, Writer
from support.timeouts import PATIENCE

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

    def append(self, table: UUID | None = None, version: int = 1) -> None:
        self._unanswered += 1
        self._all_told.clear()
        self.writer.append(Commit(table or uuid4(), version, "k", b"event"), self._done)

    def _done(self, _: object) -> None:
        self._unanswered -= 1
        if not self._unanswered:
            self._all_told.set()

    async def told(self) -> None:
        await asyncio.wait_for(self._all_told.wait(), PATIENCE)

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
    monkeypatch.setattr(writer, "TURNS_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_turns(5, 2)
    await batches.told()
    await batches.writer.close()
    assert batches.sizes == [10]


async def test_nobody_is_waited_for_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "TURNS_SECONDS", 0.0)
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


async def test_where_many_tables_are_busy_a_few_are_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(writer, "LATELY_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_turns(1, 8)
    await batches.told()
    for _ in range(6):
        batches.append()
        for _ in range(5):
            await asyncio.sleep(0)  # other turns of the loop
    await batches.told()
    await batches.writer.close()
    assert batches.sizes == [8, 6]


async def test_they_are_not_gathered_for_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LATELY_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_turns(1, 8)
    await batches.told()
    batches.append()
    await batches.told()
    await batches.writer.close()
    assert batches.sizes == [8, 1]


async def test_a_table_that_plays_quickly_by_itself_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(writer, "LATELY_SECONDS", 60.0)
    batches, table = Batches(), uuid4()
    for version in range(1, 13):
        batches.append(table, version)
        await batches.told()
    await batches.writer.close()
    assert batches.sizes == [1] * 12


async def test_closing_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(writer, "LATELY_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_turns(1, 8)
    await batches.told()
    batches.append()
    for _ in range(5):
        await asyncio.sleep(0)
    await batches.writer.close()
    assert batches.sizes == [8, 1]


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
