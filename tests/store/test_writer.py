"""Batching in the writing thread."""

import asyncio
from uuid import UUID, uuid4

import pytest

from notahat.store import Commit, writer
from notahat.store.writer import Job, PendingAppend, Writer
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio


class Batches:
    """A writer that writes nothing and records the sizes of its batches."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.writer = Writer(self._write_batch)
        self._unanswered = 0
        self._all_done = asyncio.Event()

    def _write_batch(self, jobs: list[Job]) -> None:
        self.sizes.append(len(jobs))
        for job in jobs:
            assert isinstance(job, PendingAppend)
            job.result = job.commit

    def append(self, table: UUID | None = None, version: int = 1) -> None:
        self._unanswered += 1
        self._all_done.clear()
        self.writer.append(Commit(table or uuid4(), version, "k", b"event"), self._done)

    def _done(self, _: object) -> None:
        self._unanswered -= 1
        if not self._unanswered:
            self._all_done.set()

    async def wait(self) -> None:
        await asyncio.wait_for(self._all_done.wait(), TIMEOUT)

    def append_in_iterations(self, iterations: int, each: int) -> None:
        """Append `each` jobs in this iteration of the loop and in each of the next ones."""
        for _ in range(each):
            self.append()
        if iterations > 1:
            asyncio.get_running_loop().call_soon(self.append_in_iterations, iterations - 1, each)


async def test_jobs_of_one_iteration_are_one_batch() -> None:
    batches = Batches()
    batches.append_in_iterations(1, 7)
    await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [7]


async def test_growing_batch_waits_for_next_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "GATHER_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_iterations(5, 2)
    await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [10]


async def test_gathering_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "GATHER_SECONDS", 0.0)
    monkeypatch.setattr(writer, "LINGER_SECONDS", 0.0)
    batches = Batches()
    batches.append_in_iterations(5, 2)
    await batches.wait()
    await batches.writer.close()
    assert len(batches.sizes) > 1
    assert sum(batches.sizes) == 10


async def test_single_append_is_not_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LINGER_SECONDS", 60.0)
    batches = Batches()
    for _ in range(3):
        batches.append()
        await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [1, 1, 1]


async def test_many_busy_tables_are_batched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LINGER_SECONDS", 60.0)
    monkeypatch.setattr(writer, "BUSY_WINDOW_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_iterations(1, 8)
    await batches.wait()
    for _ in range(6):
        batches.append()
        for _ in range(5):
            await asyncio.sleep(0)  # other iterations of the loop
    await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [8, 6]


async def test_lingering_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BUSY_WINDOW_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_iterations(1, 8)
    await batches.wait()
    batches.append()
    await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [8, 1]


async def test_single_busy_table_is_not_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LINGER_SECONDS", 60.0)
    monkeypatch.setattr(writer, "BUSY_WINDOW_SECONDS", 60.0)
    batches, table = Batches(), uuid4()
    for version in range(1, 13):
        batches.append(table, version)
        await batches.wait()
    await batches.writer.close()
    assert batches.sizes == [1] * 12


async def test_closing_does_not_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LINGER_SECONDS", 60.0)
    monkeypatch.setattr(writer, "BUSY_WINDOW_SECONDS", 60.0)
    batches = Batches()
    batches.append_in_iterations(1, 8)
    await batches.wait()
    batches.append()
    for _ in range(5):
        await asyncio.sleep(0)
    await batches.writer.close()
    assert batches.sizes == [8, 1]


async def test_callbacks_of_a_batch_run_in_one_iteration() -> None:
    batches, iteration, called_in = Batches(), [0], list[int]()

    def count_iteration() -> None:
        iteration[0] += 1
        if not batches.sizes or len(called_in) < 5:
            asyncio.get_running_loop().call_soon(count_iteration)

    for _ in range(5):
        batches.writer.append(Commit(uuid4(), 1, "k", b"event"), lambda _: called_in.append(iteration[0]))
    count_iteration()
    await batches.writer.close()
    assert len(called_in) == 5
    assert len(set(called_in)) == 1
