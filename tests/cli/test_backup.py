"""`notahat backup` and `notahat restore`: during play, after a crash, and without overwriting anything."""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from notahat.clients.python import Client
from notahat.store import open_store
from notahat.store.sql_store import migrations
from support.cli import refusal, run_in_process
from support.postgres import PROGRAMS, Postgres
from support.server_process import ServerProcess

ROOT = Path(__file__).parents[2]


async def a_table(url: str) -> str:
    async with Client(url) as client:
        code = await client.open_table()
        async with client.table(code) as table:
            await table.do("sit", name="Ada")
        return code


async def kept(path: Path, code: str) -> int:
    """Return how many commits of this table the file has."""
    store = await open_store(f"sqlite:///{path}")
    table = await store.table_of(code)
    commits = [] if table is None else await store.read(table)
    await store.close()
    return len(commits)


def backup(file: Path, data: Path) -> str:
    ended = run_in_process("backup", file, "--data", data)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return ended.stdout


def restore(file: Path, data: Path) -> str:
    ended = run_in_process("restore", file, "--data", data)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return ended.stdout


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_restore_needs_stopped_server_and_keeps_old_file(tmp_path: Path) -> None:
    """Also after a kill, elsewhere, and in place of a damaged file."""
    data, other, file = folder(tmp_path / "kept"), tmp_path / "elsewhere", tmp_path / "copy.db"
    server = ServerProcess(data).start()
    code = asyncio.run(a_table(server.url))
    assert re.fullmatch(r"Backed up 1 table and 1 guest to \S+ \(\d+\.\d MB\)\.\n", backup(file, data))
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.glob("copy*")] == [("copy.db", 0o600)]
    later = asyncio.run(a_table(server.url))
    path, wal = data / "notahat.db", data / "notahat.db-wal"
    assert refusal("restore", file, "--data", data) == f"notahat: a server is using {path}: stop it first"
    assert not list(data.glob("*.part"))
    server.stop(signal.SIGKILL)
    assert wal.stat().st_size > 0
    assert backup(tmp_path / "killed.db", data).startswith("Backed up 2 tables and 2 guests to ")
    assert wal.stat().st_size > 0, "the files of a killed server are not changed"
    aside = re.search(r"The previous file is now (\S+);", restore(file, data))
    assert aside is not None
    moved = [Path(aside[1]).name, f"{Path(aside[1]).name}-newest"]  # and the note of what it must contain
    assert sorted(place.name for place in data.glob("notahat.db*")) == ["notahat.db", *moved]
    found = [asyncio.run(kept(place, one)) for place in (path, Path(aside[1])) for one in (code, later)]
    assert found == [2, 0, 2, 2]
    assert restore(tmp_path / "killed.db", other) == f"Restored 2 tables and 2 guests to {other}/notahat.db.\n"
    assert (other.stat().st_mode & 0o777, (other / "notahat.db").stat().st_mode & 0o777) == (0o700, 0o600)
    path.write_bytes(b"not a hat" * 5000)
    wal.write_bytes(b"of the file before")
    restore(file, data)
    assert not wal.exists(), "a write-ahead log must not be applied to another file"
    assert asyncio.run(kept(path, code)) == 2


def test_impossible_backup_is_refused(tmp_path: Path) -> None:
    data = folder(tmp_path / "kept")
    path, file = data / "notahat.db", tmp_path / "copy.db"
    hint = "name the folder with --data DIR (or NOTAHAT_DATA)"
    assert refusal("backup", file, "--data", data) == f"notahat: there are no tables in {path}: {hint}"
    path.write_bytes(b"Dear Ada, this is no database. " * 200)
    message = f"notahat: {path} is no store of Not a Hat: file is not a database"
    assert refusal("backup", file, "--data", data) == message
    path.unlink()
    asyncio.run(opened_and_closed(path))
    assert (
        refusal("backup", tmp_path / "no" / "copy.db", "--data", data) == f"notahat: there is no folder {tmp_path}/no"
    )
    backup(file, data)
    message = f"notahat: {file} exists already, and a backup never overwrites a file: name a new one"
    assert refusal("backup", file, "--data", data) == message
    assert refusal("backup", tmp_path, "--data", data).endswith("name a new one")
    dump = "pg_dump --format=custom --schema=notahat --file=x.dump URL"
    message = f"notahat: these tables are in PostgreSQL, which has its own command: {dump}"
    assert refusal("backup", "x.dump", "--store", "postgresql://db/hats") == message
    assert refusal("backup", "x", "--store", "sqlite://:memory:") == "notahat: tables in memory have no file"


