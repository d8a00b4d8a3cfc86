"""Memory, file descriptors and disk space: one line in the log before they run out, and one when they have."""

import asyncio
import errno
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from notahat.server.ops.logs import RareWarning
from notahat.server.settings import Settings

CHECK_SECONDS = 5.0
HIGH, LOW = 0.85, 0.7  # shares of a limit
MB = 1024 * 1024
SCARCE_DISK, ENOUGH_DISK = 100 * MB, 200 * MB
MIN_MEMORY_LIMIT = 128 * MB
UNLIMITED = 1 << 50  # control groups of the first version have a huge number instead of none
RESERVED_FILES = 64  # for files, the store and listening sockets
MAX_FILES = 100_000
OWN_GROUPS = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")

log = logging.getLogger("notahat")


class Level(Struct, frozen=True):
    """`message` is logged when something is `scarce`, and again only after there was `enough`."""

    message: str
    scarce: bool
    enough: bool
    details: dict[str, int]


def limit_level(limit: int) -> Level:
    details = {"limit_mb": limit // MB, "least_mb": MIN_MEMORY_LIMIT // MB}
    return Level("the memory limit is low", limit < MIN_MEMORY_LIMIT, False, details)


def memory_level(resident: int, limit: int) -> Level:
    details = {"resident_mb": resident // MB, "limit_mb": limit // MB}
    return Level("memory is nearly used up", resident > HIGH * limit, resident < LOW * limit, details)


def files_level(used: int, limit: int) -> Level:
    details = {"open_files": used, "most": limit}
    return Level("file descriptors are nearly used up", used > HIGH * limit, used < LOW * limit, details)


def disk_level(free: int) -> Level:
    return Level("the disk is nearly full", free < SCARCE_DISK, free > ENOUGH_DISK, {"free_mb": free // MB})


class ScarcityLog:
    """Logs each message once when its resource becomes scarce, and again only after there was enough."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def observe(self, level: Level) -> None:
        if level.scarce and level.message not in self._logged:
            self._logged.add(level.message)
            log.warning(level.message, extra=level.details)
        elif level.enough:
            self._logged.discard(level.message)


def levels(settings: Settings) -> Iterator[Level]:
    """Yield all resources that have a limit. A server looks at them from its start on, `notahat doctor` once."""
    memory, files, file = memory_limit(), files_limit(), settings.sqlite_file
    if memory is not None:
        yield limit_level(memory)
        yield memory_level(resident_bytes(), memory)
    with suppress(OSError):
        if files is not None:
            yield files_level(open_files(), files)
    with suppress(OSError):
        if file is not None:
            yield disk_level(shutil.disk_usage(next(one for one in file.absolute().parents if one.exists())).free)


async def watch_resources(settings: Settings) -> None:
    """Log what becomes scarce until cancelled."""
    asyncio.get_running_loop().set_exception_handler(handle_loop_error)
    scarcity = ScarcityLog()
    while True:
        for level in await asyncio.to_thread(list, levels(settings)):  # thousands of open files take milliseconds
            scarcity.observe(level)
        await asyncio.sleep(CHECK_SECONDS)


_out_of_files = RareWarning("no file descriptors are left: new connections wait (raise the limit on open files)")
_out_of_memory = RareWarning("no memory is left")


def handle_loop_error(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log one line a minute for a resource that has run out, and everything else as before."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        _out_of_files.log("", error=str(error))
    elif isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        _out_of_memory.log("", error=repr(error))
    else:
        loop.default_exception_handler(dict(context))


def memory_limit(groups: Path = OWN_GROUPS, top: Path = GROUPS) -> int | None:
    """Return the smallest memory limit of a process' control groups in bytes; None without one."""
    limits: list[int] = []
    with suppress(OSError):
        for line in groups.read_text().splitlines():
            _, kinds, path = (line.split(":", 2) + ["", ""])[:3]
            if kinds in ("", "memory"):
                name = "memory.limit_in_bytes" if kinds else "memory.max"
                group = top / kinds / path.strip("/")
                limits += [_number(above / name) for above in (group, *group.parents)]
    limit = min(limits, default=UNLIMITED)
    return limit if limit < UNLIMITED else None


def _number(file: Path) -> int:
    with suppress(OSError, ValueError):
        return int(file.read_text())
    return UNLIMITED


def resident_bytes() -> int:
    """Return the memory in use by this process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def open_files() -> int:
    """Return how many files and sockets this process has open; raise `OSError` where the system does not say."""
    return len(os.listdir("/proc/self/fd"))


def files_limit() -> int | None:
    """Raise the limit on open files as far as the system allows, and return it; None without one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError):  # some systems report a hard limit that they do not grant
            pass
    return None if soft == resource.RLIM_INFINITY else soft


def connection_limit() -> int:
    """Return how many connections fit into the limit on open files."""
    files = min(files_limit() or MAX_FILES, MAX_FILES)
    return max(RESERVED_FILES, files - RESERVED_FILES)
