"""`notahat doctor`: what is well and what is wrong with a server here, in sentences. It changes nothing."""

import argparse
import asyncio
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

from notahat.optional_dependencies import how_to_add
from notahat.server.ops.connectivity_check import looked_at
from notahat.server.settings import Settings, add_store_options, settled
from notahat.store import POSTGRES, TooNew
from notahat.store.migration import migrations, missing
from notahat.store.sqlite import MEMORY, path_of

LEAST_FREE = 200 * 1000 * 1000
FARTHEST_CLOCKS = 5.0
ANSWER_SECONDS = 5
OLDEST_POSTGRES = 13
WRITTEN_IN = 1_790_000_000  # no clock that is right shows less

TABLES = ("tables", "log", "snapshots", "aliases", "guests", "tickets", "holds", "schema")
RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


class Finding(Struct, frozen=True):
    """One sentence, and whether it is a good one."""

    good: bool
    said: str


def well(said: str) -> Finding:
    return Finding(True, said)


def wrong(said: str) -> Finding:
    return Finding(False, said)


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    told = "say in sentences what is wrong: folder, disk, store, clock, proxy, public address"
    ends = "Exit code 0 when all is well, 1 when something is wrong. Give it the settings that the server has."
    parser = commands.add_parser("doctor", help=told, description=f"{told[0].upper()}{told[1:]}. {ends}")
    add_store_options(parser)
    parser.add_argument("--host", help="address that the server listens on (127.0.0.1; NOTAHAT_HOST)")
    parser.add_argument("--port", type=int, help="port that the server listens on (8000; NOTAHAT_PORT)")
    parser.add_argument("--public-url", metavar="URL", help="what people type to get here (NOTAHAT_PUBLIC_URL)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        settings = settled(arguments)
        findings = list(examine(settings))
    except ValueError as problem:
        sys.stderr.write(f"notahat: {problem}\n")
        return 2
    for finding in findings:
        sys.stdout.write(f"{'Well: ' if finding.good else 'WRONG:'} {finding.said}\n")
    ills = sum(not finding.good for finding in findings)
    sys.stdout.write("All is well.\n" if not ills else f"{ills} {'thing is' if ills == 1 else 'things are'} wrong.\n")
    return 1 if ills else 0


def examine(settings: Settings) -> Iterator[Finding]:
    if settings.store_url.startswith(POSTGRES):
        yield from postgres(settings)
    elif path_of(settings.store_url) == MEMORY:
        yield wrong("Tables are kept in memory: they are lost when the server stops.")
    else:
        path = Path(path_of(settings.store_url))
        for look in (folder, disk, file, clock):
            yield from look(path)
    yield from address(settings)
    for good, said in asyncio.run(looked_at(settings)):
        yield Finding(good, said)


def folder(path: Path) -> Iterator[Finding]:
    place = path.parent
    if not place.exists():
        yield well(f"The folder {place} is not there yet; the server will make it, for its owner alone.")
        return
    if not os.access(place, os.W_OK | os.X_OK):
        yield wrong(f"The folder {place} cannot be written by this user: give it to them, or name another with --data.")
        return
    yield well(f"The folder {place} can be written.")


def disk(path: Path) -> Iterator[Finding]:
    place = next(parent for parent in path.absolute().parents if parent.exists())
    free = shutil.disk_usage(place).free
    said = f"The disk of {place} has {free / 1e9:.1f} GB free"
    yield well(f"{said}.") if free >= LEAST_FREE else wrong(f"{said}: make room, or nobody can play soon.")


def file(path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield well(f"No tables are kept in {path} yet.")
        return
    if stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        yield wrong(
            f"Others on this machine can read {path}: chmod 600 {path}, or let the server do it when it starts."
        )
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            yield from _contents(db, path)
    except sqlite3.Error as problem:
        yield wrong(f"{path} cannot be read: {problem}. Restore a backup: notahat restore FILE.")


def _contents(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    ((found, *_), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        yield wrong(f"{path} is damaged: {' '.join(str(found).split())}. Restore a backup: notahat restore FILE.")
        return
    (reached,) = db.execute("PRAGMA user_version").fetchone()
    yield from _schema(reached, "sqlite", str(path))
    (tables,) = db.execute("SELECT count(*) FROM tables").fetchone()
    yield well(f"{path} is whole, and keeps {tables} tables in {path.stat().st_size / 1e6:.1f} MB.")


def _schema(reached: int, kind: str, what: str) -> Iterator[Finding]:
    try:
        if missing(kind, reached):
            newest = migrations(kind)[-1].number
            yield well(
                f"{what} has schema {reached}; the server brings it to {newest} when it starts: back it up first."
            )
    except TooNew as problem:
        yield wrong(f"{what} cannot be used: {problem}.")


def clock(path: Path) -> Iterator[Finding]:
    now = time.time()
    if now < WRITTEN_IN:
        yield wrong(f"The clock shows {time.strftime('%Y-%m-%d')}, which is before this release was made: set it.")
        return
    newest = _newest(path)
    if newest > now + FARTHEST_CLOCKS:
        yield wrong(f"The newest move that is kept is {newest - now:.0f} s in the future: the clock was, or is, wrong.")
    else:
        yield well(f"The clock shows {time.strftime('%Y-%m-%d %H:%M')}, and nothing that is kept speaks against it.")


def _newest(path: Path) -> float:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            found = db.execute("SELECT at FROM log ORDER BY place DESC LIMIT 1").fetchone()
    except sqlite3.Error:  # told by whoever looks at the file
        return 0.0
    return float(found[0]) if found else 0.0


def postgres(settings: Settings) -> Iterator[Finding]:
    try:
        import psycopg
    except ImportError:
        yield wrong(f"PostgreSQL needs psycopg: {how_to_add('postgres')}")
        return
    try:
        with psycopg.connect(settings.store_url, connect_timeout=ANSWER_SECONDS, autocommit=True) as db:

            def ask(sql: str, *values: object) -> list[tuple[object, ...]]:
                return db.execute(sql.encode(), values).fetchall()

            for look in (_version, _durable, _rights, _clocks):
                yield from look(ask)
    except psycopg.Error as problem:
        yield wrong(f"PostgreSQL does not answer: {' '.join(str(problem).split())}.")


Ask = Callable[..., list[tuple[object, ...]]]


def _version(ask: Ask) -> Iterator[Finding]:
    ((version,),) = ask("SHOW server_version")
    ((number,),) = ask("SELECT current_setting('server_version_num')::int / 10000")
    said = f"PostgreSQL {version} answers"
    enough = isinstance(number, int) and number >= OLDEST_POSTGRES
    yield well(f"{said}.") if enough else wrong(f"{said}, and {OLDEST_POSTGRES} is the oldest that will do.")


def _durable(ask: Ask) -> Iterator[Finding]:
    ((fsync, commit, copy),) = ask(
        "SELECT current_setting('fsync'), current_setting('synchronous_commit'), pg_is_in_recovery()"
    )
    if copy:
        yield wrong("This PostgreSQL is a standby that only copies another one: name the one that can be written.")
    if fsync == "off":
        yield wrong("PostgreSQL has fsync = off: what was acknowledged can be lost. Turn it on.")
    else:
        yield well(f"PostgreSQL waits for the disk (fsync on, synchronous_commit {commit}; where off, we turn it on).")


def _rights(ask: Ask) -> Iterator[Finding]:
    ((there,),) = ask("SELECT to_regclass('notahat.schema') IS NOT NULL")
    if not there:
        ((may,),) = ask("SELECT has_database_privilege(current_database(), 'CREATE')")
        first = "The schema notahat is not there yet"
        yield (
            well(f"{first}, and this user may make it.")
            if may
            else wrong(f"{first}, and this user may not make it: GRANT CREATE ON DATABASE … TO ….")
        )
        return
    ((reached,),) = ask("SELECT max(reached) FROM notahat.schema")
    yield from _schema(int(str(reached)), "postgres", "The database")
    lacking = [
        f"{right} on notahat.{table}"
        for table in TABLES
        for right in RIGHTS
        if ask("SELECT has_table_privilege(%s, %s)", f"notahat.{table}", right) != [(True,)]
    ]
    yield (
        wrong(f"This user lacks rights: {', '.join(lacking)}.")
        if lacking
        else well("This user has all rights it needs.")
    )


def _clocks(ask: Ask) -> Iterator[Finding]:
    before = time.time()
    ((theirs,),) = ask("SELECT EXTRACT(epoch FROM clock_timestamp())::float8")
    apart = float(str(theirs)) - (before + time.time()) / 2
    said = f"This machine's clock and PostgreSQL's are {abs(apart):.1f} s apart"
    yield well(f"{said}.") if abs(apart) < FARTHEST_CLOCKS else wrong(f"{said}: set both by the network (NTP).")


def address(settings: Settings) -> Iterator[Finding]:
    url, local = settings.public_url, settings.host in ("127.0.0.1", "::1", "localhost")
    if settings.behind_proxy and not local:
        said = "anybody who gets there without the proxy can claim any address"
        yield wrong(f"The server listens on {settings.host}, and {said}: listen on 127.0.0.1, or keep its port inside.")
    if settings.behind_proxy and not url:
        yield wrong("There is a proxy, and no NOTAHAT_PUBLIC_URL: links and QR codes may lead nowhere.")
    if url.startswith("https:") and not settings.behind_proxy:
        said = "everybody seems to come from one address, and shares its limits"
        yield wrong(f"People come by https, so through a proxy, but NOTAHAT_BEHIND_PROXY is not set: {said}.")
    if not url and not settings.behind_proxy:
        yield well("There is no public address: people come as the browser says.")
