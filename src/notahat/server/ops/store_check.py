"""Checks of the store: open it at start, and examine file or database for `notahat doctor` without a change."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from notahat.live.room import Room
from notahat.optional_dependencies import install_command
from notahat.server.settings import Settings
from notahat.store import Commit, SchemaTooNew, Unavailable, open_store, sqlite_backup
from notahat.store.sql_store import as_id, migrations
from notahat.store.sql_store import missing as missing_steps
from notahat.store.sqlite import sqlite_dialect
from notahat.store.sqlite_backup import LOST, open_for_reading, reached_schema
from notahat.store.sqlite_file import missing_commit
from notahat.table.table import SNAPSHOT_SCHEMA

MAX_CLOCK_DIFFERENCE = 5.0
TIMEOUT_SECONDS = 5
OLDEST_POSTGRES = 13
RELEASE_TIME = 1_790_000_000  # a correct clock shows a later time

TABLES = ("tables", "log", "snapshots", "aliases", "guests", "tickets", "holds", "schema")
RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


Query = Callable[..., list[tuple[Any, ...]]]


class Finding(Struct, frozen=True):
    """One checked fact."""

    ok: bool
    text: str


def ok(text: str) -> Finding:
    return Finding(True, text)


def problem(text: str) -> Finding:
    return Finding(False, text)


def ok_if(good: bool, text: str, otherwise: str) -> Finding:
    """Return `text`, or as a problem `text` with what comes after it."""
    return ok(f"{text}.") if good else problem(f"{text}{otherwise}.")


async def check_opening(settings: Settings) -> None:
    """Open the store once and close it again; raise `ValueError` with advice if that fails."""
    try:
        if settings.is_postgres:
            from notahat.store.postgres import ping

            await ping(settings.store_url)
        store = await open_store(settings.store_url)
    except ImportError as missing:
        raise ValueError(f"PostgreSQL needs {missing.name or 'psycopg'}: {install_command('postgres')}") from None
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or _one_line(error)
        place = settings.store or settings.folder
        advice = "file: --store sqlite:///FILE" if settings.store else "folder: --data DIR"
        raise ValueError(f"cannot store tables in {place}: {why}; name a writable {advice}") from None
    except SchemaTooNew as error:
        raise ValueError(f"{error}, or restore the backup from before the upgrade: notahat restore FILE") from None
    except Unavailable as error:
        advice = "start it, or name another with --store postgresql://USER@HOST/DATABASE (or NOTAHAT_STORE)"
        raise ValueError(f"{_one_line(error)}; {advice}") from None
    await store.close()


def _one_line(error: object) -> str:
    return " ".join(str(error).split())


def counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def check_store(settings: Settings) -> Iterator[Finding]:
    """Examine the store and change nothing."""
    if settings.is_postgres:
        yield from check_postgres(settings)
    elif settings.sqlite_file is None:
        yield problem("Tables are in memory: they are lost when the server stops.")
    else:
        for check in (check_folder, check_file, check_clock):
            yield from check(settings.sqlite_file)


def check_folder(path: Path) -> Iterator[Finding]:
    folder = path.parent
    if not folder.exists():
        yield ok(f"The folder {folder} does not exist yet; the server creates it, readable only for its owner.")
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield problem(f"This user cannot write to the folder {folder}: change its owner, or use another with --data.")
    else:
        yield ok(f"The folder {folder} is writable.")


def check_file(path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield ok(f"{path} does not exist yet.")
        return
    if stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        advice = f"chmod 600 {path}, or let the server do it when it starts"
        yield problem(f"Other users of this machine can read {path}: {advice}.")
    for copy in sorted(path.parent.glob(f"{path.name}.schema-*")):
        yield ok(f"{copy} is from before an upgrade: delete it when you do not need it any more.")
    if (lost := Path(f"{path}{LOST}")).exists():
        advice = f"restore a backup, or delete {lost} when you know"
        yield problem(f"Acknowledged moves were missing at a start ({_one_line(lost.read_text())}): {advice}.")
    try:
        with closing(open_for_reading(path)) as db:
            yield from _check_contents(db, path)
    except sqlite3.Error as error:
        yield problem(f"{path} cannot be read: {error}. Restore a backup: notahat restore FILE.")


def _check_contents(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    ((found, *_), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        yield problem(f"{path} is damaged: {' '.join(str(found).split())}. Restore a backup: notahat restore FILE.")
        return
    version = reached_schema(db)
    yield from _check_schema(version, "sqlite", str(path))
    problems = [] if version > migrations("sqlite")[-1].number else [*_check_objects(db, path)]
    yield from problems
    if not problems:
        (tables,) = db.execute("SELECT count(*) FROM tables").fetchone()
        yield ok(f"{path} is intact and has {tables} tables in {path.stat().st_size / 1e6:.1f} MB.")


def _check_objects(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    """Report what a server would run or wait for without knowing: triggers, views, logs that do not end."""
    if missing := missing_commit(str(path), db):
        yield problem(f"Acknowledged moves are missing in {path}: {missing}. Is {path}-wal damaged? Restore a backup.")
    if foreign := sqlite_backup.foreign_objects(db):
        names = ", ".join(" ".join(name) for name in foreign)
        yield problem(f"{path} contains what is not part of a store: {names}. A backup leaves it out: restore one.")
    if changed := sqlite_backup.changed_objects(db):
        yield problem(f"{path}: the {' '.join(changed[0])} is defined in another way. Restore a backup.")
    elif damaged := sqlite_backup.damaged_tables(db):
        yield problem(f"{path} has tables with a damaged log, which cannot be opened: {damaged}. Restore a backup.")
    elif not missing_steps("sqlite", reached_schema(db)):
        yield from _check_tables(lambda sql, *values: db.execute(sqlite_dialect(sql), values).fetchall())


def _check_tables(query: Query) -> Iterator[Finding]:
    """Open every table as the server does, and report those that it could not open."""
    failed = [as_id(id_) for (id_,) in query("SELECT id FROM notahat.tables") if not _opens(query, id_)]
    if failed:
        tables = counted(len(failed), "table")
        yield problem(f"{tables} cannot be opened, such as {failed[0]}. Restore a backup, or delete them.")


def _opens(query: Query, id_: object) -> bool:
    found = query("SELECT version, schema, state FROM notahat.snapshots WHERE table_id = %s", id_)
    (after, *snapshot), *_ = (*(row for row in found if row[1] == SNAPSHOT_SCHEMA), (0,))
    sql = "SELECT version, command, events FROM notahat.log WHERE table_id = %s AND version > %s ORDER BY version"
    commits = [Commit(as_id(id_), *row) for row in query(sql, id_, after)]
    try:
        Room.open((snapshot[0], snapshot[1]) if snapshot else None, commits, now=0.0)
    except Exception:  # whatever it is, the server fails in the same way
        return False
    return True


def _check_schema(version: int, kind: str, store: str) -> Iterator[Finding]:
    try:
        if missing_steps(kind, version):
            advice = " and keeps a copy of the file" if kind == "sqlite" else ": back it up first"
            newest = migrations(kind)[-1].number
            yield ok(f"{store} has schema {version}; the server migrates it to {newest} at start{advice}.")
    except SchemaTooNew as error:
        yield problem(f"{store} cannot be used: {error}.")


def check_clock(path: Path) -> Iterator[Finding]:
    now, newest = time.time(), 0.0
    if now < RELEASE_TIME:
        yield problem(f"The clock shows {time.strftime('%Y-%m-%d')}, which is before this release: set it.")
        return
    with suppress(sqlite3.Error), closing(open_for_reading(path)) as db:  # `check_file` reports an error
        (newest,) = db.execute("SELECT COALESCE(max(at), 0) FROM log").fetchone()
    if newest > now + MAX_CLOCK_DIFFERENCE:
        yield problem(f"The newest stored move is {newest - now:.0f} s in the future: the clock is or was wrong.")
    else:
        yield ok(f"The clock shows {time.strftime('%Y-%m-%d %H:%M')}, and no stored move is later.")


def check_postgres(settings: Settings) -> Iterator[Finding]:
    try:
        import psycopg
    except ImportError:
        yield problem(f"PostgreSQL needs psycopg: {install_command('postgres')}")
        return
    try:
        with psycopg.connect(settings.store_url, connect_timeout=TIMEOUT_SECONDS, autocommit=True) as db:

            def query(sql: str, *values: object) -> list[tuple[object, ...]]:
                return db.execute(sql.encode(), values).fetchall()

            for check in (_check_version, _check_durability, _check_rights, _check_clocks):
                yield from check(query)
    except psycopg.Error as error:
        yield problem(f"PostgreSQL does not answer: {' '.join(str(error).split())}.")


def _check_version(query: Query) -> Iterator[Finding]:
    ((version,),) = query("SHOW server_version")
    ((number,),) = query("SELECT current_setting('server_version_num')::int / 10000")
    text = f"PostgreSQL {version} answers"
    supported = isinstance(number, int) and number >= OLDEST_POSTGRES
    yield ok_if(supported, text, f", but {OLDEST_POSTGRES} is the oldest supported version")


def _check_durability(query: Query) -> Iterator[Finding]:
    ((fsync, commit, standby),) = query(
        "SELECT current_setting('fsync'), current_setting('synchronous_commit'), pg_is_in_recovery()"
    )
    if standby:
        yield problem("This PostgreSQL is a read-only standby: use the primary.")
    if fsync == "off":
        yield problem("PostgreSQL has fsync = off: acknowledged moves can be lost. Turn it on.")
    else:
        yield ok(
            f"PostgreSQL waits for the disk (fsync on, synchronous_commit {commit}; the server turns it on if off)."
        )


def _check_rights(query: Query) -> Iterator[Finding]:
    ((exists,),) = query("SELECT to_regclass('notahat.schema') IS NOT NULL")
    if not exists:
        ((allowed,),) = query("SELECT has_database_privilege(current_database(), 'CREATE')")
        advice = ", and this user may not create it: GRANT CREATE ON DATABASE … TO …"
        yield ok_if(bool(allowed), "The schema notahat does not exist yet", advice)
        return
    ((version,),) = query("SELECT max(reached) FROM notahat.schema")
    yield from _check_schema(int(str(version)), "postgres", "The database")
    lacking = [
        f"{right} on notahat.{table}"
        for table in TABLES
        for right in RIGHTS
        if query("SELECT has_table_privilege(%s, %s)", f"notahat.{table}", right) != [(True,)]
    ]
    all_rights = ok("This user has all rights it needs.")
    yield problem(f"This user lacks rights: {', '.join(lacking)}.") if lacking else all_rights
    if not missing_steps("postgres", int(str(version))):
        yield from _check_tables(query)


def _check_clocks(query: Query) -> Iterator[Finding]:
    before = time.time()
    ((theirs,),) = query("SELECT EXTRACT(epoch FROM clock_timestamp())::float8")
    difference = abs(float(str(theirs)) - (before + time.time()) / 2)
    text = f"This machine's clock and PostgreSQL's differ by {difference:.1f} s"
    yield ok_if(difference < MAX_CLOCK_DIFFERENCE, text, ": set both by the network (NTP)")
