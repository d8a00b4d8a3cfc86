"""SIGKILL at any moment loses no acknowledged command and no seat, on SQLite and with two nodes on PostgreSQL."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from notahat.store import open_store
from support.load import LoadGame, check_acknowledged, play_to_end, running_games, wait_for_all, wait_for_answers
from support.postgres import Postgres
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

GAMES = 12
KILLS = 3
OPTIONS = {"show_seconds": 0, "patience_seconds": 0, "rounds": "each"}


@pytest.fixture(params=["sqlite", "postgres"])
def servers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[ServerProcess]]:
    names, store = ["only"], f"sqlite:///{tmp_path}/tables.db"
    if request.param == "postgres":
        database: Postgres = request.getfixturevalue("postgres")
        names, store = ["one", "other"], database.empty_database()
    for name in names:
        (tmp_path / name).mkdir()
    servers = [ServerProcess(tmp_path / name, 20, store).start() for name in names]
    yield servers
    for server in servers:
        server.stop()
        assert '"trace"' not in server.log, server.log


async def kill_and_restart(server: ServerProcess, games: list[LoadGame]) -> None:
    """Kill a server and start it again; all of its clients must come back to their seats."""
    people = [person for game in games for person in game.people]
    connections = {person: person.table.connections for person in people if person.client.url == server.url}
    server.stop(signal.SIGKILL)
    server.start()
    await wait_for_all(games, lambda person: person.table.connections > connections.get(person, 0))
    await wait_for_all(games, lambda person: person.has_own_seat)


async def play_with_kills(servers: list[ServerProcess], randomness: Random) -> None:
    urls = [server.url for server in servers]
    async with running_games(GAMES, people=2, bots=1, urls=urls, **OPTIONS) as games:
        playing = asyncio.gather(*(game.play() for game in games))
        for _ in range(KILLS):
            await wait_for_answers(games, randomness.randrange(20, 60))
            assert not any(game.over for game in games)
            await kill_and_restart(servers[-1], games)
        for final_states in await play_to_end(games, playing, TIMEOUT):
            assert len({end.view.match for end in final_states}) == 1
            assert final_states[0].view.match is not None
            assert final_states[0].view.match.winners
    store = await open_store(servers[0].store)
    assert await check_acknowledged(store, games) > 10 * GAMES
    await store.close()


def test_games_survive_repeated_sigkill(servers: list[ServerProcess]) -> None:
    asyncio.run(play_with_kills(servers, Random(1)))
