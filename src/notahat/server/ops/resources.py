"""One line in the log before memory, file descriptors or disk space run out, and one when they have."""

import asyncio
import errno
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from notahat.server.ops.logs import RareWarning
from notahat.server.ops.memory_limit import MB, log_low_limit, memory_limit, resident_bytes
from notahat.server.settings import Settings
from notahat.store import POSTGRES_SCHEMES
from notahat.store.sqlite_file import MEMORY, sqlite_path

CHECK_SECONDS = 1.0
SLOW_CHECKS = 10  # counting open files and asking the file system take longer: only every tenth time
HIGH, LOW = 0.85, 0.7  # shares of a limit: warn above the first; below the second the next warning is allowed
SCARCE_DISK, ENOUGH_DISK = 100 * MB, 200 * MB

log = logging.getLogger("notahat")


class ScarcityWarning:
    """A warning that is logged once when something becomes scarce, and again only after there was enough."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._logged = False

    def observe(self, scarce: bool, enough: bool, **details: int) -> None:
        if scarce and not self._logged:
            self._logged = True
            log.warning(self._message, extra=details)
        elif enough:
            self._logged = False

    def observe_share(self, used: int, limit: int, **details: int) -> None:
        self.observe(used > HIGH * limit, used < LOW * limit, **details)


class ResourceWatch:
    """Compares what the process uses with its limits; a limit of None is not watched."""

    def __init__(self, memory: int | None, files: int | None, folder: Path | None) -> None:
        self._memory_limit, self._files_limit, self._folder = memory, files, folder
        self._memory = ScarcityWarning("memory is nearly used up")
        self._files = ScarcityWarning("file descriptors are nearly used up")
        self._disk = ScarcityWarning("the disk is nearly full")

    def observe_memory(self, resident: int) -> None:
        if (limit := self._memory_limit) is not None:
            self._memory.observe_share(resident, limit, resident_mb=resident // MB, limit_mb=limit // MB)

    def observe_files(self, used: int) -> None:
        if (limit := self._files_limit) is not None:
            self._files.observe_share(used, limit, open_files=used, most=limit)

    def observe_disk(self, free: int) -> None:
        self._disk.observe(free < SCARCE_DISK, free > ENOUGH_DISK, free_mb=free // MB)

    def check_slowly(self) -> None:
        """Check what takes longer to ask for."""
        with suppress(OSError):
            self.observe_files(sum(1 for _ in Path("/proc/self/fd").iterdir()))
        if self._folder is not None:
            with suppress(OSError):
                self.observe_disk(_free_bytes(self._folder))


async def watch_resources(settings: Settings) -> None:
    """Watch until cancelled."""
    asyncio.get_running_loop().set_exception_handler(handle_loop_error)
    limit = None
    with suppress(OSError):
        limit = memory_limit(Path("/proc/self/cgroup").read_text())
    log_low_limit(limit)
    watch, checks = ResourceWatch(limit, _files_limit(), _store_folder(settings)), 0
    while True:
        watch.observe_memory(resident_bytes())
        if checks % SLOW_CHECKS == 0:
            watch.check_slowly()
        checks += 1
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


def _files_limit() -> int | None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def _store_folder(settings: Settings) -> Path | None:
    """Return the folder of the SQLite file; None if the store is in memory or in a database server."""
    if settings.store_url.startswith(POSTGRES_SCHEMES):
        return None
    path = sqlite_path(settings.store_url)
    return None if path == MEMORY else Path(path).parent


def _free_bytes(folder: Path) -> int:
    free = os.statvfs(folder)
    return free.f_bavail * free.f_frsize
