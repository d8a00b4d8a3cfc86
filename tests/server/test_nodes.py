"""Several nodes on one PostgreSQL: one history, whoever writes it, and whichever node is lost or sleeps for a while."""

import asyncio
import logging
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from msgspec import structs

from notahat.server.node import Hosted, Node
from notahat.server.settings import Settings
from notahat.store import Commit, Store, Unavailable, open_store
from notahat.store.postgres import PostgresStore
from notahat.table import Order, TableView, fold
from notahat.table.commands import Sit
from notahat.table.decide import entry
from notahat.table.events import Dealt, Played, decode, encode
from support import postgres as database
from support.load import Game, Person, answers, check_promises, everybody, finish, games
from support.postgres import Postgres
from support.server_process import Served
from support.tables import guest
from support.timeouts import PATIENCE

GAMES = 6
PACE = 20
OPTIONS = {"show_seconds": 1, "patience_seconds": 10, "rounds": "each"}
DOZING = 0.15
STRANGE = b'{"at": 9e9, "schema": 2, "events": [{"event": "teleported", "seat": 0}]}'

Nodes = tuple[Served, Served]
Trouble = Callable[[list[Game]], Awaitable[None]]


@pytest.fixture
def nodes(postgres: Postgres, tmp_path: Path) -> Iterator[Nodes]:
    yield from two_nodes(postgres.empty_database(), tmp_path)


def two_nodes(url: str, folder: Path) -> Iterator[Nodes]:
    for name in ("one", "other"):
        (folder / name).mkdir()
    one, other = (Served(folder / name, PACE, url) for name in ("one", "other"))
    with ThreadPoolExecutor(2) as both:
        list(both.map(Served.start, (one, other)))
    yield one, other
    for node in (one, other):
        node.stop()
        assert '"trace"' not in node.log, node.log


async def play_through(nodes: Nodes, trouble: Trouble) -> None:
    """Tables with people on both nodes; something happens; everybody plays to the end and saw the same."""
    seen: dict[tuple[str, int], TableView] = {}
    async with games(GAMES, people=2, bots=1, urls=[node.url for node in nodes], **OPTIONS) as crowd:
        people = [person for game in crowd for person in game.people]
        for person in people:
            person.dozing, person.drowsy = DOZING, True
        watching = [asyncio.create_task(compare(person, seen)) for person in people]
        playing = asyncio.gather(*(game.play() for game in crowd))
        await answers(crowd, 3 * GAMES)
        assert not any(game.over for game in crowd)
        await trouble(crowd)
        await everybody(crowd, lambda person: person.sees_own_seat)
        for ends in await finish(crowd, playing, PATIENCE):
            assert len({end.view.match for end in ends}) == 1
        for task in watching:
            task.cancel()
        for result in await asyncio.gather(*watching, return_exceptions=True):
            assert isinstance(result, asyncio.CancelledError), result
    await check_logs(nodes[0].store, crowd)


async def compare(person: Person, seen: dict[tuple[str, int], TableView]) -> None:
    """Whatever a version looks like to one, it looks like to all; only clocks and who is there are each node's own."""
    async for state in person.table:
        seats = tuple(structs.replace(seat, away=False) for seat in state.view.seats)
        plain = structs.replace(state.view, seats=seats, deadline=None, watching=0, host_away=False)
        assert seen.setdefault((person.table.code, state.v), plain) == plain


async def check_logs(store_url: str, crowd: list[Game]) -> None:
    store = await open_store(store_url)
    assert await check_promises(store, crowd) > 5 * GAMES
    kinds: set[str] = set()
    for game in crowd:
        id_ = await store.table_of(game.code)
        assert id_ is not None
        kinds |= once_each(await store.read(id_))
    assert kinds == {"person", "bot", "time", "itself"}
    await store.close()


