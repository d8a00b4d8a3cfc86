"""The PostgreSQL store: several nodes, lost connections, database restarts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import psycopg
import pytest

from notahat.store import Commit, Store, Unavailable, notifications, open_store
from notahat.store.postgres import PostgresStore
from notahat.store.sql_store import migrations
from support.postgres import Postgres
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio


class CuttingProxy:
    """A proxy between a store and PostgreSQL that cuts connections at given moments."""

    def __init__(self, end: Path) -> None:
        self._end = end
        self.port = 0
        self.cut_when_sent: bytes | None = None
        self.cut_when_answered: bytes | None = None
        self.away = False  # refuse new connections
        self.silent = asyncio.Event()  # swallow answers instead of cutting the connection
        self.cuts = 0
        self.swallowed = asyncio.Event()  # an answer that the client never gets
        self._near: list[asyncio.StreamWriter] = []

    def address(self, url: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}{urlsplit(url).path}?sslmode=disable&gssencmode=disable"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:

            def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                self._near.append(writer)
                group.create_task(self._carry(reader, writer))

            server = await asyncio.start_server(carry, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            yield
            server.close()
            for near in self._near:  # clients that gave up while connecting have not closed
                near.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.away:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(str(self._end))
        cut = asyncio.Event()
        answering = asyncio.create_task(self._answer(far_reader, writer, cut))
        with suppress(ConnectionError):  # a client without a response resets the connection
            while data := await reader.read(65536):
                if self.cut_when_sent and self.cut_when_sent in data:
                    self.cut_when_sent, self.cuts = None, self.cuts + 1
                    break
                if self.cut_when_answered and self.cut_when_answered in data:
                    self.cut_when_answered = None
                    cut.set()
                far_writer.write(data)
        far_writer.transport.abort()
        await answering

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: asyncio.Event) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if cut.is_set():  # the commit has happened, but the client never learns it
                    self.cuts += 1
                    self.swallowed.set()
                    if not self.silent.is_set():
                        break
                else:
                    writer.write(data)
        writer.transport.abort()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await PostgresStore.open(url)
    try:
        yield store
    finally:
        await store.close()


@pytest.mark.parametrize("lost", ["cut_when_sent", "cut_when_answered"])
@pytest.mark.parametrize("command", ["k3f9", None])
async def test_append_over_a_lost_connection_is_resolved(postgres: Postgres, lost: str, command: str | None) -> None:
    """The append or its answer was lost: the store finds out which. A timer's append has no command id."""
    url, proxy, table = postgres.empty_database(), CuttingProxy(postgres.socket), uuid4()
    async with proxy.running(), opened(proxy.address(url)) as store:
        await store.append(table, 0, b"event")
        setattr(proxy, lost, b"INSERT INTO notahat.log")
        commit = await store.append(table, 1, b"move", command)
        assert (commit.version, proxy.cuts) == (2, 1)
        assert (await store.read(table))[1:] == [commit]


@pytest.mark.parametrize("closing", [False, True])
async def test_silent_connection_is_given_up(postgres: Postgres, closing: bool) -> None:
    """A hung pooler keeps the connection and never answers: the store uses another one, or closes without it."""
    url, proxy, table = postgres.empty_database(), CuttingProxy(postgres.socket), uuid4()
    async with proxy.running():
        store = await PostgresStore.open(proxy.address(url))
        await store.append(table, 0, b"event")
        proxy.silent.set()
        proxy.cut_when_answered = b"INSERT INTO notahat.log"
        appending = asyncio.ensure_future(store.append(table, 1, b"move"))
        async with asyncio.timeout(TIMEOUT):
            await proxy.swallowed.wait()
            if not closing:
                store._watch.break_silent(0.0)
                assert (await appending).version == 2
                assert len(await store.read(table)) == 2
            await store.close()
        appending.cancel()


async def test_database_without_rights_is_unavailable(postgres: Postgres) -> None:
    """So that the server can report it in one line, without a traceback."""
    with psycopg.connect(postgres.empty_database(), autocommit=True) as administrator:
        administrator.execute("CREATE ROLE nobody_much LOGIN")
        try:
            with pytest.raises(Unavailable, match="permission denied"):
                await open_store(postgres.address.replace("postgres:@", "nobody_much:@"))
        finally:
            administrator.execute("DROP ROLE nobody_much")


async def test_outage_fails_all_of_a_batch_that_may_be_written(postgres: Postgres) -> None:
    url, proxy, tables = postgres.empty_database(), CuttingProxy(postgres.socket), [uuid4() for _ in range(8)]
    async with proxy.running(), opened(proxy.address(url)) as store:
        store._log._outage_seconds = 0  # type: ignore[attr-defined]
        await asyncio.gather(*(store.append(table, 0, b"event") for table in tables))
        proxy.away, proxy.cut_when_answered = True, b"INSERT INTO notahat.log"
        moves = [store.append(table, 1, b"move", "k3f9") for table in tables]
        answers = await asyncio.gather(*moves, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Unavailable] * 8
        proxy.away = False
        for table in tables:
            assert await store.append(table, 1, b"move", "k3f9") == Commit(table, 2, "k3f9", b"move")


