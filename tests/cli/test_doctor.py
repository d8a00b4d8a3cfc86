"""`notahat doctor` says in sentences what is wrong, and its exit code says whether anything is."""

import asyncio
import os
import sqlite3
import time
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from notahat.store import open_store
from support.in_process_cli import notahat, refusal
from support.postgres import Postgres
from support.server_process import Served


def doctor(*options: str | Path, **env: str) -> tuple[int, str]:
    ended = notahat("doctor", *options, env=env)
    assert ended.stderr == "", ended.stderr
    assert all(line.startswith(("Well: ", "WRONG: ")) for line in ended.stdout.splitlines()[:-1]), ended.stdout
    return ended.returncode, ended.stdout


async def used(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await store.append(uuid4(), 0, b"event")
    await store.close()


def test_where_nothing_is_yet_nothing_is_wrong(tmp_path: Path) -> None:
    status, said = doctor("--data", tmp_path / "new", "--port", "1")
    assert (status, said.splitlines()[-1]) == (0, "All is well."), said
    assert not (tmp_path / "new").exists(), "it changes nothing"


def test_a_server_that_is_well(tmp_path: Path) -> None:
    server = Served(tmp_path)
    server.start()
    try:
        status, said = doctor("--data", tmp_path, "--port", server.url.rpartition(":")[2])
    finally:
        server.stop()
    assert status == 0, said
    assert f"The server at {server.url} answers, and is well." in said
    assert "is whole, and keeps 0 tables" in said


def test_a_way_to_a_server_without_the_proxy_that_it_believes_in(tmp_path: Path) -> None:
    """The public address leads straight to the server here, which believes whatever people claim."""
    server = Served(tmp_path, NOTAHAT_BEHIND_PROXY="yes").start()
    try:
        port = server.url.rpartition(":")[2]
        env = {"NOTAHAT_BEHIND_PROXY": "yes", "NOTAHAT_PUBLIC_URL": server.url}
        status, said = doctor("--data", tmp_path, "--port", port, **env)
    finally:
        server.stop()
    assert (status, said.splitlines()[-1]) == (1, "1 thing is wrong."), said
    assert "WRONG: What people say in X-Forwarded-For is believed, so anybody can claim any address" in said
    assert "Well:  WebSockets get through." in said


def test_addresses_that_cannot_be_right(tmp_path: Path) -> None:
    env = {"NOTAHAT_BEHIND_PROXY": "yes", "NOTAHAT_HOST": "0.0.0.0"}  # noqa: S104
    status, said = doctor("--data", tmp_path, "--port", "1", **env)
    assert (status, said.splitlines()[-1]) == (1, "2 things are wrong."), said
    assert "can claim any address" in said
    assert "no NOTAHAT_PUBLIC_URL" in said
    status, said = doctor("--data", tmp_path, "--port", "1", "--public-url", "https://hats.example")
    assert status == 1
    assert "NOTAHAT_BEHIND_PROXY is not set: everybody seems to come from one address" in said


def test_a_file_that_others_can_read_or_that_is_of_the_future(tmp_path: Path) -> None:
    path = tmp_path / "notahat.db"
    asyncio.run(used(path))
    db = sqlite3.connect(path)
    db.execute("UPDATE log SET at = ?", (time.time() + 9000,))
    db.commit()
    db.close()
    path.chmod(0o644)
    status, said = doctor("--data", tmp_path, "--port", "1")
    assert (status, said.splitlines()[-1]) == (1, "2 things are wrong."), said
    assert f"WRONG: Others on this machine can read {path}: chmod 600 {path}" in said
    assert "s in the future: the clock was, or is, wrong." in said


def test_a_file_that_is_none_and_a_damaged_one(tmp_path: Path) -> None:
    path = tmp_path / "notahat.db"
    asyncio.run(used(path))
    pages = bytearray(path.read_bytes())
    pages[2 * 4096 : 3 * 4096] = os.urandom(4096)
    path.write_bytes(pages)
    path.chmod(0o600)
    status, said = doctor("--data", tmp_path, "--port", "1")
    assert status == 1
    assert "Restore a backup: notahat restore FILE." in said
    path.write_bytes(b"Dear Ada, this is no database. " * 200)
    status, said = doctor("--data", tmp_path, "--port", "1")
    assert status == 1
    assert f"WRONG: {path} cannot be read: file is not a database." in said


def test_a_database_and_a_user_who_may_not_write(postgres: Postgres) -> None:
    url = postgres.empty_database()
    asyncio.run(made(url))
    status, said = doctor("--store", url, "--port", "1")
    assert status == 0, said
    assert "This user has all rights it needs." in said
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(
            "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA notahat TO reader"
        )
        operator.execute("GRANT SELECT ON ALL TABLES IN SCHEMA notahat TO reader")
        status, said = doctor("--store", url.replace("postgres:@", "reader@", 1), "--port", "1")
        operator.execute("DROP OWNED BY reader; DROP ROLE reader")
    assert status == 1, said
    assert "WRONG: This user lacks rights: INSERT on notahat.tables, UPDATE on notahat.tables" in said


def test_a_database_that_is_not_there() -> None:
    status, said = doctor("--store", "postgresql://ada:secret@127.0.0.1:1/hats", "--port", "1")
    assert status == 1
    assert "WRONG: PostgreSQL does not answer: " in said
    assert "secret" not in said


async def made(url: str) -> None:
    await (await open_store(url)).close()


@pytest.mark.parametrize("command", [("doctor",), ("backup", "x"), ("restore", "x")])
def test_settings_that_cannot_be_are_told_as_everywhere(command: tuple[str, ...]) -> None:
    said = "notahat: a store's address starts with sqlite:// or postgresql://, not 'mysql://hats'"
    assert refusal(*command, "--store", "mysql://hats") == said
