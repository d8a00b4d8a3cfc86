"""What is special about the SQLite store: group commit, the sync before the answer, migrations, a full disk."""

import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notahat.store import (
    Commit,
    Conflict,
    Store,
    TooNew,
    Unavailable,
    open_store,
    sqlite,
    sqlite_cleanup,
    sqlite_health,
    sqlite_log,
)
from notahat.store.migration import migrations
from notahat.store.safe_clock import A_DAY
from notahat.store.sqlite import SqliteStore, connect, migrate
from notahat.store.sqlite_log import SqliteLog
from notahat.store.writer import Append, Change, Writer
from support import process_guard
from support.timeouts import PATIENCE

pytestmark = pytest.mark.anyio

OLD = UUID("6ba7b810-9dad-41d1-80b4-00c04fd430c8")


async def add_row(writer: Writer, number: int) -> None:
    await writer.write(lambda db: db.execute("INSERT INTO rows VALUES (?)", (number,)).fetchall())


def writer_of(connection: sqlite3.Connection) -> Writer:
    log = SqliteLog(connection)
    return Writer(log.together, log.close)


def with_rows(path: Path) -> sqlite3.Connection:
    connection = connect(str(path))
    migrate(connection)
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY)")
    return connection


def test_the_disk_is_waited_for_at_every_commit(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "tables.db"))
    full = 2
    assert connection.execute("PRAGMA synchronous").fetchone() == (full,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_writes_that_wait_together_are_committed_together(tmp_path: Path) -> None:
    connection = with_rows(tmp_path / "rows.db")
    said: list[str] = []
    connection.set_trace_callback(said.append)
    writer = writer_of(connection)
    await asyncio.gather(*(add_row(writer, number) for number in range(500)))
    await writer.close()
    assert sum(text.startswith("INSERT") for text in said) == 500
    assert said.count("COMMIT") < 50


async def test_nobody_is_answered_before_the_commit(tmp_path: Path) -> None:
    connection = with_rows(tmp_path / "rows.db")
    story: list[str] = []
    connection.set_trace_callback(story.append)
    writer = writer_of(connection)
    for number in range(20):
        await add_row(writer, number)
        story.append("answered")
    await writer.close()
    assert [text for text in story if text in ("COMMIT", "answered")] == ["COMMIT", "answered"] * 20


async def test_a_write_that_breaks_fails_alone(tmp_path: Path) -> None:
    writer = writer_of(with_rows(tmp_path / "rows.db"))
    numbers = [*range(10), 3, *range(10, 20)]
    answers = await asyncio.gather(*(add_row(writer, number) for number in numbers), return_exceptions=True)
    assert [type(answer) for answer in answers].count(Unavailable) == 1
    rows = await writer.write(lambda db: db.execute("SELECT number FROM rows").fetchall())
    assert rows == [(number,) for number in range(20)]
    await writer.close()


async def test_a_command_that_comes_again_among_others_gets_its_first_commit_and_leaves_them_alone(
    tmp_path: Path,
) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    table = uuid4()
    first = await store.append(table, 0, b"first", "k3f9")
    others = [store.append(uuid4(), 0, b"other") for _ in range(10)]
    again, *rest = await asyncio.gather(store.append(table, 1, b"again", "k3f9"), *others)
    assert again == first
    assert await store.read(table) == [first]
    assert [await store.read(one.table) for one in rest] == [[one] for one in rest]
    await store.close()


async def test_what_another_process_wrote_is_noticed(tmp_path: Path) -> None:
    url, table = f"sqlite:///{tmp_path}/tables.db", uuid4()
    one, other = await open_store(url), await open_store(url)
    await one.append(table, 0, b"one")
    await other.append(table, 1, b"other")
    with pytest.raises(Conflict):
        await one.append(table, 1, b"one")
    assert (await one.append(table, 2, b"one")).version == 3
    assert await one.read(table) == await other.read(table)
    await one.close()
    await other.close()


async def test_a_table_that_another_process_cleaned_away_is_gone(tmp_path: Path) -> None:
    url, table = f"sqlite:///{tmp_path}/tables.db", uuid4()
    one, other = await open_store(url), await open_store(url)
    await one.append(table, 0, b"one")
    assert await other.clean(-1) == 1
    with pytest.raises(Conflict):
        await one.append(table, 1, b"one")
    assert await one.read(table) == []
    await one.close()
    await other.close()


async def test_fifty_appends_at_once_are_one_statement_and_one_transaction(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "tables.db"))
    migrate(connection)
    log, tables, said = SqliteLog(connection), [uuid4() for _ in range(50)], list[str]()
    for version in (1, 2):
        jobs = [Append(Commit(table, version, uuid4().hex, b"event"), said.append, True) for table in tables]  # type: ignore[arg-type]
        connection.set_trace_callback(said.append if version == 2 else None)
        log.together(list(jobs))
        assert [job.result for job in jobs] == [job.wanted for job in jobs]
    assert len(said) == 1
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (100,)
    connection.close()