def test_impossible_restore_changes_nothing(tmp_path: Path) -> None:
    data = folder(tmp_path / "kept")
    path = data / "notahat.db"
    asyncio.run(opened_and_closed(path))
    before = path.read_bytes()
    letter, other, newer, damaged = (tmp_path / name for name in ("letter.txt", "other.db", "newer.db", "damaged.db"))
    letter.write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    shutil.copy(path, newer)
    with sqlite3.connect(newer) as db:
        db.execute(f"PRAGMA user_version = {migrations('sqlite')[-1].number + 1}")
    db.close()
    pages = bytearray(before)
    pages[3 * 4096 : 4 * 4096] = os.urandom(4096)
    damaged.write_bytes(pages)
    for file, why in (
        (tmp_path / "nothing.db", "there is no file"),
        (letter, "is no store of Not a Hat: file is not a database"),
        (other, "is no store of Not a Hat"),
        (newer, "use a newer release"),
        (damaged, "damaged"),
    ):
        assert why in refusal("restore", file, "--data", data)
    load = "pg_restore --clean --if-exists --single-transaction --no-owner --dbname=URL x.dump"
    assert load in refusal("restore", "x.dump", "--store", "postgresql://db/hats")
    assert path.read_bytes() == before
    assert [place.name for place in data.iterdir()] == ["notahat.db"]


HOSTILE = """
CREATE TRIGGER "on ""append" AFTER INSERT ON log BEGIN DELETE FROM aliases; END;
CREATE VIEW everything AS SELECT * FROM log;
CREATE TABLE "a table" (name TEXT UNIQUE);
CREATE INDEX slow ON log (table_id, events);
"""


def execute(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


def test_restore_leaves_out_foreign_objects(tmp_path: Path) -> None:
    """A trigger in a file from elsewhere would run with every move."""
    data, file, path = folder(tmp_path / "kept"), tmp_path / "copy.db", tmp_path / "kept/notahat.db"
    asyncio.run(opened_and_closed(file))
    execute(file, HOSTILE)
    left_out = 'index slow, table a table, trigger on "append, view everything'
    assert f"Left out, because it is not part of a store: {left_out}.\n" in restore(file, data)
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")]
        assert db.execute("SELECT count(*) FROM guests").fetchone() == (1,)
    assert names == ["aliases", "aliases_table", "guests", "log", "snapshots", "tables", "tickets"]


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE aliases; CREATE VIEW aliases AS SELECT 1 AS code, 2 AS table_id;",
        "DROP TABLE tickets; CREATE TABLE tickets (hash BLOB CHECK (random()), guest BLOB, expires REAL);",
        "DROP TABLE snapshots;",
        "DROP INDEX aliases_table; CREATE INDEX aliases_table ON aliases (hex(table_id));",
    ],
)
def test_file_with_changed_schema_is_not_restored(tmp_path: Path, script: str) -> None:
    file = tmp_path / "copy.db"
    asyncio.run(opened_and_closed(file))
    execute(file, script)
    assert "is no store of Not a Hat" in refusal("restore", file, "--data", tmp_path / "kept")
    assert not (tmp_path / "kept/notahat.db").exists()


@pytest.mark.parametrize(("release", "commits"), [("0.1.0", 44), ("0.3.0", 5)])
def test_backup_of_older_release_is_restored(tmp_path: Path, release: str, commits: int) -> None:
    file = tmp_path / "old.db"
    execute(file, (ROOT / f"tests/store/releases/{release}.sql").read_text())
    assert restore(file, tmp_path / "kept") == f"Restored 2 tables and 2 guests to {tmp_path}/kept/notahat.db.\n"
    assert asyncio.run(kept(tmp_path / "kept/notahat.db", "K7QX")) == commits


def test_restore_reports_tables_with_damaged_logs(tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    asyncio.run(with_table(file))
    execute(file, "DELETE FROM log WHERE version = 1;")
    assert restore(file, tmp_path / "kept").endswith("1 table has a damaged log and cannot be opened.\n")


async def with_table(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    commit = await store.append(uuid4(), 0, b"event")
    await store.append(commit.table, 1, b"event")
    await store.close()


async def opened_and_closed(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await store.add_guest(b"ada")
    await store.close()


@pytest.mark.anyio
async def test_documented_postgresql_backup_works(postgres: Postgres, tmp_path: Path) -> None:
    """Run the two commands of docs/operate.md."""
    page = (ROOT / "docs/operate.md").read_text()
    dump, load = (
        next(line for line in page.splitlines() if line.startswith(name)) for name in ("pg_dump", "pg_restore")
    )
    url = postgres.empty_database()
    store = await open_store(url)
    commit = await store.append(guest := await store.add_guest(b"ada"), 0, b"event")
    await store.create_alias("K7QX", commit.table)
    run(dump, url, tmp_path)
    await store.append(commit.table, 1, b"later")
    await store.close()
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute("DELETE FROM notahat.guests")
    run(load, url, tmp_path)
    store = await open_store(url)
    assert await store.read(commit.table) == [commit]
    assert (await store.guest(b"ada"), await store.table_of("K7QX")) == (guest, commit.table)
    assert (await store.append(commit.table, 1, b"another")).version == 2
    await store.close()


def run(line: str, url: str, folder: Path) -> None:
    env = {**os.environ, "NOTAHAT_STORE": url, "PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
    subprocess.run(["/bin/sh", "-c", line], env=env, cwd=folder, check=True, capture_output=True)