def once_each(log: list[Commit]) -> set[str]:
    """Every move of the house answers the very turn it was thought for, so none happened twice; says whose moves."""
    dealt = turn = 0
    kinds: set[str] = set()
    for commit in log:
        for event in decode(commit.events).events:
            match event:
                case Dealt():
                    dealt, turn = dealt + 1, 0
                case Played(by=by):
                    assert by == "person" or commit.command == f"house:{dealt}.{turn}"
                    kinds.add(by)
                    turn += 1
    return kinds


def house_moves(node: Served) -> int:
    """How many orders of the house were carried out by this node, as it counted them itself."""
    return sum(int(float(n)) for n in re.findall(r'house[^ ]*"done"[^ ]* ([0-9.]+)', node.figures()))


def test_people_on_two_nodes_share_every_version_and_every_house_move_happens_once(nodes: Nodes) -> None:
    async def no_trouble(crowd: list[Game]) -> None:
        await answers(crowd, GAMES)

    asyncio.run(play_through(nodes, no_trouble))
    assert all(house_moves(node) > 0 for node in nodes)


def test_when_a_node_is_killed_the_other_plays_on_and_nothing_acknowledged_is_lost(nodes: Nodes) -> None:
    async def kill(crowd: list[Game]) -> None:
        one, other = nodes
        connections = {person: person.table.connections for game in crowd for person in game.people}
        other.stop(signal.SIGKILL)
        there = [person for person in connections if person.client.url == one.url]
        await answers([Game("", there)], GAMES)
        other.start()
        lost = [person for person in connections if person not in there]
        await everybody([Game("", lost)], lambda person: person.table.connections > connections[person])

    asyncio.run(play_through(nodes, kill))


def test_a_node_that_sleeps_for_a_while_and_wakes_does_no_harm(nodes: Nodes) -> None:
    async def sleep(crowd: list[Game]) -> None:
        one, other = nodes
        there = [person for game in crowd for person in game.people if person.client.url == one.url]
        other.process.send_signal(signal.SIGSTOP)
        try:
            await answers([Game("", there)], 4 * GAMES)  # the house moves for whoever is asleep with it
        finally:
            other.process.send_signal(signal.SIGCONT)

    asyncio.run(play_through(nodes, sleep))


def test_postgresql_itself_crashes_and_comes_back(tmp_path: Path) -> None:
    with database.running() as server:
        for nodes in two_nodes(server.empty_database(), tmp_path):

            async def crash(_: list[Game]) -> None:
                await asyncio.to_thread(server.restart)

            asyncio.run(play_through(nodes, crash))


class Voice:
    """Somebody's line to a node of this process: what they heard, and how it was closed."""

    def __init__(self, name: str) -> None:
        self.guest = guest(name)
        self.heard: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        self.closed = code


class LateStore(PostgresStore):
    """The database has answered, and the answer can be kept on its way."""

    def __init__(self, url: str, patience_seconds: float) -> None:
        super().__init__(url, patience_seconds)
        self.reads = 0
        self.arrives = asyncio.Event()
        self.arrives.set()

    async def read(self, table: UUID, after: int = 0) -> list[Commit]:
        found = await super().read(table, after)
        self.reads += 1
        await self.arrives.wait()
        return found


class Meeting:
    """A table that is open on a node of this process, and another node that writes to it."""

    def __init__(self, url: str, store: LateStore, other: Store) -> None:
        self.store, self.other = store, other
        self.node = Node(Settings(store=url), store)
        self.id = UUID(int=0)

    async def open(self, *names: str) -> tuple[Hosted, list[Voice]]:
        _, self.id = await self.node.open_table(guest("Ada"), {})
        return await self.come(*names)

    async def come(self, *names: str) -> tuple[Hosted, list[Voice]]:
        hosted, voices = await self.node.hosted(self.id), [Voice(name) for name in names]
        assert hosted is not None
        assert all(self.node.arrived(hosted, voice, changes=False) for voice in voices)
        return hosted, voices

    async def sits_elsewhere(self, name: str) -> None:
        """Somebody sits down at the other node, and this one hears of it, as it does from the bell or the poll."""
        table = fold(None, (decode(commit.events) for commit in await self.other.read(self.id)))
        written = encode(entry(table, Order(Sit(name), guest(name), table.at + 1)))
        version = (await self.other.append(self.id, table.version, written)).version
        self.store._followers.wrote(self.id, version)

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not seen():
                await asyncio.sleep(0.005)

    async def settled(self) -> None:
        await self.until(lambda: not self.node._tasks)

    async def held(self) -> set[UUID]:
        """Who is here, as other nodes read it."""
        await self.store._holding.settle()
        rows = await self.store._run("SELECT guests FROM notahat.holds WHERE table_id = %s", self.id)
        return {guest for (guests,) in rows for guest in guests}

    @property
    def alarms(self) -> set[Hosted]:
        return set(self.node._timers._wishes)