async def test_a_batch_with_one_of_each_kind_is_one_transaction(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "tables.db"))
    migrate(connection)
    log, known, old, new = SqliteLog(connection), uuid4(), uuid4(), uuid4()

    def append(table: UUID, version: int, sure: bool) -> Append:
        return Append(Commit(table, version, uuid4().hex, b"event"), print, sure)

    log.together([append(known, 1, True), append(old, 1, True)])
    said: list[str] = []
    connection.set_trace_callback(said.append)
    change = Change(lambda db: db.execute("SELECT count(*) FROM log").fetchone(), print)
    late, jobs = append(old, 1, False), [append(known, 2, True), append(old, 2, False), append(new, 1, True)]
    log.together([*jobs, change, late])
    assert [job.result for job in jobs] == [job.wanted for job in jobs]
    assert (change.result, type(late.result)) == ((5,), Conflict)
    assert (said[0], said[-1], said.count("COMMIT")) == ("BEGIN IMMEDIATE", "COMMIT", 1)
    connection.close()


class Two:
    """Two processes with one file, of which one may die at any time, beside what should be in it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.tables = [UUID(int=n + 1) for n in range(3)]
        self.wanted: dict[UUID, list[Commit]] = {table: [] for table in self.tables}

    async def run(self, steps: list[tuple[int, int, int, int]]) -> None:
        stores = [await open_store(self._url) for _ in range(2)]
        for who, which, back, command in steps:
            if back < 0:  # it dies without noting anything, and another takes its place
                stores[who]._log._note = lambda: None  # type: ignore[attr-defined]
                await stores[who].close()
                stores[who] = await open_store(self._url)
            else:
                await self._append(stores[who], self.tables[which], back, f"k{command}")
            assert await stores[1 - who].read(self.tables[which]) == self.wanted[self.tables[which]]
        for store in stores:
            assert [await store.read(table) for table in self.tables] == list(self.wanted.values())
            await store.close()

    async def _append(self, store: Store, table: UUID, back: int, command: str) -> None:
        log = self.wanted[table]
        first = next((commit for commit in log if commit.command == command), None)
        try:
            commit = await store.append(table, len(log) - back, b"event %d" % len(log), command)
        except Conflict:
            assert (first, back) != (None, 0)
            assert first is None
        else:
            assert commit == (first or Commit(table, len(log) + 1, command, b"event %d" % len(log)))
            if first is None:
                log.append(commit)


steps = st.tuples(st.integers(0, 1), st.integers(0, 2), st.sampled_from([0, 0, 0, 0, 1, -1]), st.integers(0, 12))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, max_size=25))
def test_two_processes_with_one_file_share_one_history(
    monkeypatch: pytest.MonkeyPatch, steps: list[tuple[int, int, int, int]]
) -> None:
    monkeypatch.setattr(sqlite_log, "NOTE_AFTER", 4)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(Two(f"sqlite:///{folder}/tables.db").run(steps))


async def test_while_somebody_else_writes_all_wait_together_and_not_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    tables = [uuid4() for _ in range(100)]
    await asyncio.gather(*(store.append(table, 0, b"event") for table in tables))
    other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said: list[str] = []
    store._log._db.set_trace_callback(said.append)
    tries = [store.append(table, 1, b"event", "k3f9") for table in tables]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert {type(answer) for answer in answers} == {Unavailable}
    assert len(said) <= 2, "one try for all of them, and not a hundred"
    store._log._db.set_trace_callback(None)
    other.execute("ROLLBACK")
    other.close()
    again = await asyncio.gather(*(store.append(table, 1, b"event", "k3f9") for table in tables))
    assert [commit.version for commit in again] == [2] * 100
    await store.close()


async def test_a_closed_store_takes_nothing(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    await store.close()
    with pytest.raises(Unavailable):
        await store.append(uuid4(), 0, b"event")


async def test_what_waits_when_the_store_closes_is_still_written(tmp_path: Path) -> None:
    url, table = f"sqlite:///{tmp_path}/tables.db", uuid4()
    store = await open_store(url)
    waiting = [asyncio.create_task(store.append(uuid4(), 0, b"event")) for _ in range(20)]
    waiting.append(asyncio.create_task(store.append(table, 0, b"event")))
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    store = await open_store(url)
    assert len(await store.read(table)) == 1
    await store.close()


async def test_on_a_full_disk_nothing_is_promised_and_the_command_can_come_again(tmp_path: Path) -> None:
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


async def test_a_file_with_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "tables.db")
    old.executescript(Path(__file__).with_name("schema_1.sql").read_text())
    old.close()
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    assert [commit.events for commit in await store.read(OLD)] == [b"one", b"two"]
    assert await store.table_of("K7QX") == OLD
    assert (await store.append(OLD, 2, b"three")).version == 3
    assert await store.guest(b"new since then") is None
    await store.close()


def test_a_migrated_file_has_the_same_schema_as_a_new_one(tmp_path: Path) -> None:
    old, new = connect(str(tmp_path / "old.db")), connect(str(tmp_path / "new.db"))
    old.executescript(Path(__file__).with_name("schema_1.sql").read_text())
    shapes = []
    for db in (old, new):
        migrate(db)
        names = db.execute("SELECT type, name FROM sqlite_schema ORDER BY name").fetchall()
        columns = [db.execute(f"PRAGMA table_info({name})").fetchall() for type_, name in names if type_ == "table"]
        shapes.append((names, columns, db.execute("PRAGMA user_version").fetchone()))
        db.close()
    assert shapes[0] == shapes[1]


async def test_a_file_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    newer = sqlite3.connect(tmp_path / "tables.db")
    newer.execute(f"PRAGMA user_version = {migrations('sqlite')[-1].number + 1}")
    newer.close()
    with pytest.raises(TooNew, match="newer release"):
        await open_store(f"sqlite:///{tmp_path}/tables.db")


async def test_guests_who_were_not_seen_for_long_are_forgotten(tmp_path: Path) -> None:
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


WRITES_AND_TELLS = """
import asyncio, sys
from uuid import UUID
from notahat.store import open_store

