"""What is special about the PostgreSQL store: many nodes, lost connections, a database that restarts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import psycopg
import pytest

from notahat.store import Commit, Store, TooNew, Unavailable, notifications, open_store, postgres_log
from notahat.store.migration import migrations
from notahat.store.postgres import PATIENCE_SECONDS, PostgresStore
from notahat.store.presence_leases import ELSEWHERE
from support import postgres as database
from support.postgres import Postgres
from support.timeouts import PATIENCE

pytestmark = pytest.mark.anyio


class Wire:
    """A wire between a store and PostgreSQL that can be cut at the worst moment."""

    def __init__(self, end: Path) -> None:
        self._end = end
        self.port = 0
        self.cut_when_sent: bytes | None = None
        self.cut_when_answered: bytes | None = None
        self.away = False  # whether nobody new gets through
        self.cuts = 0
        self._near: list[asyncio.StreamWriter] = []

    def address(self, url: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}{urlsplit(url).path}?sslmode=disable&gssencmode=disable"

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:

            def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                self._near.append(writer)
                group.create_task(self._carry(reader, writer))

            server = await asyncio.start_server(carry, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            yield
            server.close()
            for near in self._near:  # whoever gave up while connecting has not hung up yet
                near.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.away:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(str(self._end))
        deaf = asyncio.Event()
        answering = asyncio.create_task(self._answer(far_reader, writer, deaf))
        with suppress(ConnectionError):  # a client whose answer was cut off hangs up as rudely
            while data := await reader.read(65536):
                if self.cut_when_sent and self.cut_when_sent in data:
                    self.cut_when_sent, self.cuts = None, self.cuts + 1
                    break
                if self.cut_when_answered and self.cut_when_answered in data:
                    self.cut_when_answered = None
                    deaf.set()
                far_writer.write(data)
        far_writer.transport.abort()
        await answering

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, deaf: asyncio.Event) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if deaf.is_set():  # the commit has happened, and nobody will hear of it
                    self.cuts += 1
                    break
                writer.write(data)
        writer.transport.abort()


class HandClock:
    """In the place of `time`: it goes on only while somebody sleeps, and at once."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@asynccontextmanager
async def opened(url: str, patience_seconds: float = PATIENCE_SECONDS) -> AsyncIterator[Store]:
    store = await PostgresStore.open(url, patience_seconds)
    try:
        yield store
    finally:
        await store.close()


async def test_a_commit_whose_answer_was_lost_is_found_by_its_command_id(postgres: Postgres) -> None:
    url, wire, table = postgres.empty_database(), Wire(postgres.socket), uuid4()
    async with wire.laid(), opened(wire.address(url)) as store:
        await store.append(table, 0, b"event")
        wire.cut_when_answered = b"INSERT INTO notahat.log"
        commit = await store.append(table, 1, b"the answer is lost", "k3f9")
        assert (commit, wire.cuts) == (Commit(table, 2, "k3f9", b"the answer is lost"), 1)
        assert [commit.version for commit in await store.read(table)] == [1, 2]


async def test_an_append_that_never_arrived_is_sent_again(postgres: Postgres) -> None:
    url, wire, table = postgres.empty_database(), Wire(postgres.socket), uuid4()
    async with wire.laid(), opened(wire.address(url)) as store:
        await store.append(table, 0, b"event")
        wire.cut_when_sent = b"INSERT INTO notahat.log"
        commit = await store.append(table, 1, b"lost on the way", "k3f9")
        assert (commit.version, wire.cuts) == (2, 1)
        assert [commit.version for commit in await store.read(table)] == [1, 2]


async def test_a_lost_answer_to_an_append_without_a_command_id_is_resolved_too(postgres: Postgres) -> None:
    url, wire, table = postgres.empty_database(), Wire(postgres.socket), uuid4()
    async with wire.laid(), opened(wire.address(url)) as store:
        wire.cut_when_answered = b"INSERT INTO notahat.log"
        assert (await store.append(table, 0, b"a timer's move")).version == 1
        assert wire.cuts == 1
        assert len(await store.read(table)) == 1


async def test_a_database_that_stays_away_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        await PostgresStore.open("postgresql://postgres@127.0.0.1:1/nowhere", patience_seconds=0.3)


@asynccontextmanager
async def eight_tables(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Store, Wire, HandClock, list[UUID]]]:
    """Eight tables with a commit each, in a store whose patience is two seconds by a clock of its own."""
    url, wire, clock, tables = (
        postgres.empty_database(),
        Wire(postgres.socket),
        HandClock(),
        [uuid4() for _ in range(8)],
    )
    async with wire.laid(), opened(wire.address(url), patience_seconds=2) as store:
        await asyncio.gather(*(store.append(table, 0, b"event") for table in tables))
        monkeypatch.setattr(postgres_log, "time", clock)
        yield store, wire, clock, tables
    with psycopg.connect(url) as reader:
        counted = reader.execute("SELECT count(*), max(version) FROM notahat.log GROUP BY table_id").fetchall()
    assert counted == [(3, 3)] * 8


