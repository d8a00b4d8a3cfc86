"""Checks of the store: open it at start, and examine file or database for `notahat doctor` without a change."""

import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from notahat.optional_dependencies import install_command
from notahat.server.ops.resources import disk_level
from notahat.server.settings import Settings
from notahat.store import SchemaTooNew, Unavailable, open_store
from notahat.store.migration import migrations, missing
from notahat.store.ping import ping_postgres
from notahat.store.sqlite_backup import changed_objects, damaged_tables, foreign_objects, kept_copies

MAX_CLOCK_DIFFERENCE = 5.0
TIMEOUT_SECONDS = 5
OLDEST_POSTGRES = 13
RELEASE_TIME = 1_790_000_000  # a correct clock shows a later time

TABLES = ("tables", "log", "snapshots", "aliases", "guests", "tickets", "holds", "schema")
RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


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
            await ping_postgres(settings.store_url)
        store = await open_store(settings.store_url)
    except ImportError as missing:
        raise ValueError(f"PostgreSQL needs {missing.name or 'psycopg'}: {install_command('postgres')}") from None
    except (OSError, sqlite3.Error) as error:
        raise ValueError(_file_advice(settings, error)) from None
    except SchemaTooNew as error:
        raise ValueError(f"{error}, or restore the backup from before the upgrade: notahat restore FILE") from None
    except Unavailable as error:
        advice = "start it, or name another with --store postgresql://USER@HOST/DATABASE (or NOTAHAT_STORE)"
        raise ValueError(f"{_one_line(error)}; {advice}") from None
    await store.close()


def _file_advice(settings: Settings, error: OSError | sqlite3.Error) -> str:
    why = getattr(error, "strerror", None) or _one_line(error)
    if settings.store:
        return f"cannot store tables in {settings.store}: {why}; name a writable file: --store sqlite:///FILE"
    return f"cannot store tables in {settings.folder}: {why}; name a writable folder: --data DIR"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def check_store(settings: Settings) -> Iterator[Finding]:
    """Examine the store and change nothing."""
    if settings.is_postgres:
        yield from check_postgres(settings)
    elif settings.sqlite_file is None:
        yield problem("Tables are in memory: they are lost when the server stops.")
    else:
        for check in (check_folder, check_disk, check_file, check_clock):
            yield from check(settings.sqlite_file)


def check_folder(path: Path) -> Iterator[Finding]:
    folder = path.parent
    if not folder.exists():
        yield ok(f"The folder {folder} does not exist yet; the server creates it, readable only for its owner.")
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield problem(f"This user cannot write to the folder {folder}: change its owner, or use another with --data.")
    else:
        yield ok(f"The folder {folder} is writable.")


def check_disk(path: Path) -> Iterator[Finding]:
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    free = shutil.disk_usage(folder).free
    yield ok_if(disk_level(free).enough, f"The disk of {folder} has {free / 1e9:.1f} GB free", ": free some space")


def check_file(path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield ok(f"{path} does not exist yet.")
        return
    if stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        advice = f"chmod 600 {path}, or let the server do it when it starts"
        yield problem(f"Other users of this machine can read {path}: {advice}.")
    for copy in kept_copies(path):
        yield ok(f"{copy} is from before an upgrade: delete it when you do not need it any more.")
    try:
        with closing(_open_read_only(path)) as db:
            yield from _check_contents(db, path)
    except sqlite3.Error as error:
        yield problem(f"{path} cannot be read: {error}. Restore a backup: notahat restore FILE.")


def _open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _check_contents(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    ((found, *_), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        yield problem(f"{path} is damaged: {' '.join(str(found).split())}. Restore a backup: notahat restore FILE.")
        return
    (version,) = db.execute("PRAGMA user_version").fetchone()
    yield from _check_schema(version, "sqlite", str(path))
    problems = [] if version > migrations("sqlite")[-1].number else [*_check_objects(db, path)]
    yield from problems
    if not problems:
        (tables,) = db.execute("SELECT count(*) FROM tables").fetchone()
        yield ok(f"{path} is intact and has {tables} tables in {path.stat().st_size / 1e6:.1f} MB.")


def _check_objects(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    """Report what a server would run or wait for without knowing: triggers, views, logs that do not end."""
    if foreign := foreign_objects(db):
        names = ", ".join(" ".join(name) for name in foreign)
        yield problem(f"{path} contains what is not part of a store: {names}. A backup leaves it out: restore one.")
    if changed := changed_objects(db):
        yield problem(f"{path}: the {' '.join(changed[0])} is defined in another way. Restore a backup.")
    elif damaged := damaged_tables(db):
        yield problem(f"{path} has tables with a damaged log, which cannot be opened: {damaged}. Restore a backup.")


def _check_schema(version: int, kind: str, store: str) -> Iterator[Finding]:
    try:
        if missing(kind, version):
            advice = " and keeps a copy of the file" if kind == "sqlite" else ": back it up first"
            newest = migrations(kind)[-1].number
            yield ok(f"{store} has schema {version}; the server migrates it to {newest} at start{advice}.")
    except SchemaTooNew as error:
        yield problem(f"{store} cannot be used: {error}.")


def check_clock(path: Path) -> Iterator[Finding]:
    now = time.time()
    if now < RELEASE_TIME:
        yield problem(f"The clock shows {time.strftime('%Y-%m-%d')}, which is before this release: set it.")
        return
    newest = _newest_entry(path)
    if newest > now + MAX_CLOCK_DIFFERENCE:
        yield problem(f"The newest stored move is {newest - now:.0f} s in the future: the clock is or was wrong.")
    else:
        yield ok(f"The clock shows {time.strftime('%Y-%m-%d %H:%M')}, and no stored move is later.")


def _newest_entry(path: Path) -> float:
    try:
        with closing(_open_read_only(path)) as db:
            found = db.execute("SELECT max(at) FROM log").fetchone()
    except sqlite3.Error:  # `check_file` reports it
        return 0.0
    return found[0] or 0.0


Query = Callable[..., list[tuple[object, ...]]]


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


def _check_clocks(query: Query) -> Iterator[Finding]:
    before = time.time()
    ((theirs,),) = query("SELECT EXTRACT(epoch FROM clock_timestamp())::float8")
    difference = abs(float(str(theirs)) - (before + time.time()) / 2)
    text = f"This machine's clock and PostgreSQL's differ by {difference:.1f} s"
    yield ok_if(difference < MAX_CLOCK_DIFFERENCE, text, ": set both by the network (NTP)")
