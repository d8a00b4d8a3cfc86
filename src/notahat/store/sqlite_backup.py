"""Backup and restore of a SQLite store with SQLite's backup API: back up any time, restore without a server."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct, structs

from notahat.store.migration import missing
from notahat.store.sqlite_schema import changed_objects, damaged_tables, drop_foreign_objects
from notahat.store.store import SchemaTooNew

OWNER_ONLY = 0o600
SIDE_FILES = ("-wal", "-shm")
NOT_A_STORE = "is no store of Not a Hat"


class BackupError(Exception):
    """A backup or restore is not possible. Nothing was changed."""


class BackupResult(Struct, frozen=True):
    """What a copy holds, and where a restore moved the previous file."""

    tables: int
    guests: int
    bytes: int
    aside: Path | None = None
    damaged: int = 0  # tables whose log cannot be read
    left_out: tuple[str, ...] = ()  # what is not part of the store's schema


def back_up(path: Path, to: Path) -> BackupResult:
    """Copy a store to a new file. The store may be in use, or left behind by a killed process."""
    if to.exists():
        raise BackupError(f"{to} exists already, and a backup never overwrites a file: name a new one")
    if not to.parent.is_dir():
        raise BackupError(f"there is no folder {to.parent}")
    part = to.with_name(to.name + ".part")
    try:
        copied = _copy(path, part)
        part.rename(to)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(to.parent)
    return copied


def restore(copy: Path, path: Path) -> BackupResult:
    """Replace a store that is not in use by a copy. The previous file is moved aside, never deleted."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise BackupError(f"cannot make the folder {path.parent}: {problem.strerror}") from None
    part = path.with_name(path.name + ".part")
    try:
        copied = _copy(copy, part)
        aside = _move_aside(path) if path.exists() else None
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return structs.replace(copied, aside=aside)


def _copy(source: Path, part: Path) -> BackupResult:
    """Copy everything in one step, which sees one consistent state of a store in use."""
    if not source.is_file():
        raise BackupError(f"there is no file {source}")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        with (
            closing(_open_for_reading(source)) as original,
            closing(sqlite3.connect(part, isolation_level=None)) as copy,
        ):
            _check_is_store(original, source)
            original.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
            left_out = tuple(" ".join(name) for name in drop_foreign_objects(copy))
            return structs.replace(_inspect(copy, source, part), left_out=left_out)
    except OSError as problem:
        raise BackupError(f"cannot write {part}: {problem.strerror}") from None
    except sqlite3.Error as problem:
        raise BackupError(f"cannot copy {source}: {problem}") from None


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a store read-only, with what a killed process left in its write-ahead log."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _check_is_store(db: sqlite3.Connection, path: Path) -> None:
    try:
        (reached,) = db.execute("PRAGMA user_version").fetchone()
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except sqlite3.DatabaseError as problem:
        if getattr(problem, "sqlite_errorcode", 0) not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise
        raise BackupError(f"{path} {NOT_A_STORE}: {problem}") from None
    if not {"tables", "aliases", "snapshots"} <= names or not names & {"log", "commits"}:
        raise BackupError(f"{path} {NOT_A_STORE}")
    try:
        missing("sqlite", reached)
    except SchemaTooNew as problem:
        raise BackupError(f"{path}: {problem}") from None
    changed = changed_objects(db)
    if changed:
        raise BackupError(f"{path} {NOT_A_STORE}: its {' '.join(changed[0])} is defined in another way")


def _inspect(copy: sqlite3.Connection, source: Path, part: Path) -> BackupResult:
    ((found, *_), *_) = copy.execute("PRAGMA integrity_check(1)").fetchall()
    if found != "ok":
        raise BackupError(f"{source} is damaged: {' '.join(str(found).split())}")
    (tables,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    (guests,) = copy.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'guests' AND type = 'table'").fetchone()
    if guests:
        (guests,) = copy.execute("SELECT count(*) FROM guests").fetchone()
    return BackupResult(tables, guests, part.stat().st_size, damaged=damaged_tables(copy))


def _move_aside(path: Path) -> Path:
    """Move the file with its side files: a write-ahead log must not be applied to another file."""
    _check_not_in_use(path)
    aside = _unused(path.with_name(f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"))
    for ending in SIDE_FILES:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    return path.rename(aside)


def _unused(path: Path) -> Path:
    """Return the path, with a number if it exists."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _check_not_in_use(path: Path) -> None:
    """Raise `BackupError` if another connection is open: only the last one can leave WAL mode. Ignore damaged files."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as problem:
        if getattr(problem, "sqlite_errorcode", 0) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BackupError(f"a server is using {path}: stop it first") from None
    except sqlite3.DatabaseError:
        return


def _sync_folder(folder: Path) -> None:
    """Sync a folder, which makes a new file name durable."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
