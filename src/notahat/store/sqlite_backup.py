"""Copies of a SQLite store, by SQLite's own backup: made while people play, put back while nobody does."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from notahat.store.migration import missing
from notahat.store.store import TooNew

FOR_ITS_OWNER = 0o600
BESIDE = ("-wal", "-shm")  # what SQLite keeps beside a file
NOT_A_STORE = "is no store of Not a Hat"


class NoCopy(Exception):  # noqa: N818 - an answer
    """It cannot be done, and why; nothing was changed."""


class Copied(Struct, frozen=True):
    """What a copy holds, and where what was there before lies now."""

    tables: int
    guests: int
    bytes: int
    aside: Path | None = None


def back_up(path: Path, to: Path) -> Copied:
    """Copy a store to a new file, whether somebody uses it or not, or was killed while doing so."""
    if to.exists():
        raise NoCopy(f"{to} is there already, and a backup never takes the place of another: name a new file")
    if not to.parent.is_dir():
        raise NoCopy(f"there is no folder {to.parent}")
    part = to.with_name(to.name + ".part")
    try:
        copied = _copy(path, part)
        part.rename(to)
    finally:
        part.unlink(missing_ok=True)
    _settle(to.parent)
    return copied


def restore(copy: Path, path: Path) -> Copied:
    """Put a copy in the place of a store that nobody uses. What was there is moved aside, never deleted."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise NoCopy(f"cannot make the folder {path.parent}: {problem.strerror}") from None
    part = path.with_name(path.name + ".part")
    try:
        copied = _copy(copy, part)
        aside = _move_aside(path) if path.exists() else None
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    _settle(path.parent)
    return Copied(copied.tables, copied.guests, copied.bytes, aside)


def _copy(source: Path, part: Path) -> Copied:
    """One step of SQLite's backup, which sees one moment of a store that is being written."""
    if not source.is_file():
        raise NoCopy(f"there is no file {source}")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FOR_ITS_OWNER))
        with closing(_opened(source)) as original, closing(sqlite3.connect(part, isolation_level=None)) as copy:
            _recognise(original, source)
            original.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, that can be carried anywhere
            return _inspect(copy, source, part)
    except OSError as problem:
        raise NoCopy(f"cannot write {part}: {problem.strerror}") from None
    except sqlite3.Error as problem:
        raise NoCopy(f"cannot copy {source}: {problem}") from None


def _opened(path: Path) -> sqlite3.Connection:
    """Only to read. What a killed process left in the write-ahead log counts."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _recognise(db: sqlite3.Connection, path: Path) -> None:
    try:
        (reached,) = db.execute("PRAGMA user_version").fetchone()
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except sqlite3.DatabaseError as problem:
        if getattr(problem, "sqlite_errorcode", 0) not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise
        raise NoCopy(f"{path} {NOT_A_STORE}: {problem}") from None
    if not {"tables", "aliases", "snapshots"} <= names or not names & {"log", "commits"}:
        raise NoCopy(f"{path} {NOT_A_STORE}")
    try:
        missing("sqlite", reached)
    except TooNew as problem:
        raise NoCopy(f"{path}: {problem}") from None


def _inspect(copy: sqlite3.Connection, source: Path, part: Path) -> Copied:
    ((found, *_), *_) = copy.execute("PRAGMA integrity_check(1)").fetchall()
    if found != "ok":
        raise NoCopy(f"{source} is damaged: {' '.join(str(found).split())}")
    (tables,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    (guests,) = copy.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'guests' AND type = 'table'").fetchone()
    if guests:
        (guests,) = copy.execute("SELECT count(*) FROM guests").fetchone()
    return Copied(tables, guests, part.stat().st_size)


def _move_aside(path: Path) -> Path:
    """The old file, and what lies beside it: a write-ahead log must never meet another file."""
    _make_sure_nobody_uses(path)
    aside = _unused(path.with_name(f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"))
    for ending in BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    return path.rename(aside)


def _unused(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _make_sure_nobody_uses(path: Path) -> None:
    """Only who is alone may end the write-ahead log. A file that is damaged has no such rules."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as problem:
        if getattr(problem, "sqlite_errorcode", 0) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            told = f"a server is using {path}: stop it first, so that nobody plays on in what is put aside"
            raise NoCopy(told) from None
    except sqlite3.DatabaseError:
        return


def _settle(folder: Path) -> None:
    """A name is safe when its folder is on the disk."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
