"""The limit of memory, as the control groups of the operating system state it."""

from pathlib import Path

import pytest

from notahat.server.ops.memory_limit import MIN_LIMIT, log_low_limit, memory_limit

MB = 1024 * 1024


def test_low_limit_is_logged_at_start(caplog: pytest.LogCaptureFixture) -> None:
    log_low_limit(None)
    log_low_limit(MIN_LIMIT)
    assert not caplog.records
    log_low_limit(MIN_LIMIT - 1)
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
