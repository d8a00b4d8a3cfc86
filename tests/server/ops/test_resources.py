"""One line in the log before and when memory, file descriptors or disk space run out."""

import asyncio
import errno
from collections.abc import Callable

import pytest

from notahat.server.ops import resources
from notahat.server.ops.logs import RareWarning, StoreWarning
from notahat.server.ops.resources import ResourceWatch, handle_loop_error
from notahat.store import Unavailable

MB = 1024 * 1024


@pytest.mark.parametrize(
    ("message", "observe", "values"),
    [
        ("memory is nearly used up", ResourceWatch.observe_memory, (50 * MB, 84 * MB, 86 * MB, 99 * MB, 90 * MB)),
        ("file descriptors are nearly used up", ResourceWatch.observe_files, (10, 84, 86, 99, 90)),
        ("the disk is nearly full", ResourceWatch.observe_disk, (900 * MB, 150 * MB, 99 * MB, 0, 120 * MB)),
    ],
)
def test_scarcity_is_logged_once(
    caplog: pytest.LogCaptureFixture,
    message: str,
    observe: Callable[[ResourceWatch, int], None],
    values: tuple[int, ...],
) -> None:
    watch = ResourceWatch(memory=100 * MB, files=100, folder=None)
    for value in values:
        observe(watch, value)
    assert [record.message for record in caplog.records] == [message]
    observe(watch, values[0])
    observe(watch, values[2])
    assert len(caplog.records) == 2, "it is logged again after there was enough"


def test_what_ran_out_is_one_line(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_out_of_files", RareWarning("no file descriptors are left"))
    loop, store_warning = asyncio.new_event_loop(), StoreWarning()
    try:
        for _ in range(50):
            handle_loop_error(loop, {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")})
            store_warning.log(Unavailable("database or disk is full"))
        files, disk = (record.message for record in caplog.records)
        assert (files, disk) == ("no file descriptors are left", "the disk is full: tables cannot be written")
        handle_loop_error(loop, {"message": "another fault", "exception": RuntimeError()})
        assert caplog.records[-1].message.startswith("another fault"), "a bug keeps its trace"
    finally:
        loop.close()
