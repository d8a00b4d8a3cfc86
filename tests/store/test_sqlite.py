"""The SQLite store: group commit, sync before the acknowledgement, several processes, migrations, damaged files."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from notahat.store import Commit, Store, Unavailable, open_store, sqlite
from notahat.store.sql_store import A_DAY, migrations
from notahat.store.sqlite import SqliteStore
from notahat.store.sqlite_file import connect, migrate

pytestmark = pytest.mark.anyio

SCHEMA = migrations("sqlite")[-1].number
FILES = sorted((Path(__file__).parent / "releases").glob("*.sql"))
RELEASES = [file for file in FILES if f"user_version = {SCHEMA};" not in file.read_text()]  # of an older schema


def test_commits_wait_for_disk(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "tables.db"))
    full = 2
    assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_failing_write_fails_alone(tmp_path: Path) -> None:
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    writes = [store._write("INSERT INTO guests VALUES (?, x'', 0)", hash_) for hash_ in (b"1", b"2", b"1", b"3")]
    answers = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(answer) for answer in answers] == [list, list, Unavailable, list]
    await store.close()


async def test_append_can_be_retried_after_full_disk(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "tables.db"))
    migrate(connection)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    writer = store._writer  # type: ignore[attr-defined]
    await writer.write(lambda db: db.execute(f"PRAGMA max_page_count = {pages + 2}").fetchall())
    table, small = uuid4(), await store.append(uuid4(), 0, b"small")
    with pytest.raises(Unavailable):
        await store.append(table, 0, b"x" * 100_000, "k3f9")
    assert await store.read(table) == []
    assert await store.read(small.table) == [small]
    await writer.write(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchall())
    assert (await store.append(table, 0, b"x" * 100_000, "k3f9")).version == 1
    await store.close()


def make_file_of(release: Path, path: Path) -> list[str]:
    """Write the file of a release; return its contents as SQL."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(release.read_text())
    return contents(path)


def contents(path: Path | str) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [*db.iterdump()]


def schema(path: Path | str) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
async def test_file_of_release_is_migrated(tmp_path: Path, release: Path) -> None:
    path, new = tmp_path / "tables.db", tmp_path / "new.db"
    before = make_file_of(release, path)
    with closing(sqlite3.connect(path)) as old:
        (number,) = old.execute("PRAGMA user_version").fetchone()
        rows = "SELECT table_id, version, command, events FROM {} ORDER BY table_id, version"
        found = old.execute(rows.format("log" if number > 2 else "commits")).fetchall()
    expected = [Commit(UUID(bytes=id_), *row) for id_, *row in found]
    store = await open_store(f"sqlite:///{path}")
    assert [commit for table in sorted(await store.tables()) for commit in await store.read(table)] == expected
    for table, newest in {commit.table: commit.version for commit in expected}.items():
        assert (await store.append(table, newest, b"event")).version == newest + 1
    assert await store.table_of("K7QX") in {commit.table for commit in expected}
    await store.close()
    await (await open_store(f"sqlite:///{new}")).close()
    assert schema(path) == schema(new)
    assert contents(f"{path}.schema-{number}") == before
    assert mode(Path(f"{path}.schema-{number}")) == 0o600


class FailingConnection(sqlite3.Connection):
    """A connection whose statement number `fails_at` finds the disk full."""

    fails_at = 0

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self.fails_at -= 1
        if self.fails_at == 0:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, *values)


def test_interrupted_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    before = make_file_of(RELEASES[-1], path)
    for number in count(1):
        with closing(sqlite3.connect(path, isolation_level=None, factory=FailingConnection)) as db:
            db.fails_at = number
            try:
                migrate(db, str(path))
                break
            except sqlite3.OperationalError:
                pass
        assert contents(path) == before
    assert number > len(migrations("sqlite")[-1].statements)
    assert contents(path) != before
    assert contents(f"{path}.schema-3") == before


async def test_guests_not_seen_for_long_are_deleted(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    for name in (b"ada", b"ben"):
        await store.add_guest(name)
    long_ago = time.time() - 100 * 24 * 3600
    other = sqlite3.connect(tmp_path / "tables.db")
    other.execute("UPDATE guests SET seen = ?", (long_ago,))
    other.commit()
    other.close()
    assert await store.guest(b"ada") is not None  # seen again
    await store.clean(30 * 24 * 3600)
    assert await store.guest(b"ada") is not None
    assert await store.guest(b"ben") is None
    await store.close()


async def test_clock_set_ahead_at_runtime_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, table, real = await open_store(f"sqlite:///{tmp_path}/tables.db"), uuid4(), time.time
    await store.append(table, 0, b"event")
    monkeypatch.setattr(time, "time", lambda: real() + 400 * A_DAY)
    await store.append(uuid4(), 0, b"of the future")
    assert await store.clean(30 * A_DAY) == 0
    assert len(await store.read(table)) == 1
    await store.close()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_new_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "hats" / "kept"
    store = await open_store(f"sqlite:///{folder}/tables.db")
    await store.append(uuid4(), 0, b"event")
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "tables.db": 0o600,
        "tables.db-wal": 0o600,
        "tables.db-shm": 0o600,
        "tables.db-newest": 0o600,
    }
    await store.close()
    assert [path.name for path in folder.iterdir()] == ["tables.db"]