async def test_tables_that_wait_together_for_a_database_that_stays_away_wait_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with eight_tables(postgres, monkeypatch) as (store, wire, clock, tables):
        wire.away, wire.cut_when_answered = True, b"INSERT INTO notahat.log"
        moves = [store.append(table, 1, b"move", "k3f9") for table in tables]
        answers = await asyncio.gather(*moves, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Unavailable] * 8, "all was written, and nobody knows it"
        assert (wire.cuts, round(clock.now)) == (1, 2)
        wire.away = False
        for table in tables:
            assert await store.append(table, 1, b"move", "k3f9") == Commit(table, 2, "k3f9", b"move")
            assert (await store.append(table, 2, b"the next one")).version == 3


async def test_where_one_commit_is_bad_and_the_database_goes_away_the_others_wait_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with eight_tables(postgres, monkeypatch) as (store, wire, clock, tables):
        wire.away, wire.cut_when_sent = True, b"INSERT INTO notahat.log"  # each alone: the bad one is never sent
        moves = [store.append(table, 1, b"move", f"k{n}" if n else "nul \0") for n, table in enumerate(tables)]
        answers = await asyncio.gather(*moves, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Unavailable] * 8
        assert (wire.cuts, round(clock.now)) == (1, 2)
        wire.away = False
        for n, table in enumerate(tables):
            assert (await store.append(table, 1, b"move", f"k{n}")).version == 2
            assert (await store.append(table, 2, b"the next one")).version == 3


async def test_a_follower_hears_of_what_another_node_does(postgres: Postgres) -> None:
    url, table, ada, ben = postgres.empty_database(), uuid4(), uuid4(), uuid4()
    versions: asyncio.Queue[int] = asyncio.Queue()
    guests: asyncio.Queue[frozenset[UUID]] = asyncio.Queue()
    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.follow(table, versions.put_nowait, guests.put_nowait)
        await listening(url)
        await one.append(table, 1, b"event")
        while await asyncio.wait_for(versions.get(), PATIENCE) < 2:
            pass
        other.hold("other", {table: frozenset({ben})}, 60)
        for there in (frozenset({ada}), frozenset({ada, ben}), frozenset[UUID]()):
            one.hold("one", {table: there}, 60)
            assert await asyncio.wait_for(guests.get(), PATIENCE) == there
        stop()


async def test_who_is_elsewhere_is_one_question_for_many_tables(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 3600)
    url, asked, told = postgres.empty_database(), list[str](), dict[UUID, frozenset[UUID]]()
    held = {uuid4(): frozenset({uuid4()}) for _ in range(200)}

    class Counting(PostgresStore):
        async def _once(self, sql: LiteralString, *values: object) -> list[tuple[Any, ...]]:
            asked.append(sql)
            return await super()._once(sql, *values)

    async with opened(url) as one:
        one.hold("one", held, 60)
    store = await Counting.open(url)
    for table in held:
        store.follow(table, lambda _: None, partial(told.__setitem__, table))
    await asyncio.gather(*(store.look_around(table) for table in held))
    assert told == held
    assert asked.count(ELSEWHERE) <= 2, "it also looks once when it begins to listen"
    await store.close()
    with pytest.raises(asyncio.CancelledError):
        await store.look_around(uuid4())


async def test_who_was_on_a_node_that_died_is_gone_when_its_lease_ends(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 0.1)
    url, table, ada = postgres.empty_database(), uuid4(), uuid4()
    guests: asyncio.Queue[frozenset[UUID]] = asyncio.Queue()
    async with opened(url) as other:
        stop = other.follow(table, lambda _: None, guests.put_nowait)
        async with opened(url) as one:
            one.hold("one", {table: frozenset({ada})}, 1.0)
            assert await asyncio.wait_for(guests.get(), PATIENCE) == {ada}
        assert await asyncio.wait_for(guests.get(), PATIENCE) == frozenset()
        stop()