async def write(store, table):
    for version in range(1_000_000):
        await store.append(table, version, b"event %d" % (version + 1))
        print(table, version + 1, flush=True)

async def main():
    store = await open_store(sys.argv[1])
    await asyncio.gather(*(write(store, UUID(int=n)) for n in range(1, 9)))

asyncio.run(main())
"""


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    url, told = f"sqlite:///{tmp_path}/tables.db", tmp_path / "told"
    with told.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-c", WRITES_AND_TELLS, url], stdout=out)
    process_guard.hold(process)
    deadline = time.monotonic() + PATIENCE
    while told.stat().st_size < 2000 and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    process_guard.let_go(process)
    process.kill()
    process.wait()
    acknowledged: dict[UUID, int] = {}
    for line in told.read_text().splitlines()[:-1]:  # the last line may be torn
        table, _, version = line.partition(" ")
        acknowledged[UUID(table)] = int(version)
    assert len(acknowledged) == 8
    store = await open_store(url)
    for table_id, newest in acknowledged.items():
        commits = await store.read(table_id)
        assert len(commits) >= newest
        assert [commit.events for commit in commits] == [b"event %d" % (n + 1) for n in range(len(commits))]
    await store.close()


async def test_a_clock_that_is_set_far_ahead_while_we_run_cleans_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, table, real = await open_store(f"sqlite:///{tmp_path}/tables.db"), uuid4(), time.time
    await store.append(table, 0, b"event")
    monkeypatch.setattr(time, "time", lambda: real() + 400 * A_DAY)
    await store.append(uuid4(), 0, b"of the future")
    assert await store.clean(30 * A_DAY) == 0
    assert len(await store.read(table)) == 1
    await store.close()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_only_the_owner_may_read_what_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "hats" / "kept"
    store = await open_store(f"sqlite:///{folder}/tables.db")
    await store.append(uuid4(), 0, b"event")
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "tables.db": 0o600,
        "tables.db-wal": 0o600,
        "tables.db-shm": 0o600,
    }
    await store.close()


async def test_a_file_that_others_could_read_is_closed_to_them_and_a_folder_of_the_operators_stays(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "tables.db").touch(0o644)
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    await store.append(uuid4(), 0, b"event")
    assert (mode(tmp_path / "tables.db"), mode(tmp_path / "tables.db-wal"), mode(tmp_path)) == (0o600, 0o600, 0o755)
    await store.close()


@pytest.mark.parametrize("made", ["new", "by an older release"])
async def test_the_file_shrinks_when_tables_are_cleaned_away(
    tmp_path: Path, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_cleanup, "PAGES_TO_SPARE", 10)
    path = tmp_path / "tables.db"
    if made != "new":
        old = sqlite3.connect(path)
        old.executescript(Path(__file__).with_name("schema_1.sql").read_text())
        old.close()
    store = await open_store(f"sqlite:///{path}")
    await asyncio.gather(*(store.append(uuid4(), 0, b"x" * 20_000) for _ in range(50)))
    await store.close()
    full = path.stat().st_size
    assert full > 1_000_000
    store = await open_store(f"sqlite:///{path}")
    assert await store.clean(-1) >= 50
    await store.close()
    assert path.stat().st_size < full / 4


async def test_a_slice_of_cleaning_ends_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: here whatever is done takes longer than a millisecond, and a slice has two."""
    monkeypatch.setattr(sqlite_cleanup, "PAGES_TO_SPARE", 0)
    monkeypatch.setattr(sqlite_cleanup, "BREATH_SECONDS", 0.0)
    monkeypatch.setattr(sqlite_cleanup, "monotonic", count(0.0, 0.0011).__next__)
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    for _ in range(7):
        commit = await store.append(uuid4(), 0, b"x" * 9000)
        await store.append(commit.table, 1, b"event")
        await store.create_alias(commit.table.hex[:4], commit.table)
    await store.close()  # the tables know their newest rows now, so that cleaning need not tell them
    store = await SqliteStore.open(f"sqlite:///{tmp_path}/tables.db")
    changed: list[int] = []
    write = store._writer.write

    async def watched(change: Callable[[sqlite3.Connection], Any]) -> Any:
        def counting(db: sqlite3.Connection) -> Any:
            before = db.total_changes, *db.execute("PRAGMA page_count").fetchone()
            result = change(db)
            after = db.total_changes, *db.execute("PRAGMA page_count").fetchone()
            changed.append(max(after[0] - before[0], before[1] - after[1]))
            return result

        return await write(counting)

    monkeypatch.setattr(store._writer, "write", watched)
    assert await store.clean(-1) == 7
    assert len(changed) > 7 * 2 / 2
    assert max(changed) <= 2 * 3 + 1  # two tables, each touched, condemned, its code taken away; and what is noted
    await store.close()


