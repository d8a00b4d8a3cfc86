"""What every store promises, tested with SQLite and with PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest

from notahat.store import Commit, Conflict, Snapshot, Store, open_store
from notahat.store.version_cache import RECENT
from support.timeouts import PATIENCE

pytestmark = pytest.mark.anyio

A_DAY = 24 * 3600.0
LONG = 250
ALL = -60.0  # whatever was touched before the next minute
FarAhead = Callable[[float], Awaitable[None]]


async def begin(store: Store, versions: int = 1) -> UUID:
    table = uuid4()
    for version in range(versions):
        await store.append(table, version, f"event {version + 1}".encode())
    return table


async def long_table(store: Store) -> UUID:
    """One whose rows are not erased in one go."""
    table = uuid4()
    await asyncio.gather(*(store.append(table, version, b"event") for version in range(LONG)))
    return table


async def test_what_was_appended_is_read_in_order(store: Store) -> None:
    table = await begin(store, versions=5)
    commits = await store.read(table)
    assert [(commit.version, commit.events) for commit in commits] == [(n, b"event %d" % n) for n in range(1, 6)]
    assert {commit.table for commit in commits} == {table}


async def test_reading_can_begin_in_the_middle(store: Store) -> None:
    table = await begin(store, versions=5)
    assert [commit.version for commit in await store.read(table, after=3)] == [4, 5]
    assert await store.read(table, after=5) == []


async def test_a_table_that_does_not_exist_has_no_commits(store: Store) -> None:
    assert await store.read(uuid4()) == []


async def test_any_bytes_come_back_as_they_were(store: Store) -> None:
    table, events = uuid4(), bytes(range(256)) * 1000
    await store.append(table, 0, events)
    assert [commit.events for commit in await store.read(table)] == [events]


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
async def test_an_append_that_answers_another_version_is_refused_and_leaves_no_trace(
    store: Store, expected: int
) -> None:
    table = await begin(store, versions=2)
    with pytest.raises(Conflict):
        await store.append(table, expected, b"late", "late")
    assert [commit.version for commit in await store.read(table)] == [1, 2]
    assert (await store.append(table, 2, b"again", "late")).events == b"again"


async def test_a_new_table_cannot_begin_in_the_middle(store: Store) -> None:
    table = uuid4()
    with pytest.raises(Conflict):
        await store.append(table, 7, b"event")
    assert await store.read(table) == []


async def test_of_many_writers_exactly_one_wins_each_version(store: Store) -> None:
    table = uuid4()
    for version in range(3):
        tries = [store.append(table, version, b"%d" % writer) for writer in range(12)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(answer, Commit) for answer in answers) == 1
        assert sum(isinstance(answer, Conflict) for answer in answers) == 11
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3]


async def test_one_tables_conflict_leaves_its_neighbours_alone(store: Store) -> None:
    taken = await begin(store)
    tables = [taken if n % 3 == 0 else uuid4() for n in range(30)]
    answers = await asyncio.gather(*(store.append(table, 0, b"event") for table in tables), return_exceptions=True)
    for table, answer in zip(tables, answers, strict=True):
        assert isinstance(answer, Conflict if table == taken else Commit)
        assert len(await store.read(table)) == 1


async def test_a_repeated_command_gets_the_first_commit_again(store: Store) -> None:
    table = await begin(store)
    first = await store.append(table, 1, b"first", "k3f9")
    await store.append(table, 2, b"another")
    for expected in (1, 2, 3, 50):
        assert await store.append(table, expected, b"second", "k3f9") == first
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3]


async def test_a_command_sent_twice_at_once_happens_once(store: Store) -> None:
    table = await begin(store)
    answers = await asyncio.gather(*(store.append(table, 1, b"%d" % n, "k3f9") for n in range(8)))
    assert len(set(answers)) == 1
    assert [commit.version for commit in await store.read(table)] == [1, 2]


async def test_the_same_command_id_at_another_table_is_another_command(store: Store) -> None:
    one, other = uuid4(), uuid4()
    await store.append(one, 0, b"one", "k3f9")
    assert (await store.append(other, 0, b"other", "k3f9")).events == b"other"


async def test_a_command_is_recognised_after_many_others(store: Store) -> None:
    table = await begin(store)
    first = await store.append(table, 1, b"first", "k3f9")
    for version in range(2, RECENT + 1):
        await store.append(table, version, b"event")
    assert await store.append(table, RECENT + 1, b"again", "k3f9") == first
    assert len(await store.read(table)) == RECENT + 1


async def submitted(store: Store, *wanted: tuple[UUID, int, str]) -> list[Commit | Exception]:
    """What is answered to commits that were submitted in one turn of the loop, in the order of the answers."""
    answers: list[Commit | Exception] = []
    all_told = asyncio.Event()

    def done(answer: Commit | Exception) -> None:
        answers.append(answer)
        if len(answers) == len(wanted):
            all_told.set()

    for table, expected, command in wanted:
        store.submit(table, expected, b"event", command, done)
    assert answers == []  # nobody is told before everybody has spoken
    await asyncio.wait_for(all_told.wait(), PATIENCE)
    return answers


async def test_commits_can_be_submitted_without_waiting(store: Store) -> None:
    tables = [await begin(store) for _ in range(5)]
    answers = await submitted(store, *((table, 1, f"k{n}") for n, table in enumerate(tables)))
    assert answers == [Commit(table, 2, f"k{n}", b"event") for n, table in enumerate(tables)]
    for table in tables:
        assert [commit.version for commit in await store.read(table)] == [1, 2]


async def test_a_conflict_among_submitted_commits_is_told_to_its_own_table(store: Store) -> None:
    tables = [await begin(store, versions=2) for _ in range(5)]
    late = tables[2]
    answers = await submitted(store, *((table, 1 if table == late else 2, "k3f9") for table in tables))
    assert [type(answer) for answer in answers] == [Conflict if table == late else Commit for table in tables]
    assert [len(await store.read(table)) for table in tables] == [2 if table == late else 3 for table in tables]


async def test_a_table_can_go_on_at_once_from_what_it_is_told(store: Store) -> None:
    table, story, over = uuid4(), list[int](), asyncio.Event()

    def done(answer: Commit | Exception) -> None:
        assert isinstance(answer, Commit)
        story.append(answer.version)
        if answer.version == 10:
            over.set()
        else:
            store.submit(table, answer.version, b"event", f"k{answer.version}", done)

    store.submit(table, 0, b"event", "k0", done)
    await asyncio.wait_for(over.wait(), PATIENCE)
    assert story == [*range(1, 11)]
    assert len(await store.read(table)) == 10


async def test_whoever_fails_when_told_does_not_silence_the_others(store: Store) -> None:
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
    told = asyncio.Event()

    def fail(_: object) -> None:
        raise ArithmeticError

    store.submit(uuid4(), 0, b"event", "one", fail)
    store.submit(uuid4(), 0, b"event", "other", lambda _: told.set())
    await asyncio.wait_for(told.wait(), PATIENCE)
    assert complaints == ["whoever was told of a write failed"]


async def test_a_follower_hears_nothing_of_what_its_own_node_has_done(store: Store) -> None:
    """What is not answered yet may be found by who looks for what others wrote; afterwards it is no news."""
    table, ada, answered = uuid4(), uuid4(), 0
    news: list[object] = []

    def wrote(version: int) -> None:
        if version <= answered:
            news.append(version)

    stop = store.follow(table, wrote, news.append)
    store.hold("node", {table: frozenset({ada})}, 60)
    for version in range(20):
        await submitted(store, (table, version, f"k{version}"))
        answered = version + 1
    await store.look_around(table)
    assert news == []
    stop()


async def test_a_held_table_is_not_forgotten_until_it_is_let_go(store: Store) -> None:
    table, other, ada = await begin(store), await begin(store), uuid4()
    store.hold("node", {table: frozenset({ada})}, 60)
    assert await store.clean(ALL) == 1
    assert (len(await store.read(table)), len(await store.read(other))) == (1, 0)
    store.hold("node", {table: frozenset()}, 60)
    assert await store.clean(ALL) == 1


async def test_a_table_is_as_old_as_its_newest_commit(store: Store, far_ahead: FarAhead) -> None:
    table, other = await begin(store), await begin(store)
    await far_ahead(0.5)
    await store.append(table, 1, b"event")
    assert await store.clean(A_DAY / 4) == 1
    assert (len(await store.read(table)), len(await store.read(other))) == (2, 0)


async def test_everything_is_there_after_closing_and_opening_again(url: str, anyio_backend: str) -> None:
    store = await open_store(url)
    table = await begin(store, versions=3)
    first = await store.append(table, 3, b"last", "k3f9")
    assert await store.create_alias("K7QX", table)
    guest = await store.add_guest(b"hash")
    await store.close()
    store = await open_store(url)
    assert [commit.version for commit in await store.read(table)] == [1, 2, 3, 4]
    assert await store.append(table, 4, b"repeated", "k3f9") == first
    assert await store.table_of("K7QX") == table
    assert await store.guest(b"hash") == guest
    await store.close()


async def test_the_newest_snapshot_is_kept(store: Store) -> None:
    table = await begin(store, versions=3)
    assert await store.snapshot(table) is None
    await store.save_snapshot(table, 2, 1, b"two")
    await store.save_snapshot(table, 1, 1, b"one")
    assert await store.snapshot(table) == Snapshot(2, 1, b"two")
    await store.save_snapshot(table, 3, 1, b"three")
    assert await store.snapshot(table) == Snapshot(3, 1, b"three")
    await store.save_snapshot(table, 1, 2, b"one in a newer shape")
    assert await store.snapshot(table) == Snapshot(1, 2, b"one in a newer shape")


async def test_a_code_leads_to_one_table(store: Store) -> None:
    table, other = uuid4(), uuid4()
    assert await store.table_of("K7QX") is None
    assert await store.create_alias("K7QX", table)
    assert not await store.create_alias("K7QX", other)
    assert await store.table_of("K7QX") == table
    await store.append(table, 0, b"event")


async def test_of_many_who_want_a_code_exactly_one_gets_it(store: Store) -> None:
    assert sorted(await asyncio.gather(*(store.create_alias("K7QX", uuid4()) for _ in range(8)))) == [False] * 7 + [
        True
    ]


async def test_a_guest_is_known_by_the_hash_of_the_token(store: Store) -> None:
    assert await store.guest(b"unknown") is None
    ada, ben = await store.add_guest(b"ada"), await store.add_guest(b"ben")
    assert ada != ben
    assert (await store.guest(b"ada"), await store.guest(b"ben")) == (ada, ben)
    assert await store.add_guest(b"ada") == ada


async def test_a_ticket_is_taken_exactly_once(store: Store) -> None:
    guest = await store.add_guest(b"ada")
    await store.put_ticket(b"ticket", guest, 60)
    taken = await asyncio.gather(*(store.take_ticket(b"ticket") for _ in range(8)))
    assert [who for who in taken if who is not None] == [guest]
    assert await store.take_ticket(b"ticket") is None


async def test_a_ticket_expires(store: Store) -> None:
    await store.put_ticket(b"ticket", await store.add_guest(b"ada"), -1)
    assert await store.take_ticket(b"ticket") is None


async def test_old_tables_are_forgotten_with_their_codes(store: Store) -> None:
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


async def test_an_append_to_a_forgotten_table_is_a_conflict(store: Store) -> None:
    table = await begin(store, versions=2)
    await store.clean(ALL)
    with pytest.raises(Conflict):
        await store.append(table, 2, b"event")


async def test_cleaning_keeps_guests_who_were_seen_in_the_last_days(store: Store) -> None:
    guest = await store.add_guest(b"ada")
    await store.clean(ALL)
    assert await store.guest(b"ada") == guest


async def test_people_play_on_while_old_tables_are_cleaned_away(store: Store) -> None:
    """A cleaning is many short writes: between any two of them somebody's move has its turn."""
    old = await asyncio.gather(*(begin(store, versions=5) for _ in range(100)))
    table, moves = await begin(store), 1
    store.hold("node", {table: frozenset({uuid4()})}, 60)
    cleaning = asyncio.create_task(store.clean(ALL))
    while not cleaning.done():
        await store.append(table, moves, b"move")
        moves += 1
    assert await cleaning == len(old)
    assert moves > 4
    assert len(await store.read(table)) == moves
    assert [await store.read(one) for one in old] == [[]] * len(old)