async def test_a_hold_is_renewed_when_half_of_it_is_over(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 0.1)
    url, table = postgres.empty_database(), uuid4()
    async with opened(url) as one:
        one.hold("one", {table: frozenset({uuid4()})}, 0.5)
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            ends = set[object]()
            while len(ends) < 3:
                cursor = await connection.execute("SELECT expires FROM notahat.holds")
                ends.update(await cursor.fetchall())
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("payload", ["", "nonsense", "a b c d", "voice not-a-uuid 3", f"voice {UUID(int=1)} many"])
async def test_words_that_are_not_ours_do_not_deafen_a_node(
    postgres: Postgres, payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 3600)  # only the bell can tell
    url, table = postgres.empty_database(), uuid4()
    versions: asyncio.Queue[int] = asyncio.Queue()
    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.follow(table, versions.put_nowait, lambda _: None)
        await listening(url)
        version, heard = 1, set[int]()
        async with asyncio.timeout(PATIENCE):
            while len(heard) < 2:  # whoever has not yet heard of others does not ring, and one of these was looked up
                version = (await one.append(table, version, b"event")).version
                while not versions.empty():
                    heard.add(versions.get_nowait())
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as stranger:
            for channel in notifications.CHANNELS:
                await stranger.execute("SELECT pg_notify(%s, %s)", (channel, payload))
        await one.append(table, version, b"event")
        while await asyncio.wait_for(versions.get(), PATIENCE) <= version:
            pass
        stop()


async def test_whatever_breaks_in_the_database_is_unavailable(postgres: Postgres) -> None:
    url, table = postgres.empty_database(), uuid4()
    async with opened(url) as store:
        await store.append(table, 0, b"event")
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute("ALTER TABLE notahat.log RENAME TO mislaid; ALTER TABLE notahat.guests RENAME TO lost")
            with pytest.raises(Unavailable):
                await store.append(table, 1, b"event")
            with pytest.raises(Unavailable):
                await store.guest(b"ada")
            with pytest.raises(Unavailable):
                await store.clean(60)
            operator.execute("ALTER TABLE notahat.mislaid RENAME TO log; ALTER TABLE notahat.lost RENAME TO guests")
        assert (await store.append(table, 1, b"event")).version == 2


