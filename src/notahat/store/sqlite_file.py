"""The file of a SQLite store: URL, connections, schema; and what notices that it was deleted, cut or damaged."""

import logging
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from os.path import basename
from pathlib import Path
from uuid import UUID

from notahat.store.sql_store import missing
from notahat.store.sqlite_backup import LOST, NOTE, OWNER_ONLY, keep_copy
from notahat.store.store import Commit, Unavailable

MEMORY = ":memory:"
GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO
BUSY_SECONDS = 10.0  # how long another process may be writing
WAL_HEADER, FRAME_HEADER = 32, 24  # bytes
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
        connection.execute("PRAGMA cache_size = -8000")  # kB: the newest page of the log of a thousand tables
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
        if wal.st_size < self._wal_size and self._lacks_frames(wal.st_size):
            raise Unavailable(f"the file {basename(self._wal)} was cut")
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
            raise Unavailable(f"the file {basename(error.filename)} was deleted or replaced") from None
        if (file.st_dev, file.st_ino) != self._inode:
            raise Unavailable(f"the file {basename(self._path)} was deleted or replaced")
        if (wal.st_dev, wal.st_ino) != self._wal_inode:
            raise Unavailable(f"the file {basename(self._wal)} was deleted or replaced")
        return file, wal

    def _lacks_frames(self, size: int) -> bool:
        """Return whether the write-ahead log has fewer frames than SQLite knows of, which itself may empty it."""
        with suppress(sqlite3.Error):
            _, frames, _ = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
            return bool(frames < 0 or (frames and size < WAL_HEADER + frames * (FRAME_HEADER + page_size)))
        return True

    def _check_shrunk(self, size: int) -> None:
        """Raise `Unavailable` if the file lacks pages. A cleanup returns free pages, and then it lacks none."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
        if size < pages * page_size:
            raise Unavailable(f"the file {basename(self._path)} was cut")


HEX_DIGITS = 32

log = logging.getLogger("notahat")


class CommitNote:
    """The note of one open store."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        """Open the note. If the database lacks what it names, say so now and at every start until that is read."""
        self._path = path
        lost = Path(path + LOST)
        if missing := missing_commit(path, db):
            with os.fdopen(os.open(lost, os.O_CREAT | os.O_APPEND | os.O_WRONLY, OWNER_ONLY), "a") as file:
                file.write(f"{time.strftime('%Y-%m-%d %H:%M')}: {missing}\n")
        self._file = os.open(path + NOTE, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        if missing:
            os.ftruncate(self._file, 0)
        if lost.exists():
            log.warning("acknowledged moves are missing", extra={"see": str(lost)})

    def write(self, commit: Commit) -> None:
        with suppress(OSError):  # the commit counts, not its note
            os.pwrite(self._file, b"%b %020d" % (commit.table.hex.encode(), commit.version), 0)

    def table_deleted(self, table: bytes) -> None:
        with suppress(OSError):
            if os.pread(self._file, HEX_DIGITS, 0) == table.hex().encode():
                os.ftruncate(self._file, 0)

    def close(self) -> None:
        """Remove the note with the write-ahead file: the last connection has written everything to the database."""
        os.close(self._file)
        if not os.path.exists(f"{self._path}-wal"):
            Path(self._path + NOTE).unlink(missing_ok=True)


def missing_commit(path: str, db: sqlite3.Connection) -> str:
    """Return what the note names and the database lacks; nothing if all is there."""
    try:
        table, _, version = Path(path + NOTE).read_text("ascii").partition(" ")
        id_, expected = UUID(table), int(version)
    except (OSError, ValueError):
        return ""
    ((found,),) = db.execute("SELECT COALESCE(max(version), 0) FROM log WHERE table_id = ?", (id_.bytes,)).fetchall()
    if found >= expected:
        return ""
    return f"the table {id_} had {expected} entries and now has {found}; others may lack entries, too"