@pytest.mark.parametrize("made", ["new", "by an older release"])
async def test_file_shrinks_after_cleanup(tmp_path: Path, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "FREE_PAGES_KEPT", 10)
    path = tmp_path / "tables.db"
    if made != "new":
        make_file_of(RELEASES[0], path)
    store = await open_store(f"sqlite:///{path}")
    await asyncio.gather(*(store.append(uuid4(), 0, b"x" * 20_000) for _ in range(50)))
    await store.close()
    full = path.stat().st_size
    assert full > 1_000_000
    store = await open_store(f"sqlite:///{path}")
    assert await store.clean(-1) >= 50
    await store.close()
    assert path.stat().st_size < full / 4


async def test_cleanup_slice_ends_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine, simulated by a clock: each step takes more than a millisecond, and a slice has two."""
    monkeypatch.setattr(sqlite, "FREE_PAGES_KEPT", 0)
    monkeypatch.setattr(sqlite, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "monotonic", count(0.0, 0.0011).__next__)
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    for _ in range(7):
        await store.append(uuid4(), 0, b"x" * 9000)
    changed: list[int] = []
    write = store._writer.write

    async def counted(change: Callable[[sqlite3.Connection], Any]) -> Any:
        def counting(db: sqlite3.Connection) -> Any:
            before = db.total_changes, *db.execute("PRAGMA page_count").fetchone()
            result = change(db)
            after = db.total_changes, *db.execute("PRAGMA page_count").fetchone()
            changed.append(max(after[0] - before[0], before[1] - after[1]))
            return result

        return await write(counting)

    monkeypatch.setattr(store._writer, "write", counted)
    assert await store.clean(-1) == 7
    assert len(changed) > 7 / 2
    assert max(changed) <= 2 * 2  # two tables with one entry each
    await store.close()


async def store_with_table(path: Path) -> tuple[Store, UUID]:
    """Return an open store with pages in the file, newer ones in the write-ahead log, and a table with one commit."""
    for _ in range(2):  # closing moves everything from the write-ahead log to the file
        store = await open_store(f"sqlite:///{path}")
        await store.append(uuid4(), 0, b"event" * 4000)
        await store.check_health()
        await store.close()
    store = await open_store(f"sqlite:///{path}")
    table = (await store.append(uuid4(), 0, b"event", "first")).table
    await store.check_health()
    return store, table


DAMAGES: dict[str, Callable[[Path, Path], object]] = {
    "deleted": lambda path, _: path.unlink(),
    "replaced": lambda path, _: shutil.copy(path.rename(path.with_name("aside.db")), path),
    "no write-ahead log": lambda _, wal: wal.unlink(),
    "emptied": lambda path, _: os.truncate(path, 0),
    "cut": lambda path, _: os.truncate(path, path.stat().st_size // 2),
    "cut write-ahead log": lambda _, wal: os.truncate(wal, wal.stat().st_size // 2),
    "empty write-ahead log": lambda _, wal: os.truncate(wal, 0),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_nothing_is_acknowledged_without_its_file(tmp_path: Path, damage: str) -> None:
    """What is written to a deleted file is lost at the next start."""
    path = tmp_path / "tables.db"
    store, table = await store_with_table(path)
    DAMAGES[damage](path, path.with_name("tables.db-wal"))
    for _ in range(2):
        with pytest.raises(Unavailable, match=r"tables\.db(-wal)? was"):
            await store.append(table, 1, b"event", "second")
        with pytest.raises(Unavailable, match=r"tables\.db(-wal)? was"):
            await store.add_guest(b"ada")
        with pytest.raises(Unavailable):
            await store.check_health()
    if damage == "replaced":  # the file is back
        path.with_name("aside.db").rename(path)
        assert (await store.append(table, 1, b"event", "second")).version == 2
    await store.close()


async def test_writer_refuses_while_health_check_fails(tmp_path: Path) -> None:
    """Content that was overwritten has the same inode and size: the health check finds it, the writer believes it."""
    path = tmp_path / "tables.db"
    store, table = await store_with_table(path)
    await store.close()
    store = await open_store(f"sqlite:///{path}")
    before = path.read_bytes()
    overwrite = f"open({str(path)!r}, 'r+b').write(b'hat' * 5000)"  # elsewhere: closing the file drops our locks
    subprocess.run([sys.executable, "-c", overwrite], check=True)
    with pytest.raises(Unavailable):
        await store.check_health()
    with pytest.raises(Unavailable):
        await store.append(table, 1, b"event", "second")
    repair = f"import sys; open({str(path)!r}, 'r+b').write(sys.stdin.buffer.read())"
    subprocess.run([sys.executable, "-c", repair], input=before, check=True)
    assert (await store.append(table, 1, b"event", "second")).version == 2
    await store.close()


async def test_log_that_another_process_empties_is_not_refused(tmp_path: Path) -> None:
    """`notahat forget` empties the write-ahead log, and may write again before the server does."""
    path = tmp_path / "tables.db"
    store, table = await store_with_table(path)
    await asyncio.gather(*(store.append(uuid4(), 0, b"x" * 5000) for _ in range(20)))
    for _ in range(2):
        forgetting = await open_store(f"sqlite:///{path}")
        assert await forgetting.erase_deleted()
        await forgetting.add_guest(b"ada")
        await forgetting.close()
    assert (await store.append(table, 1, b"event", "second")).version == 2
    await store.close()


async def test_emptying_the_log_does_not_stop_writes(tmp_path: Path) -> None:
    """While somebody reads, for a backup, the log cannot be emptied: it is tried in short moments."""
    store, table = await store_with_table(tmp_path / "tables.db")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM log").fetchall()
        await store.append(table, 1, b"event", "second")
        forgetting = await open_store(f"sqlite:///{tmp_path}/tables.db")
        erasing = asyncio.create_task(forgetting.erase_deleted())
        for version in range(2, 22):
            assert (await store.append(table, version, b"event")).version == version + 1
        assert not await erasing
    assert await forgetting.erase_deleted()
    await forgetting.close()
    await store.close()


async def test_file_that_shrinks_itself_is_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "FREE_PAGES_KEPT", 10)
    path = tmp_path / "tables.db"
    store = await open_store(f"sqlite:///{path}")
    await asyncio.gather(*(store.append(uuid4(), 0, b"x" * 100_000) for _ in range(80)))
    full = path.stat().st_size
    assert await store.clean(-1) == 80
    for size in (1_000_000, 5_000_000, 10, 10):  # more than a checkpoint waits for
        await store.append(uuid4(), 0, b"x" * size)
    assert path.stat().st_size < full
    await store.check_health()
    await store.close()


@pytest.mark.parametrize("damage", ["nothing", "flipped", "deleted", "table forgotten"])
async def test_lost_commits_are_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str) -> None:
    """SQLite itself says nothing about a write-ahead file that it cannot read."""
    running, crashed = tmp_path / "running", tmp_path / "crashed"
    store, table = await store_with_table(running / "tables.db")
    for version in range(1, 60):
        await store.append(table, version, b"event")
    if damage == "table forgotten":
        await store.delete_table(table)
    shutil.copytree(running, crashed)  # as a killed process leaves it
    await store.close()
    wal = crashed / "tables.db-wal"
    if damage == "deleted":
        wal.unlink()
    elif damage == "flipped":
        pages = bytearray(wal.read_bytes())
        pages[len(pages) // 2] ^= 1
        wal.write_bytes(pages)
    lost = crashed / "tables.db-lost"
    for _ in range(2):
        await (await SqliteStore.open(f"sqlite:///{crashed / 'tables.db'}")).close()
    is_lost = damage in ("flipped", "deleted")
    assert caplog.messages == (["acknowledged moves are missing"] * 2 if is_lost else [])
    assert (
        lost.read_text().count(f"the table {table} had 60 entries and now has ") if is_lost else lost.exists()
    ) == is_lost


async def test_log_with_a_gap_cannot_be_read(tmp_path: Path) -> None:
    """Only by hand can there be one; the state of that table would be wrong, and the others are not concerned."""
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    other, table = (await store.append(uuid4(), 0, b"event")).table, uuid4()
    for version in range(5):
        await store.append(table, version, b"event")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db, db:
        db.execute("DELETE FROM log WHERE version = 3")
    for after in (0, 1, 2):
        with pytest.raises(Unavailable, match="damaged"):
            await store.read(table, after)
    assert [commit.version for commit in await store.read(table, 3)] == [4, 5]
    assert len(await store.read(other)) == 1
    await store.close()


async def test_endless_read_is_interrupted_at_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "CLOSING_TIMEOUT_SECONDS", 0.05)
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    read = asyncio.create_task(store._read(endless))
    await asyncio.sleep(0)
    await store.close()
    with pytest.raises(Unavailable, match="interrupted"):
        await read
