"""`notahat doctor`: checks folder, disk, store, clock, proxy and public URL, and changes nothing."""

import argparse
import os
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from notahat.optional_dependencies import install_command
from notahat.server.ops.connectivity_check import check_connectivity
from notahat.server.settings import Settings, add_store_options, load_settings
from notahat.store import POSTGRES_SCHEMES, SchemaTooNew
from notahat.store.migration import migrations, missing
from notahat.store.sqlite_backup import changed_objects, damaged_tables, foreign_objects, kept_copies
from notahat.store.sqlite_file import MEMORY, sqlite_path

MIN_FREE_BYTES = 200 * 1000 * 1000
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


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    summary = "check folder, disk, store, clock, proxy and public URL, and say what is wrong"
    details = "Exit code 0 without problems, 1 with problems. Use the same settings as for the server."
    parser = commands.add_parser("doctor", help=summary, description=f"{summary[0].upper()}{summary[1:]}. {details}")
    add_store_options(parser)
    parser.add_argument("--host", help="address that the server listens on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port that the server listens on (8000; NOTAHAT_PORT)")
    parser.add_argument("--public-url", metavar="URL", help="URL that people use (NOTAHAT_PUBLIC_URL)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        findings = list(examine(load_settings(arguments)))
    except ValueError as error:
        sys.stderr.write(f"notahat: {error}\n")
        return 2
    for finding in findings:
        sys.stdout.write(f"{'OK:     ' if finding.ok else 'PROBLEM:'} {finding.text}\n")
    problems = sum(not finding.ok for finding in findings)
    sys.stdout.write(f"{problems or 'No'} {'problem' if problems == 1 else 'problems'} found.\n")
    return 1 if problems else 0


def examine(settings: Settings) -> Iterator[Finding]:
    if settings.store_url.startswith(POSTGRES_SCHEMES):
        yield from check_postgres(settings)
    elif sqlite_path(settings.store_url) == MEMORY:
        yield problem("Tables are in memory: they are lost when the server stops.")
    else:
        path = Path(sqlite_path(settings.store_url))
        for check in (check_folder, check_disk, check_file, check_clock):
            yield from check(path)
    yield from check_addresses(settings)
    for good, text in check_connectivity(settings):
        yield Finding(good, text)


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
    text = f"The disk of {folder} has {free / 1e9:.1f} GB free"
    yield ok_if(free >= MIN_FREE_BYTES, text, ": free some space")


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


def check_addresses(settings: Settings) -> Iterator[Finding]:
    url, local = settings.public_url, settings.host in ("127.0.0.1", "::1", "localhost")
    if settings.behind_proxy and not local:
        text = f"The server listens on {settings.host}, so a client that bypasses the proxy can claim any address"
        yield problem(f"{text}: listen on 127.0.0.1, or block the port from outside.")
    if settings.behind_proxy and not url:
        yield problem("There is a proxy but no NOTAHAT_PUBLIC_URL: links and QR codes may be wrong.")
    if url.startswith("https:") and not settings.behind_proxy:
        text = "The public URL uses https, so there is a proxy, but NOTAHAT_BEHIND_PROXY is not set"
        yield problem(f"{text}: all clients seem to have one address and share its limits.")
    if not url and not settings.behind_proxy:
        yield ok("There is no public URL: links use the address in the browser.")
