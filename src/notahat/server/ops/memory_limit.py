"""The memory in use and its limit: the operating system ends a process over its limit without a word."""

import logging
import os
from contextlib import suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
MIN_LIMIT = 128 * 1024 * 1024
UNLIMITED = 1 << 50  # control groups of the first version have a huge number instead of none
MB = 1024 * 1024

log = logging.getLogger("notahat")


def memory_limit(groups: str, folder: Path = GROUPS) -> int | None:
    """Return the smallest limit of this process' control groups in bytes. `groups` is /proc/self/cgroup."""
    limits = []
    for line in groups.splitlines():
        _, kinds, path = (line.split(":", 2) + ["", ""])[:3]
        if kinds in ("", "memory"):
            name = "memory.limit_in_bytes" if kinds else "memory.max"
            limits += [_number(group / name) for group in _group_and_above(folder / kinds, path)]
    return min((limit for limit in limits if limit is not None and limit < UNLIMITED), default=None)


def _group_and_above(top: Path, path: str) -> list[Path]:
    parts = [part for part in path.split("/") if part]
    return [top.joinpath(*parts[:count]) for count in range(len(parts) + 1)]


def _number(file: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int(file.read_text())
    return None


def resident_bytes() -> int:
    """Return the memory in use by this process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def log_low_limit(limit: int | None) -> None:
    if limit is not None and limit < MIN_LIMIT:
        log.warning("the memory limit is low", extra={"limit_mb": limit // MB, "least_mb": MIN_LIMIT // MB})
