"""Batching in the writing thread."""

import asyncio
import threading
from uuid import uuid4

import pytest

from notahat.store import Commit, Unavailable, writer
from notahat.store.writer import Job, PendingAppend, Writer, write_together
from support.timeouts import TIMEOUT, until

pytestmark = pytest.mark.anyio


class Batches:
    """A writer that writes nothing, records the sizes of its batches, and can be held up."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.disk = threading.Event()
        self.disk.set()
        self.answered_in: list[int] = []  # the iterations of the loop
        self.writer = Writer(self._write_batch)
        self._iteration = 0
        self._count_iterations()

    def _count_iterations(self) -> None:
        self._iteration += 1
        self._next = asyncio.get_running_loop().call_soon(self._count_iterations)

    def _write_batch(self, jobs: list[Job]) -> None:
        self.sizes.append(len(jobs))
        self.disk.wait(TIMEOUT)
        for job in jobs:
            assert isinstance(job, PendingAppend)
            job.result = job.commit

    def append(self, number: int = 1) -> None:
        for _ in range(number):
            commit = Commit(uuid4(), 1, "k", b"event")
            self.writer.append(commit, lambda _: self.answered_in.append(self._iteration))

    async def begun(self, batches: int) -> None:
        await until(lambda: len(self.sizes) >= batches)

    async def close(self) -> None:
        await self.writer.close()
        self._next.cancel()


async def test_jobs_of_one_iteration_are_one_batch() -> None:
    batches = Batches()
    batches.append(7)
    await batches.close()
    assert batches.sizes == [7]
    assert (len(batches.answered_in), len(set(batches.answered_in))) == (7, 1), "all callbacks run in one iteration"


async def test_jobs_put_during_a_commit_are_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WAIT_SECONDS", 0.0)
    batches = Batches()
    batches.disk.clear()
    batches.append()
    await batches.begun(1)
    for _ in range(5):
        batches.append()
        await asyncio.sleep(0)
    batches.disk.set()
    await batches.close()
    assert batches.sizes == [1, 5]


async def test_a_job_after_a_commit_waits_for_company_or_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WAIT_SECONDS", 3600.0)
    batches = Batches()
    for begun in (1, 2):  # the first does not wait; the next one does, until there is a second
        batches.append(begun)
        await batches.begun(begun)
        await batches.writer._idle.wait()
    batches.append()
    for _ in range(5):
        await asyncio.sleep(0)
    assert batches.sizes == [1, 2]
    assert isinstance(batches.writer._start, asyncio.TimerHandle)
    batches.writer._start.cancel()
    batches.writer._start_batch()
    await batches.close()
    assert batches.sizes == [1, 2, 1]


async def test_stuck_write_is_noticed() -> None:
    batches = Batches()
    assert batches.writer.busy_seconds == 0
    batches.disk.clear()
    batches.append()
    await batches.begun(1)
    await until(lambda: batches.writer.busy_seconds > 0.02)
    stuck = batches.writer.busy_seconds
    batches.append()
    assert batches.writer.busy_seconds >= stuck, "what waits behind it does not hide it"
    batches.disk.set()
    await batches.close()
    assert batches.writer.busy_seconds == 0


def test_outage_ends_a_batch_that_is_written_one_by_one() -> None:
    """Else each of its jobs would wait as long as the outage may last."""
    jobs: list[Job] = [PendingAppend(Commit(uuid4(), 1, "k", b"event"), print) for _ in range(5)]
    tried: list[int] = []

    def write(batch: list[Job]) -> None:
        tried.append(len(batch))
        raise (ValueError if len(batch) > 1 else ConnectionError)

    write_together(jobs, write, lambda error: isinstance(error, ConnectionError), ConnectionError)
    assert tried == [5, 1]
    assert {type(job.result) for job in jobs} == {Unavailable}
