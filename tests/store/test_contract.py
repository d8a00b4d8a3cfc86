"""The contract of a store, tested with SQLite and PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest

from notahat.store import Commit, Conflict, Snapshot, Store, open_store, sqlite
from support.timeouts import TIMEOUT

pytestmark = pytest.mark.anyio

A_DAY = 24 * 3600.0
LONG = 250
ALL = -60.0  # everything used before the next minute
FarAhead = Callable[[float], Awaitable[None]]


async def begin(store: Store, versions: int = 1) -> UUID:
    table = uuid4()
    for version in range(versions):
        await store.append(table, version, f"event {version + 1}".encode())
    return table


async def long_table(store: Store) -> UUID:
    """Create a table whose deletion takes some time."""
    table = uuid4()
    await asyncio.gather(*(store.append(table, version, b"event") for version in range(LONG)))
    return table


async def test_commits_are_read_in_order(store: Store) -> None:
    table = await begin(store, versions=5)
    commits = await store.read(table)
    assert [(commit.version, commit.events) for commit in commits] == [(n, b"event %d" % n) for n in range(1, 6)]
    assert {commit.table for commit in commits} == {table}
    assert [await store.read(table, after=after) for after in (3, 5)] == [commits[3:], []]


async def test_single_commit_can_be_read(store: Store) -> None:
    table, other = await begin(store, versions=5), await begin(store, versions=3)
    for version in (1, 3, 5):
        found = await store.read_commit(table, version)
        assert found == (await store.read(table))[version - 1]
    assert [await store.read_commit(table, version) for version in (-1, 0, 6, 10**12)] == [None] * 4
    assert await store.read_commit(other, 4) is None
    assert await store.read_commit(uuid4(), 1) is None


async def test_events_are_stored_unchanged(store: Store) -> None:
    table, events = uuid4(), bytes(range(256)) * 1000
    await store.append(table, 0, events)
    assert [commit.events for commit in await store.read(table)] == [events]


async def test_append_at_wrong_version_is_a_conflict(store: Store) -> None:
    """Other appends of the same moment succeed, also with the same command id at another table."""
    table, new, other = await begin(store, versions=2), uuid4(), uuid4()
    tries = [(table, 0), (table, 1), (table, 3), (table, 99), (new, 7), (other, 0)]
    answers = await asyncio.gather(*(store.append(*one, b"late", "late") for one in tries), return_exceptions=True)
    assert [type(answer) for answer in answers] == [Conflict] * 5 + [Commit]
    assert [len(await store.read(one)) for one in (table, new, other)] == [2, 0, 1]
    assert (await store.append(table, 2, b"again", "late")).events == b"again"


async def test_concurrent_writers_have_one_winner(store: Store) -> None:
    table = uuid4()
    for version in range(3):
        tries = [store.append(table, version, b"%d" % writer) for writer in range(12)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(answer, Commit) for answer in answers) == 1
        assert sum(isinstance(answer, Conflict) for answer in answers) == 11
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3]


async def test_repeated_append_gets_its_commit(store: Store) -> None:
    table = await begin(store)
    first = await store.append(table, 1, b"first", "k3f9")
    await store.append(table, 2, b"another")
    assert await store.append(table, 1, b"first", "k3f9") == first
    for events, command in ((b"second", "k3f9"), (b"first", "other")):
        with pytest.raises(Conflict):
            await store.append(table, 1, events, command)
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3]


async def test_callback_can_submit_next_commit(store: Store) -> None:
    table, versions, over = uuid4(), list[int](), asyncio.Event()

    def done(answer: Commit | Exception) -> None:
        assert isinstance(answer, Commit)
        versions.append(answer.version)
        if answer.version == 10:
            over.set()
        else:
            store.submit(table, answer.version, b"event", f"k{answer.version}", done)

    store.submit(table, 0, b"event", "k0", done)
    assert versions == []
    await asyncio.wait_for(over.wait(), TIMEOUT)
    assert versions == [*range(1, 11)]
    assert len(await store.read(table)) == 10


async def test_failing_callback_does_not_stop_others(store: Store) -> None:
    errors: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["message"]))
    called = asyncio.Event()

    def fail(_: object) -> None:
        raise ArithmeticError

    store.submit(uuid4(), 0, b"event", "one", fail)
    store.submit(uuid4(), 0, b"event", "other", lambda _: called.set())
    await asyncio.wait_for(called.wait(), TIMEOUT)
    assert errors == ["the callback of a write failed"]


async def test_own_commits_are_not_reported(store: Store) -> None:
    """A commit may be reported before its callback ran, but not afterwards."""
    table, ada, answered = uuid4(), uuid4(), 0
    reports: list[object] = []

    def wrote(version: int) -> None:
        if version <= answered:
            reports.append(version)

    stop = store.subscribe(table, wrote, reports.append)
    store.publish_presence("node", {table: frozenset({ada})}, 60)
    for version in range(20):
        await store.append(table, version, b"event")
        answered = version + 1
    await store.refresh_presence(table)
    assert reports == []
    stop()


async def test_table_with_presence_is_not_deleted(store: Store) -> None:
    table, other, ada = await begin(store), await begin(store), uuid4()
    store.publish_presence("node", {table: frozenset({ada})}, 60)
    assert await store.clean(ALL) == 1
    assert (len(await store.read(table)), len(await store.read(other))) == (1, 0)
    store.publish_presence("node", {table: frozenset()}, 60)
    assert await store.clean(ALL) == 1


async def test_table_age_is_that_of_newest_commit(store: Store, far_ahead: FarAhead) -> None:
    table, other = await begin(store), await begin(store)
    await far_ahead(0.5)
    await store.append(table, 1, b"event")
    assert await store.clean(A_DAY / 4) == 1
    assert (len(await store.read(table)), len(await store.read(other))) == (2, 0)


async def test_reopened_store_has_everything(url: str, anyio_backend: str) -> None:
    store = await open_store(url)
    table = await begin(store, versions=3)
    first = await store.append(table, 3, b"last", "k3f9")
    assert await store.create_alias("K7QX", table)
    guest = await store.add_guest(b"hash")
    await store.close()
    store = await open_store(url)
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3, 4]
    assert await store.append(table, 3, b"last", "k3f9") == first
    assert await store.table_of("K7QX") == table
    assert await store.guest(b"hash") == guest
    await store.close()


async def test_newest_snapshot_is_kept(store: Store) -> None:
    table = await begin(store, versions=3)
    assert await store.snapshot(table) is None
    await store.save_snapshot(table, 2, 1, b"two")
    await store.save_snapshot(table, 1, 1, b"one")
    assert await store.snapshot(table) == Snapshot(2, 1, b"two")
    await store.save_snapshot(table, 3, 1, b"three")
    assert await store.snapshot(table) == Snapshot(3, 1, b"three")
    await store.save_snapshot(table, 1, 2, b"one in a newer shape")
    assert await store.snapshot(table) == Snapshot(1, 2, b"one in a newer shape")


async def test_code_leads_to_one_table(store: Store) -> None:
    tables = [uuid4() for _ in range(8)]
    assert await store.table_of("K7QX") is None
    won = await asyncio.gather(*(store.create_alias("K7QX", one) for one in tables))
    assert sorted(won) == [False] * 7 + [True]
    table = tables[won.index(True)]
    assert await store.table_of("K7QX") == table
    assert await store.tables_of(["K7QX", "NONE"]) == {"K7QX": table}
    await store.append(table, 0, b"event")


async def test_guest_is_found_by_token_hash(store: Store) -> None:
    assert await store.guest(b"unknown") is None
    ada, ben = await store.add_guest(b"ada"), await store.add_guest(b"ben")
    assert ada != ben
    assert (await store.guest(b"ada"), await store.guest(b"ben")) == (ada, ben)
    assert await store.add_guest(b"ada") == ada


async def test_ticket_works_once(store: Store) -> None:
    guest = await store.add_guest(b"ada")
    await store.put_ticket(b"ticket", guest, 60)
    taken = await asyncio.gather(*(store.take_ticket(b"ticket") for _ in range(8)))
    assert [who for who in taken if who is not None] == [guest]
    await store.put_ticket(b"expired", guest, -1)
    assert [await store.take_ticket(ticket) for ticket in (b"ticket", b"expired")] == [None, None]


async def test_tokens_and_tickets_of_a_guest_end(store: Store) -> None:
    guest, other = await store.add_guest(b"phone"), await store.add_guest(b"other")
    await store.add_guest(b"tablet", guest)
    await store.put_ticket(b"ticket", guest, 60)
    assert await store.end_tokens(guest) == 2
    assert [await store.guest(hash_) for hash_ in (b"phone", b"tablet", b"other")] == [None, None, other]
    assert await store.known_tokens([b"phone", b"tablet", b"other"]) == {b"other"}
    assert await store.take_ticket(b"ticket") is None


async def test_one_table_is_deleted_at_once(store: Store) -> None:
    table, other = await long_table(store), await begin(store)
    assert await store.create_alias("K7QX", table)
    await store.append(other, 1, b"a guest who shall be forgotten")
    store.publish_presence("node", {table: frozenset({uuid4()})}, 60)
    await store.clean(A_DAY)  # writes the lease: guests are connected, and the table goes all the same
    assert await store.tables_containing(b"shall be forgotten") == [other]
    await store.delete_table(table)
    assert (await store.table_of("K7QX"), await store.read(table), await store.tables()) == (None, [], [other])
    with pytest.raises(Conflict):
        await store.append(table, LONG, b"late")


async def test_old_tables_are_deleted_with_their_codes(store: Store) -> None:
    table = await begin(store, versions=3)
    await store.create_alias("K7QX", table)
    await store.save_snapshot(table, 1, 1, b"state")
    assert await store.clean(60) == 0
    assert len(await store.read(table)) == 3
    assert await store.clean(ALL) == 1
    assert await store.read(table) == []
    assert await store.snapshot(table) is None
    assert await store.table_of("K7QX") is None
    assert await store.create_alias("K7QX", uuid4())


async def test_appends_continue_during_cleanup(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cleanup is many short writes, and appends run between them."""
    monkeypatch.setattr(sqlite, "SLICE_SECONDS", 0.0)
    old = await asyncio.gather(*(begin(store, versions=5) for _ in range(100)))
    table, moves = await begin(store), 1
    store.publish_presence("node", {table: frozenset({uuid4()})}, 60)
    cleanup = asyncio.create_task(store.clean(ALL))
    while not cleanup.done():
        await store.append(table, moves, b"move")
        moves += 1
    assert await cleanup == len(old)
    assert moves > 2, "if it were one write, the first of them would wait for its end"
    assert len(await store.read(table)) == moves
    assert [await store.read(one) for one in old] == [[]] * len(old)