@pytest.fixture
async def meeting(postgres: Postgres, anyio_backend: str) -> AsyncIterator[Meeting]:
    url = postgres.empty_database()
    store, other = await LateStore.open(url), await open_store(url)
    assert isinstance(store, LateStore)
    meeting = Meeting(url, store, other)
    yield meeting
    await meeting.node.close()
    await other.close()
    await store.close()


@pytest.mark.anyio
async def test_what_is_written_elsewhere_while_the_move_before_it_is_read_is_read_too(meeting: Meeting) -> None:
    hosted, (ada,) = await meeting.open("Ada")
    meeting.store.arrives.clear()
    await meeting.sits_elsewhere("Ben")
    await meeting.until(lambda: meeting.store.reads == 2)  # one was for opening
    await meeting.sits_elsewhere("Cem")
    meeting.store.arrives.set()
    await meeting.settled()
    assert (hosted.room.table.version, ada.heard[-1]["v"], ada.closed) == (3, 3, None)


@pytest.mark.anyio
async def test_an_order_that_is_on_its_way_meanwhile_is_carried_out_once(meeting: Meeting) -> None:
    hosted, (ada,) = await meeting.open("Ada")
    meeting.store.arrives.clear()
    await meeting.sits_elsewhere("Ben")
    meeting.node.ordered(hosted, ada, "k3f9", Sit("Ada"))
    await meeting.until(lambda: meeting.store.reads == 3)  # who came second reads as well
    await meeting.sits_elsewhere("Cem")
    meeting.store.arrives.set()
    await meeting.until(lambda: any("ack" in told for told in ada.heard))
    await meeting.settled()
    assert [told["ack"] for told in ada.heard if "ack" in told] == ["k3f9"]
    assert [seat.name for seat in hosted.room.table.seats] == ["Ben", "Cem", "Ada"]
    assert (hosted.room.table.version, ada.closed) == (4, None)


@pytest.mark.anyio
async def test_where_news_cannot_be_read_everybody_comes_back_for_the_truth(
    meeting: Meeting, postgres: Postgres
) -> None:
    hosted, (ada,) = await meeting.open("Ada")
    with psycopg.connect(postgres.address, autocommit=True) as operator:
        operator.execute("ALTER TABLE notahat.log RENAME TO mislaid")
        meeting.store._followers.wrote(meeting.id, 2)
        await meeting.settled()
        operator.execute("ALTER TABLE notahat.mislaid RENAME TO log")
    assert (ada.closed, meeting.alarms) == (1012, set())
    await meeting.sits_elsewhere("Ben")
    again, (ada,) = await meeting.come("Ada")
    assert again is not hosted
    assert (again.room.table.version, ada.heard[-1]["v"]) == (2, 2)


@pytest.mark.anyio
async def test_a_table_of_which_nothing_is_left_to_read_is_gone_for_those_who_sit_at_it(
    meeting: Meeting, postgres: Postgres
) -> None:
    _, (ada,) = await meeting.open("Ada")
    with psycopg.connect(postgres.address, autocommit=True) as operator:
        operator.execute("DELETE FROM notahat.log")
    meeting.store._followers.wrote(meeting.id, 2)
    await meeting.settled()
    assert ada.closed == 1012
    assert await meeting.node.hosted(meeting.id) is None


