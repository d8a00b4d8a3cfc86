"""`kill -9` at any moment loses nothing that was acknowledged, and nobody's seat."""

import asyncio
import signal
from pathlib import Path
from random import Random

from notahat.store import open_store
from support.load import Game, answers, check_promises, everybody, finish, games
from support.server_process import Served
from support.timeouts import PATIENCE

GAMES = 50
KILLS = 5


async def killed_and_back(server: Served, crowd: list[Game]) -> None:
    connections = {person: person.table.connections for game in crowd for person in game.people}
    server.stop(signal.SIGKILL)
    server.start()
    await everybody(crowd, lambda person: person.table.connections > connections[person])
    await everybody(crowd, lambda person: person.sees_own_seat)


async def kill_and_go_on(server: Served, data: Path, luck: Random) -> None:
    options = {"show_seconds": 0, "patience_seconds": 300, "rounds": "each"}
    async with games(GAMES, people=2, bots=1, urls=[server.url], **options) as crowd:
        playing = asyncio.gather(*(game.play() for game in crowd))
        for _ in range(KILLS):
            await answers(crowd, luck.randrange(20, 100))
            assert not any(game.over for game in crowd)
            await killed_and_back(server, crowd)
        for ends in await finish(crowd, playing, PATIENCE):
            assert len({(end.v, end.view.match) for end in ends}) == 1
            assert ends[0].view.match is not None
            assert ends[0].view.match.winners
    server.stop()
    store = await open_store(f"sqlite:///{data}/notahat.db")
    assert await check_promises(store, crowd) > 10 * GAMES
    await store.close()


def test_fifty_games_survive_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    server = Served(tmp_path, pace=20).start()
    try:
        asyncio.run(kill_and_go_on(server, tmp_path, Random(1)))
    finally:
        server.stop()
    assert '"trace"' not in server.log, server.log
