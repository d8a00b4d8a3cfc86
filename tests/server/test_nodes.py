"""Several nodes on one PostgreSQL: one history, whoever writes it, and whichever node is lost or sleeps for a while."""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec import structs

from notahat.store import Commit, open_store
from notahat.table import TableView
from notahat.table.events import Dealt, Played, decode
from support import postgres as database
from support.crowd import Game, Person, answers, check_promises, everybody, finish, games
from support.patience import PATIENCE
from support.postgres import Postgres
from support.serving import Served

GAMES = 6
PACE = 20
OPTIONS = {"show_seconds": 1, "patience_seconds": 10, "rounds": "each"}
DOZING = 0.15

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
