"""One line in the log before and when memory, file descriptors or disk space run out."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from notahat.server.ops import resources
from notahat.server.ops.doctor import check_resources
from notahat.server.ops.logs import RareWarning, StoreWarning
from notahat.server.ops.resources import (
    MIN_MEMORY_LIMIT,
    Level,
    ScarcityLog,
    disk_level,
    files_level,
    handle_loop_error,
    limit_level,
    memory_level,
    memory_limit,
)
from notahat.server.ops.store_check import problem
from notahat.server.settings import Settings
from notahat.store import Unavailable

MB = 1024 * 1024


@pytest.mark.parametrize(
    ("message", "level", "values"),
    [
        (
            "memory is nearly used up",
            lambda used: memory_level(used, 100 * MB),
            (50 * MB, 84 * MB, 86 * MB, 99 * MB, 90 * MB),
        ),
        ("file descriptors are nearly used up", lambda used: files_level(used, 100), (10, 84, 86, 99, 90)),
        ("the disk is nearly full", disk_level, (900 * MB, 150 * MB, 99 * MB, 0, 120 * MB)),
    ],
)
def test_scarcity_is_logged_once(
    caplog: pytest.LogCaptureFixture, message: str, level: Callable[[int], Level], values: tuple[int, ...]
) -> None:
    scarcity = ScarcityLog()
    for value in values:
        scarcity.observe(level(value))
    assert [record.message for record in caplog.records] == [message]
    scarcity.observe(level(values[0]))
    scarcity.observe(level(values[2]))
    assert len(caplog.records) == 2, "it is logged again after there was enough"


def test_low_memory_limit_is_logged_and_a_finding(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarcity = ScarcityLog()
    scarcity.observe(limit_level(MIN_MEMORY_LIMIT))
    assert not caplog.records
    scarcity.observe(limit_level(MIN_MEMORY_LIMIT - 1))
    assert [record.message for record in caplog.records] == ["the memory limit is low"]
    monkeypatch.setattr(resources, "memory_limit", lambda: MIN_MEMORY_LIMIT - MB)
    assert problem("The memory limit is low: limit_mb 127, least_mb 128.") in check_resources(Settings())


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


@pytest.mark.parametrize(
    ("groups", "files", "limit"),
    [
        ("0::/system.slice/notahat.service\n", {"system.slice/notahat.service/memory.max": "536870912\n"}, 512 * MB),
        ("0::/a/b\n", {"a/memory.max": "1048576\n", "a/b/memory.max": "max\n"}, MB),  # of the group above
        ("0::/a/b\n", {"a/memory.max": "2097152\n", "a/b/memory.max": "1048576\n"}, MB),
        ("0::/\n", {"memory.max": "max\n"}, None),
        ("0::/\n", {}, None),
        ("7:memory:/hats\n", {"memory/hats/memory.limit_in_bytes": "1048576\n"}, MB),
        ("7:memory:/\n", {"memory/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ("nonsense\n", {}, None),
    ],
)
def test_limit_of_the_control_group_is_found(
    tmp_path: Path, groups: str, files: dict[str, str], limit: int | None
) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    own = tmp_path / "own"
    own.write_text(groups)
    assert memory_limit(own, tmp_path) == limit
