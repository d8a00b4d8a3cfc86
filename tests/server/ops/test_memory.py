"""The memory watch: a line in the log before the operating system ends the process."""

from pathlib import Path

import pytest

from notahat.server.ops import memory
from notahat.server.ops.memory import MemoryWatch, memory_limit

MB = 1024 * 1024


def test_memory_near_its_limit_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    watch = MemoryWatch(limit=100 * MB)
    for resident in (50, 84, 86, 99, 90):
        watch.observe(resident * MB)
    assert [record.message for record in caplog.records] == ["memory is nearly used up"]
    assert caplog.records[0].__dict__["resident_mb"] == 86
    assert caplog.records[0].__dict__["limit_mb"] == 100
    watch.observe(60 * MB)
    watch.observe(90 * MB)
    assert len(caplog.records) == 2, "it is logged again after it was low"


def test_low_limit_is_logged_at_start(caplog: pytest.LogCaptureFixture) -> None:
    MemoryWatch(limit=None).log_low_limit()
    MemoryWatch(limit=memory.MIN_LIMIT).log_low_limit()
    assert not caplog.records
    MemoryWatch(limit=memory.MIN_LIMIT - 1).log_low_limit()
    assert [record.message for record in caplog.records] == ["the memory limit is low"]


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
    assert memory_limit(groups, tmp_path) == limit