@pytest.mark.anyio
async def test_a_node_that_closes_reads_no_more(meeting: Meeting) -> None:
    await meeting.open("Ada")
    meeting.store.arrives.clear()
    await meeting.sits_elsewhere("Ben")
    await meeting.until(lambda: meeting.store.reads == 2)
    await meeting.sits_elsewhere("Cem")
    closing = asyncio.create_task(meeting.node.close())
    await meeting.until(lambda: meeting.node.closing)
    meeting.store.arrives.set()
    await asyncio.wait_for(closing, PATIENCE)
    assert (meeting.store.reads, meeting.alarms) == (2, set())


@pytest.mark.anyio
async def test_a_line_of_a_room_that_was_put_away_hangs_up_late_and_changes_nothing(meeting: Meeting) -> None:
    old, (ada, ben, cem) = await meeting.open("Ada", "Ben", "Cem")
    meeting.node.evict(old)
    meeting.node.left(old, ada)
    new, _ = await meeting.come("Ada", "Ben")
    late = Voice("Dora")
    assert not meeting.node.arrived(old, late, changes=False)
    for line in (ben, late):
        meeting.node.left(old, line)
    meeting.node.ordered(old, cem, "k3f9", Sit("Cem"))
    assert await meeting.held() == {guest("Ada"), guest("Ben")}
    assert meeting.alarms <= {new}
    assert [told for told in cem.heard if "ack" in told] == []
    assert len(await meeting.other.read(meeting.id)) == 1


@pytest.mark.anyio
async def test_a_node_that_opens_a_room_knows_from_the_start_who_is_at_others(meeting: Meeting) -> None:
    _, meeting.id = await meeting.node.open_table(guest("Ada"), {})
    await meeting.sits_elsewhere("Ben")
    meeting.other.hold("other", {meeting.id: frozenset({guest("Ben")})}, 60)
    await meeting.other.close()  # it died: nobody rings any more, and its lease is still there
    together = await asyncio.gather(*(meeting.come(name) for name in ("Ada", "Cem", "Dora")))
    for hosted, (line,) in together:
        assert hosted.room.presence.elsewhere == {guest("Ben")}
        assert [seat["away"] for seat in line.heard[0]["view"]["seats"]] == [False]


@pytest.mark.anyio
async def test_a_node_that_cannot_ask_who_is_at_others_lets_nobody_in_before_it_can(
    meeting: Meeting, postgres: Postgres
) -> None:
    _, meeting.id = await meeting.node.open_table(guest("Ada"), {})
    with psycopg.connect(postgres.address, autocommit=True) as operator:
        operator.execute("ALTER TABLE notahat.holds RENAME TO mislaid")
        with pytest.raises(Unavailable):
            await meeting.node.hosted(meeting.id)
        operator.execute("ALTER TABLE notahat.mislaid RENAME TO holds")
    meeting.other.hold("other", {meeting.id: frozenset({guest("Ben")})}, 60)
    await meeting.other.close()
    hosted, _ = await meeting.come("Ada")
    assert hosted.room.presence.elsewhere == {guest("Ben")}


@pytest.mark.anyio
@pytest.mark.parametrize("comes_second", [True, False])
async def test_a_log_that_is_newer_than_this_node_is_no_mistake_of_ours(
    meeting: Meeting, comes_second: bool, caplog: pytest.LogCaptureFixture
) -> None:
    hosted, (ada,) = await meeting.open("Ada")
    await meeting.other.append(meeting.id, 1, STRANGE)
    if comes_second:
        meeting.node.ordered(hosted, ada, "k3f9", Sit("Ada"))
    else:
        meeting.store._followers.wrote(meeting.id, 2)
    await meeting.until(lambda: ada.closed is not None)
    await meeting.settled()
    assert ada.closed == 1012
    complaints = {told.getMessage() for told in caplog.records if told.levelno >= logging.WARNING}
    assert complaints == {"the log is newer than this program"}