async def test_a_commit_that_the_database_cannot_take_fails_alone(postgres: Postgres) -> None:
    url = postgres.empty_database()
    async with opened(url) as store:
        tries = [store.append(uuid4(), 0, b"event", "nul \0" if n == 3 else f"k{n}") for n in range(8)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert [isinstance(answer, Commit) for answer in answers] == [n != 3 for n in range(8)]
        assert isinstance(answers[3], Unavailable)


async def test_a_table_is_never_forgotten_by_half(postgres: Postgres) -> None:
    url = postgres.empty_database()
    async with opened(url) as one, opened(url) as other:
        for _ in range(10):
            table = uuid4()
            for version in range(3):
                await one.append(table, version, b"event")
            cleaned, *written = await asyncio.gather(
                other.clean(-1), *(one.append(table, 3 + n, b"event") for n in range(1)), return_exceptions=True
            )
            versions = [commit.version for commit in await one.read(table)]
            assert versions in ([], [1, 2, 3, 4]), (cleaned, written)


async def listening(url: str) -> None:
    """Wait until both nodes listen."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        while (await (await connection.execute(count)).fetchone()) != (2,):
            await asyncio.sleep(0.02)


async def test_all_followers_of_a_table_are_told_and_nobody_after_stopping(postgres: Postgres) -> None:
    url, table, heard = postgres.empty_database(), uuid4(), list[str]()
    told = asyncio.Event()

    def last(_: int) -> None:
        heard.append("last")
        told.set()

    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.follow(table, lambda _: heard.append("stopped"), lambda _: None)
        other.follow(table, lambda _: heard.append("first"), lambda _: None)
        other.follow(table, last, lambda _: None)
        other.follow(uuid4(), lambda _: heard.append("another table"), lambda _: None)
        stop()
        await listening(url)
        await one.append(table, 1, b"event")
        await asyncio.wait_for(told.wait(), PATIENCE)
    assert heard[:2] == ["first", "last"]
    assert {*heard} == {"first", "last"}


async def test_a_hint_that_was_lost_is_found_by_the_poll(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 0.1)
    url, table = postgres.empty_database(), uuid4()
    versions: asyncio.Queue[int] = asyncio.Queue()
    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.follow(table, versions.put_nowait, lambda _: None)
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as silent:
            await silent.execute("INSERT INTO notahat.log VALUES (%s, 2, now(), 'k', 'event')", (table,))
        while await asyncio.wait_for(versions.get(), PATIENCE) < 2:
            pass
        stop()


async def test_nodes_that_write_at_once_share_one_history(postgres: Postgres) -> None:
    url, table = postgres.empty_database(), uuid4()
    async with opened(url) as one, opened(url) as other:
        for version in range(10):
            both = (node.append(table, version, name) for node, name in ((one, b"one"), (other, b"other")))
            answers = await asyncio.gather(*both, return_exceptions=True)
            assert sum(isinstance(answer, Commit) for answer in answers) == 1
        assert await one.read(table) == await other.read(table)


async def test_nodes_that_start_together_make_the_schema_once(postgres: Postgres) -> None:
    url = postgres.empty_database()
    stores = await asyncio.gather(*(open_store(url) for _ in range(4)))
    await stores[0].append(uuid4(), 0, b"event")
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_database_with_the_first_schema_is_brought_up_to_date(postgres: Postgres) -> None:
    url, table = postgres.empty_database(), uuid4()
    with psycopg.connect(url, autocommit=True) as old:
        old.execute("CREATE SCHEMA notahat; CREATE TABLE notahat.schema (reached integer PRIMARY KEY)")
        old.execute(migrations("postgres")[0].sql.encode())
        old.execute("INSERT INTO notahat.schema VALUES (1)")
        old.execute("INSERT INTO notahat.tables VALUES (%s, 1)", (table,))
        old.execute("INSERT INTO notahat.commits VALUES (%s, 1, 'a', 'one')", (table,))
    async with opened(url) as store:
        assert [commit.events for commit in await store.read(table)] == [b"one"]
        assert await store.guest(b"new since then") is None
        assert (await store.append(table, 1, b"two")).version == 2


async def test_a_database_of_a_newer_release_is_left_alone(postgres: Postgres) -> None:
    url = postgres.empty_database()
    async with opened(url):
        pass
    with psycopg.connect(url, autocommit=True) as newer:
        newer.execute("INSERT INTO notahat.schema VALUES (%s)", (migrations("postgres")[-1].number + 1,))
    with pytest.raises(TooNew, match="newer release"):
        await open_store(url)


async def test_a_commit_waits_for_the_disk_even_if_the_operator_said_otherwise(postgres: Postgres) -> None:
    url = postgres.empty_database()
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{urlsplit(url).path[1:]}" SET synchronous_commit = off'.encode())
    store = await PostgresStore.open(url)
    assert await store._once("SHOW synchronous_commit") == [("on",)]
    assert store._log._connection().execute("SHOW synchronous_commit").fetchone() == ("on",)
    await store.close()


async def test_when_postgresql_crashes_and_returns_every_append_happened_once(anyio_backend: str) -> None:
    with database.running() as server:
        url, tables = server.empty_database(), [uuid4() for _ in range(8)]
        async with opened(url) as store, opened(url) as other:
            stop = asyncio.Event()
            logs: list[list[bytes]] = [[] for _ in tables]
            writing = [
                asyncio.create_task(write_until(stop, store, table, log))
                for table, log in zip(tables, logs, strict=True)
            ]
            versions: asyncio.Queue[int] = asyncio.Queue()
            other.follow(tables[0], versions.put_nowait, lambda _: None)
            await all_written(logs, more=3)
            await asyncio.to_thread(server.restart)
            await all_written(logs, more=3)
            stop.set()
            await asyncio.gather(*writing)
            for table, written in zip(tables, logs, strict=True):
                assert [commit.events for commit in await other.read(table)] == written
            newest = len(await store.read(tables[0]))
            while await asyncio.wait_for(versions.get(), PATIENCE) < newest:
                pass


async def write_until(stop: asyncio.Event, store: Store, table: UUID, written: list[bytes]) -> None:
    while not stop.is_set():
        commit = await store.append(table, len(written), b"event %d" % len(written))
        written.append(commit.events)


async def all_written(logs: list[list[bytes]], more: int) -> None:
    """Wait until each of these has grown by so many."""
    wanted = [len(log) + more for log in logs]
    async with asyncio.timeout(PATIENCE):
        while any(len(log) < least for log, least in zip(logs, wanted, strict=True)):
            await asyncio.sleep(0.01)


async def test_a_database_that_went_away_is_told_at_once_and_so_is_its_return(anyio_backend: str) -> None:
    with database.running() as server:
        async with opened(server.empty_database()) as store:
            await store.well()
            server.stop()
            with pytest.raises(Unavailable):
                async with asyncio.timeout(PATIENCE):
                    await store.well()
            await asyncio.to_thread(server.start)
            async with asyncio.timeout(PATIENCE):
                while True:
                    with suppress(Unavailable):
                        await store.well()
                        break
                    await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "ill",
    [
        "ALTER TABLE notahat.log RENAME TO mislaid",
        "ALTER DATABASE postgres SET default_transaction_read_only = on",
        "CREATE FUNCTION notahat.no_room() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE disk_full; END$$; CREATE TRIGGER no_room BEFORE UPDATE ON notahat.schema "
        "FOR EACH ROW EXECUTE FUNCTION notahat.no_room()",
    ],
)
async def test_a_database_that_takes_nothing_is_not_well(postgres: Postgres, ill: str) -> None:
    url = postgres.empty_database()
    async with opened(url) as store:
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute(ill.encode())
            operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND datname = current_database()"
            )
        for _ in range(2):  # the first one may only notice that its connection is gone
            with pytest.raises(Unavailable):
                await store.well()
    with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as operator:
        operator.execute("ALTER DATABASE postgres RESET ALL")
