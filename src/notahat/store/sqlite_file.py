"""The file of a SQLite store: its URL, connections, schema, and checks that it is still there.

A process that has a file open can go on writing to it after it was deleted, replaced or cut. What is acknowledged then
is lost at the next start, so the writer asks `FileWatch` before every batch.
"""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import UUID

from notahat.store.migration import missing
from notahat.store.sqlite_backup import keep_copy
from notahat.store.store import Unavailable

MEMORY = ":memory:"
OWNER_ONLY = 0o600
GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO
BUSY_SECONDS = 10.0  # how long another process may be writing
MIN_FREE_BYTES = 16 * 1024 * 1024  # the write-ahead log and the file must be able to grow
PROBES = ("SELECT version FROM log LIMIT 1", "SELECT id FROM tables LIMIT 1")


sqlite3.register_adapter(UUID, lambda id_: id_.bytes)


def sqlite_path(url: str) -> str:
    """Return the file of a `sqlite://` URL, or `MEMORY`."""
    return url.removeprefix("sqlite://").removeprefix("/")


def open_file(path: str) -> sqlite3.Connection:
    """Open or create a file for its owner only, with the newest schema."""
    if path != MEMORY:
        make_private(Path(path))
    connection = connect(path)
    with close_on_error(connection):
        migrate(connection, path)
        enable_shrinking(connection)
    return connection


def make_private(path: Path) -> None:
    """Create folder and file for their owner only, and remove the access of others from an existing file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError):  # opening the file reports the problem
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    with suppress(OSError):
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~GROUP_AND_OTHERS)


def connect(path: str) -> sqlite3.Connection:
    """Open a connection in autocommit mode whose commits wait for the disk."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    with close_on_error(connection):
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for new files; see enable_shrinking
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")  # statement journals need no file
    return connection


@contextmanager
def close_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close a connection whose set-up fails; Python 3.13 warns about connections that are only garbage collected."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def migrate(db: sqlite3.Connection, path: str = MEMORY) -> None:
    """Apply the missing schema steps, all or none. A copy of the older file is kept beside it."""
    with db:
        db.execute("BEGIN IMMEDIATE")  # a process that starts at the same time waits here
        (reached,) = db.execute("PRAGMA user_version").fetchone()
        steps = missing("sqlite", reached)
        if steps and reached and path != MEMORY:
            keep_copy(Path(path), reached)
        for step in steps:
            for statement in step.statements:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {step.number:d}")


def enable_shrinking(db: sqlite3.Connection) -> None:
    """Rewrite a file of an older release once, so that it can shrink. If that fails now, the next start tries again."""
    (kind,) = db.execute("PRAGMA auto_vacuum").fetchone()
    if not kind:
        with suppress(sqlite3.Error):
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute("VACUUM")


class FileWatch:
    """Identity and size of a store's files since it was opened. It never opens them: closing would drop their locks."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self._path = path
        self._wal = path + "-wal"
        self._db = db
        file, wal = os.stat(self._path), os.stat(self._wal)
        self._inode, self._wal_inode = (file.st_dev, file.st_ino), (wal.st_dev, wal.st_ino)
        self._size, self._wal_size = file.st_size, wal.st_size
        self._suspect = False  # a read of the file failed

    def check(self) -> None:
        """Raise `Unavailable` if written data would be lost. The writer's thread calls this before each batch."""
        file, wal = self._stat()
        if file.st_size < self._size:
            self._check_shrunk(file.st_size)
        if wal.st_size < self._wal_size and not (wal.st_size == 0 and self._is_wal_empty()):
            raise Unavailable(f"the file {_name(self._wal)} was cut")
        self._size, self._wal_size = file.st_size, wal.st_size
        if self._suspect:
            self._read()

    def check_health(self) -> None:
        """Raise `Unavailable` if a file is gone or unreadable, or the disk nearly full. Call this in a thread."""
        self._stat()
        free = shutil.disk_usage(Path(self._path).parent).free
        if free < MIN_FREE_BYTES:
            raise Unavailable(f"the disk is full: {free // 1024} kB are left")
        self._read()

    def _read(self) -> None:
        """Read with a new connection, because the page cache of an open one hides damage. Raise `Unavailable`."""
        uri = f"{Path(self._path).absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=1.0)) as fresh:
                for query in PROBES:
                    fresh.execute(query).fetchall()
        except sqlite3.Error as error:
            self._suspect = getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_BUSY
            raise Unavailable(str(error)) from error
        self._suspect = False

    def _stat(self) -> tuple[os.stat_result, os.stat_result]:
        try:
            file, wal = os.stat(self._path), os.stat(self._wal)
        except OSError as error:
            raise Unavailable(f"the file {_name(error.filename)} was deleted or replaced") from None
        if (file.st_dev, file.st_ino) != self._inode:
            raise Unavailable(f"the file {_name(self._path)} was deleted or replaced")
        if (wal.st_dev, wal.st_ino) != self._wal_inode:
            raise Unavailable(f"the file {_name(self._wal)} was deleted or replaced")
        return file, wal

    def _is_wal_empty(self) -> bool:
        """Return whether SQLite itself emptied the write-ahead log: only on command, otherwise it is never shortened.

        If it was emptied in another way, no frame can be read, so this changes nothing.
        """
        try:
            _, frames, _ = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error:
            return False
        return bool(frames == 0)

    def _check_shrunk(self, size: int) -> None:
        """Raise `Unavailable` if the file lacks pages. A cleanup returns free pages, and then it lacks none."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
        if size < pages * page_size:
            raise Unavailable(f"the file {_name(self._path)} was cut")


def _name(path: str) -> str:
    return os.path.basename(path)