async def test_presence_on_other_nodes_is_reported(postgres: Postgres) -> None:
    url, table, ada, ben = postgres.empty_database(), uuid4(), uuid4(), uuid4()
    guests: asyncio.Queue[frozenset[UUID]] = asyncio.Queue()
    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.subscribe(table, lambda _: None, guests.put_nowait)
        await listening(url)
        other.publish_presence("other", {table: frozenset({ben})}, 60)
        for there in (frozenset({ada}), frozenset({ada, ben}), frozenset[UUID]()):
            one.publish_presence("one", {table: there}, 60)
            assert await asyncio.wait_for(guests.get(), TIMEOUT) == there
        stop()


MALFORMED = ("", "nonsense", "a b c d", "sender not-a-uuid 3", f"sender {UUID(int=1)} many")


async def test_malformed_notifications_are_ignored(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 3600)  # only notifications can report
    url, table = postgres.empty_database(), uuid4()
    versions: asyncio.Queue[int] = asyncio.Queue()
    async with opened(url) as one, opened(url) as other:
        await one.append(table, 0, b"event")
        stop = other.subscribe(table, versions.put_nowait, lambda _: None)
        await listening(url)
        version, reported = 1, set[int]()
        async with asyncio.timeout(TIMEOUT):
            while len(reported) < 2:  # a node that knows no other sends nothing, and one of these was read
                version = (await one.append(table, version, b"event")).version
                while not versions.empty():
                    reported.add(versions.get_nowait())
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as stranger:
            for payload in MALFORMED:
                await stranger.execute("SELECT pg_notify(%s, %s)", (notifications.CHANNEL, payload))
        await one.append(table, version, b"event")
        while await asyncio.wait_for(versions.get(), TIMEOUT) <= version:
            pass
        stop()


async def test_any_database_error_is_unavailable(postgres: Postgres) -> None:
    url, table = postgres.empty_database(), uuid4()
    async with opened(url) as store:
        await store.append(table, 0, b"event")
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute("ALTER TABLE notahat.log RENAME TO renamed_log; ALTER TABLE notahat.guests RENAME TO lost")
            with pytest.raises(Unavailable):
                await store.append(table, 1, b"event")
            with pytest.raises(Unavailable):
                await store.guest(b"ada")
            with pytest.raises(Unavailable):
                await store.clean(60)
            operator.execute("ALTER TABLE notahat.renamed_log RENAME TO log; ALTER TABLE notahat.lost RENAME TO guests")
        assert (await store.append(table, 1, b"event")).version == 2


async def test_invalid_commit_fails_alone(postgres: Postgres) -> None:
    url = postgres.empty_database()
    async with opened(url) as store:
        tries = [store.append(uuid4(), 0, b"event", "nul \0" if n == 3 else f"k{n}") for n in range(8)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert [isinstance(answer, Commit) for answer in answers] == [n != 3 for n in range(8)]
        assert isinstance(answers[3], Unavailable)


async def listening(url: str) -> None:
    """Wait until both nodes listen to notifications."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        while (await (await connection.execute(count)).fetchone()) != (2,):
            await asyncio.sleep(0.02)


async def test_first_schema_is_migrated(postgres: Postgres) -> None:
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


async def test_commits_are_synchronous_despite_database_settings(postgres: Postgres) -> None:
    url = postgres.empty_database()
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{urlsplit(url).path[1:]}" SET synchronous_commit = off'.encode())
    store = await PostgresStore.open(url)
    assert await store._execute_once("SHOW synchronous_commit") == [("on",)]
    assert store._log._connection().execute("SHOW synchronous_commit").fetchone() == ("on",)
    await store.close()


@pytest.mark.parametrize(
    "failure",
    [
        "ALTER TABLE notahat.log RENAME TO renamed_log",
        "ALTER DATABASE postgres SET default_transaction_read_only = on",
        "CREATE FUNCTION notahat.no_room() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE disk_full; END$$; CREATE TRIGGER no_room BEFORE UPDATE ON notahat.schema "
        "FOR EACH ROW EXECUTE FUNCTION notahat.no_room()",
    ],
)
async def test_health_check_fails_without_writes(postgres: Postgres, failure: str) -> None:
    url = postgres.empty_database()
    async with opened(url) as store:
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute(failure.encode())
            operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND datname = current_database()"
            )
        for _ in range(2):  # the first one may only notice the broken connection
            with pytest.raises(Unavailable):
                await store.check_health()
    with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as operator:
        operator.execute("ALTER DATABASE postgres RESET ALL")
