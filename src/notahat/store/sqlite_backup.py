"""Copies of a SQLite file by SQLite's backup API, for operators and before migrations; what a file contains."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from msgspec import Struct, structs

from notahat.store.sql_store import migrations, missing
from notahat.store.store import SchemaTooNew

OWNER_ONLY = 0o600
NOTE, LOST = "-newest", "-lost"  # endings of the note of the newest commit, and of the list of what was found missing
SIDE_FILES = ("-wal", "-shm", NOTE, LOST)
NOT_A_STORE = "is no store of Not a Hat"
LOG_SCHEMA = 3  # the first schema with a table `log`
LOGS_WITH_GAPS = "SELECT 1 FROM log JOIN tables ON id = table_id GROUP BY table_id HAVING max(version) <> count(*)"

Name = tuple[str, str]  # type and name, such as ("table", "log")


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
    with _errors_of(path, to), _new_file(to) as part:
        return _copy_store(path, part)


def restore(copy: Path, path: Path) -> BackupResult:
    """Replace a store that is not in use by a copy. The previous file is moved aside, never deleted."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise BackupError(f"cannot make the folder {path.parent}: {problem.strerror}") from None
    with _errors_of(copy, path), _new_file(path) as part:
        copied = _copy_store(copy, part)
        return structs.replace(copied, aside=_move_aside(path) if path.exists() else None)


def keep_copy(path: Path, schema: int) -> None:
    """Keep a store's file beside it before its schema changes; replace the copy of an interrupted attempt."""
    with _new_file(path.with_name(f"{path.name}.schema-{schema}")) as part:
        _copy_pages(path, part).close()


@contextmanager
def _errors_of(source: Path, to: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise BackupError(f"cannot write {to}: {problem.strerror}") from None
    except sqlite3.Error as problem:
        raise BackupError(f"cannot copy {source}: {problem}") from None


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Yield a file for its owner only that gets its name at the end, so that there is never half a copy."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        yield part
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with suppress(OSError):  # a synced folder makes a new file name durable
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _copy_pages(source: Path, part: Path) -> sqlite3.Connection:
    """Copy everything in one step, which sees one consistent state of a store in use; return the open copy."""
    copy = sqlite3.connect(part, isolation_level=None)
    try:
        with closing(open_for_reading(source)) as original:
            original.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
    except BaseException:
        copy.close()
        raise
    return copy


def _copy_store(source: Path, part: Path) -> BackupResult:
    """Copy a file if it is a store, without what is not part of one."""
    if not source.is_file():
        raise BackupError(f"there is no file {source}")
    with closing(open_for_reading(source)) as original:
        _check_is_store(original, source)
    with closing(_copy_pages(source, part)) as copy:
        left_out = tuple(" ".join(name) for name in drop_foreign_objects(copy))
        return structs.replace(_inspect(copy, source, part), left_out=left_out)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a store read-only, with what a killed process left in its write-ahead log."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _check_is_store(db: sqlite3.Connection, path: Path) -> None:
    try:
        reached = reached_schema(db)
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
    name = f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"
    numbered = (path.with_name(f"{name}-{number}" if number > 1 else name) for number in count(1))
    aside = next(free for free in numbered if not free.exists())
    for ending in SIDE_FILES:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    return path.rename(aside)


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


def foreign_objects(db: sqlite3.Connection) -> list[Name]:
    """Return the triggers, views, tables and indexes that are not part of the store's schema."""
    return sorted(_objects(db).keys() - _expected(db).keys())


def changed_objects(db: sqlite3.Connection) -> list[Name]:
    """Return the tables and indexes that are missing or defined in another way."""
    found = _objects(db)
    return sorted(name for name, sql in _expected(db).items() if found.get(name) != sql)


def drop_foreign_objects(db: sqlite3.Connection) -> list[Name]:
    """Delete what is not part of the store's schema; return what that was. Triggers go first, so none runs."""
    foreign = foreign_objects(db)
    for kind in ("trigger", "view", "index", "table"):
        for name in (name for found, name in foreign if found == kind):
            quoted = name.replace('"', '""')
            db.execute(f'DROP {kind.upper()} IF EXISTS "{quoted}"')
    return foreign


def damaged_tables(db: sqlite3.Connection) -> int:
    """Return how many tables have a log with gaps, which cannot be read."""
    return len(db.execute(LOGS_WITH_GAPS).fetchall()) if reached_schema(db) >= LOG_SCHEMA else 0


def reached_schema(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _expected(db: sqlite3.Connection) -> dict[Name, str]:
    """Return the objects of a new file of the same schema version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        for step in migrations("sqlite"):
            for statement in step.statements if step.number <= reached_schema(db) else ():
                new.execute(statement)
        return _objects(new)


def _objects(db: sqlite3.Connection) -> dict[Name, str]:
    """Return the definitions in a file. Indexes without one belong to a table's definition."""
    found = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL OR type <> 'index'").fetchall()
    return {(kind, name): "".join((sql or "").split()) for kind, name, sql in found}  # without spaces
