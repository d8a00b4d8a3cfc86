"""`notahat doctor`: its findings and its exit code."""

import asyncio
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from notahat.store import open_store
from notahat.table import open_table
from notahat.table.events import encode
from support.cli import run_in_process
from support.postgres import Postgres
from support.server_process import ServerProcess
from support.tables import guest
from support.timeouts import TIMEOUT


def doctor(*options: str | Path, **env: str) -> tuple[int, str]:
    ended = run_in_process("doctor", *options, env=env)
    assert ended.stderr == "", ended.stderr
    assert all(line.startswith(("OK: ", "PROBLEM: ")) for line in ended.stdout.splitlines()[:-1]), ended.stdout
    return ended.returncode, ended.stdout


async def create_file(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await store.append(uuid4(), 0, encode(open_table("K7QX", guest("Ada"), {}, 0.0)))
    await store.close()


def test_doctor_accepts_missing_data(tmp_path: Path) -> None:
    status, output = doctor("--data", tmp_path / "new", "--port", "1")
    assert (status, output.splitlines()[-1]) == (0, "No problems found."), output
    assert not (tmp_path / "new").exists(), "it changes nothing"


def test_doctor_asks_a_running_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its public address may lead straight to it although it trusts forwarded addresses: a proxy is missing."""
    monkeypatch.setattr("notahat.server.ops.doctor.TIMEOUT_SECONDS", TIMEOUT)
    server = ServerProcess(tmp_path, NOTAHAT_BEHIND_PROXY="yes").start()
    try:
        port = server.url.rpartition(":")[2]
        status, healthy = doctor("--data", tmp_path, "--port", port)
        env = {"NOTAHAT_BEHIND_PROXY": "yes", "NOTAHAT_PUBLIC_URL": server.url}
        open_status, output = doctor("--data", tmp_path, "--port", port, **env)
    finally:
        server.stop()
    assert status == 0, healthy
    assert f"The server at {server.url} is healthy." in healthy
    assert "is intact and has 0 tables" in healthy
    assert (open_status, output.splitlines()[-1]) == (1, "1 problem found."), output
    assert "PROBLEM: The server trusts X-Forwarded-For from clients, so anybody can claim any address" in output
    assert "OK:      WebSockets work." in output


def test_doctor_reports_inconsistent_addresses(tmp_path: Path) -> None:
    env = {"NOTAHAT_BEHIND_PROXY": "yes", "NOTAHAT_HOST": "0.0.0.0"}  # noqa: S104
    status, output = doctor("--data", tmp_path, "--port", "1", **env)
    assert (status, output.splitlines()[-1]) == (1, "2 problems found."), output
    assert "can claim any address" in output
    assert "no NOTAHAT_PUBLIC_URL" in output
    status, output = doctor("--data", tmp_path, "--port", "1", "--public-url", "https://hats.example")
    assert status == 1
    assert "NOTAHAT_BEHIND_PROXY is not set: all clients seem to have one address" in output


def test_doctor_reports_damaged_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "notahat.db"
    asyncio.run(create_file(path))
    pages = bytearray(path.read_bytes())
    pages[2 * 4096 : 3 * 4096] = os.urandom(4096)
    path.write_bytes(pages)
    path.chmod(0o600)
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert status == 1
    assert "Restore a backup: notahat restore FILE." in output
    path.write_bytes(b"Dear Ada, this is no database. " * 200)
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert status == 1
    assert f"PROBLEM: {path} cannot be read: file is not a database." in output


def test_doctor_reports_foreign_objects_and_damaged_logs(tmp_path: Path) -> None:
    """And a file that others can read, and a wrong clock."""
    path = tmp_path / "notahat.db"
    asyncio.run(create_file(path))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TRIGGER slow AFTER INSERT ON log BEGIN DELETE FROM aliases; END")
        db.execute("UPDATE log SET version = 2, at = ?", (time.time() + 9000,))  # the first is missing
    path.chmod(0o644)
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert (status, output.splitlines()[-1]) == (1, "4 problems found."), output
    assert f"PROBLEM: Other users of this machine can read {path}: chmod 600 {path}" in output
    assert "s in the future: the clock is or was wrong." in output
    assert f"PROBLEM: {path} contains what is not part of a store: trigger slow." in output
    assert f"PROBLEM: {path} has tables with a damaged log, which cannot be opened: 1." in output
    assert "intact" not in output


def test_doctor_reports_tables_that_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "notahat.db"
    asyncio.run(create_file(path))
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert (status, "is intact and has 1 tables" in output) == (0, True), output
    for garbage in (
        b"\x00 garbage",
        b'{"at": 0.0, "events": [{"event": "renamed", "seat": 9, "name": "Ada"}]}',
    ):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE log SET events = ?", (garbage,))
        status, output = doctor("--data", tmp_path, "--port", "1")
        assert (status, "PROBLEM: 1 table cannot be opened, such as " in output) == (1, True), output


def test_doctor_names_copy_from_before_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "notahat.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((Path(__file__).parents[1] / "store/releases/0.3.0.sql").read_text())
    path.chmod(0o600)
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert (status, "at start and keeps a copy of the file." in output) == (0, True), output
    asyncio.run(create_schema(f"sqlite:///{path}"))
    status, output = doctor("--data", tmp_path, "--port", "1")
    assert (status, f"OK:      {path}.schema-3 is from before an upgrade" in output) == (0, True), output


def test_doctor_lists_missing_database_rights(postgres: Postgres) -> None:
    url = postgres.empty_database()
    asyncio.run(create_schema(url))
    status, output = doctor("--store", url, "--port", "1")
    assert status == 0, output
    assert "This user has all rights it needs." in output
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(
            "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA notahat TO reader"
        )
        operator.execute("GRANT SELECT ON ALL TABLES IN SCHEMA notahat TO reader")
        status, output = doctor("--store", url.replace("postgres:@", "reader@", 1), "--port", "1")
        operator.execute("DROP OWNED BY reader; DROP ROLE reader")
    assert status == 1, output
    assert "PROBLEM: This user lacks rights: INSERT on notahat.tables, UPDATE on notahat.tables" in output


def test_doctor_reports_unreachable_database() -> None:
    status, output = doctor("--store", "postgresql://ada:secret@127.0.0.1:1/hats", "--port", "1")
    assert status == 1
    assert "PROBLEM: PostgreSQL does not answer: " in output
    assert "secret" not in output


async def create_schema(url: str) -> None:
    await (await open_store(url)).close()