async def test_a_long_table_is_forgotten_in_pieces_and_cannot_be_found_meanwhile(store: Store) -> None:
    table, versions = await long_table(store), LONG
    await store.create_alias("K7QX", table)
    cleaning = asyncio.create_task(store.clean(ALL))
    while not cleaning.done():
        if await store.table_of("K7QX") is None:
            with pytest.raises(Conflict):
                await store.append(table, versions, b"late")
    assert await cleaning == 1
    assert await store.read(table) == []
    with pytest.raises(Conflict):
        await store.append(table, versions, b"late")


async def test_what_a_cleaning_left_half_done_the_next_one_ends(url: str, anyio_backend: str) -> None:
    store = await open_store(url)
    table = await long_table(store)
    await store.create_alias("K7QX", table)
    cleaning = asyncio.create_task(store.clean(ALL))
    while await store.table_of("K7QX") is not None:
        await asyncio.sleep(0)
    cleaning.cancel()
    await store.close()
    store = await open_store(url)
    await store.clean(3600)
    assert await store.read(table) == []
    assert await store.clean(ALL) == 0
    await store.close()


async def test_a_clock_far_ahead_cleans_nothing_away(url: str, anyio_backend: str, far_ahead: FarAhead) -> None:
    """The newest thing that is kept, and how long we have lived since, say how late it can be at the most."""
    store = await open_store(url)
    table, guest = await begin(store), await store.add_guest(b"ada")
    await store.close()
    await far_ahead(400)
    store = await open_store(url)
    assert await store.clean(30 * A_DAY) == 0
    assert len(await store.read(table)) == 1
    assert await store.guest(b"ada") == guest
    await store.close()


async def test_a_store_says_that_it_is_well(store: Store) -> None:
    await store.well()
    await begin(store)
    await store.well()


async def test_all_tables_are_listed_and_those_forgotten_are_not(store: Store) -> None:
    tables = [await begin(store), await begin(store)]
    assert set(await store.tables()) == set(tables)
    store.hold("node", {tables[1]: frozenset({uuid4()})}, A_DAY)
    await store.clean(0)
    assert await store.tables() == [tables[1]]