async def test_table_being_deleted_cannot_be_found(store: Store) -> None:
    table, versions = await long_table(store), LONG
    await store.create_alias("K7QX", table)
    cleanup = asyncio.create_task(store.clean(ALL))
    while not cleanup.done():
        if await store.table_of("K7QX") is None:
            with pytest.raises(Conflict):
                await store.append(table, versions, b"late")
    assert await cleanup == 1
    assert await store.read(table) == []
    with pytest.raises(Conflict):
        await store.append(table, versions, b"late")


async def test_interrupted_cleanup_is_completed_by_the_next(url: str, anyio_backend: str) -> None:
    store = await open_store(url)
    table = await long_table(store)
    await store.create_alias("K7QX", table)
    cleanup = asyncio.create_task(store.clean(ALL))
    while await store.table_of("K7QX") is not None:
        await asyncio.sleep(0)
    cleanup.cancel()
    await store.close()
    store = await open_store(url)
    await store.clean(3600)
    assert await store.read(table) == []
    assert await store.clean(ALL) == 0
    await store.close()


async def test_clock_far_ahead_deletes_nothing(url: str, anyio_backend: str, far_ahead: FarAhead) -> None:
    """The newest entry and the running time of the process limit the clock."""
    store = await open_store(url)
    table, guest = await begin(store), await store.add_guest(b"ada")
    await store.close()
    await far_ahead(400)
    store = await open_store(url)
    assert await store.clean(30 * A_DAY) == 0
    assert len(await store.read(table)) == 1
    assert await store.guest(b"ada") == guest
    await store.close()