ILLS = ("deleted", "replaced", "no write-ahead log", "emptied", "scribbled over")


@pytest.mark.parametrize("ill", ILLS)
async def test_a_store_whose_file_was_deleted_or_wrecked_does_not_say_that_it_is_well(tmp_path: Path, ill: str) -> None:
    path = tmp_path / "tables.db"
    for _ in range(2):  # after the first, all is in the file itself
        store = await open_store(f"sqlite:///{path}")
        await store.append(uuid4(), 0, b"event")
        await store.well()
        await store.close()
    store = await open_store(f"sqlite:///{path}")
    await store.well()
    match ill:
        case "deleted":
            path.unlink()
        case "replaced":
            path.rename(tmp_path / "aside.db")
            (tmp_path / "tables.db").write_bytes((tmp_path / "aside.db").read_bytes())
        case "no write-ahead log":
            path.with_name("tables.db-wal").unlink()
        case "emptied":
            os.truncate(path, 0)
        case "scribbled over":
            scribble = f"open({str(path)!r}, 'r+b').write(b'hat' * 5000)"  # not here: closing it would end our locks
            subprocess.run([sys.executable, "-c", scribble], check=True)
    with pytest.raises(Unavailable):
        await store.well()
    await store.close()


async def test_a_store_that_can_write_no_more_does_not_say_that_it_is_well(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    await store.append(uuid4(), 0, b"event")
    longest, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "tables.db-wal").stat().st_size, most))
    try:
        with pytest.raises(Unavailable):
            await store.well()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (longest, most))
    await store.well()
    await store.close()


async def test_a_store_on_a_disk_that_is_nearly_full_does_not_say_that_it_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    monkeypatch.setattr(sqlite_health, "LEAST_FREE", 2**62)
    with pytest.raises(Unavailable, match="disk"):
        await store.well()
    await store.close()


@pytest.mark.parametrize("broken", ["not a database", "newer schema"])
async def test_failed_open_closes_its_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    path = tmp_path / "tables.db"
    if broken == "not a database":
        path.write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = 1000")
    opened: list[sqlite3.Connection] = []
    real = sqlite3.connect

    def recorded(*values: Any, **options: Any) -> sqlite3.Connection:
        opened.append(real(*values, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", recorded)
    with pytest.raises((sqlite3.DatabaseError, TooNew)):
        await open_store(f"sqlite:///{path}")
    assert opened
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
