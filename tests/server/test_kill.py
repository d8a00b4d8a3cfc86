"""SIGKILL at any moment loses no acknowledged command and no seat."""

import asyncio
import signal
from pathlib import Path
from random import Random

from notahat.store import open_store
from support.load import LoadGame, check_acknowledged, play_to_end, running_games, wait_for_all, wait_for_answers
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT

GAMES = 50
KILLS = 5


async def kill_and_restart(server: ServerProcess, games: list[LoadGame]) -> None:
    connections = {person: person.table.connections for game in games for person in game.people}
    server.stop(signal.SIGKILL)
    server.start()
    await wait_for_all(games, lambda person: person.table.connections > connections[person])
    await wait_for_all(games, lambda person: person.has_own_seat)


async def play_with_kills(server: ServerProcess, data: Path, randomness: Random) -> None:
    options = {"show_seconds": 0, "patience_seconds": 300, "rounds": "each"}
    async with running_games(GAMES, people=2, bots=1, urls=[server.url], **options) as games:
        playing = asyncio.gather(*(game.play() for game in games))
        for _ in range(KILLS):
            await wait_for_answers(games, randomness.randrange(20, 100))
            assert not any(game.over for game in games)
            await kill_and_restart(server, games)
        for final_states in await play_to_end(games, playing, TIMEOUT):
            assert len({(end.v, end.view.match) for end in final_states}) == 1
            assert final_states[0].view.match is not None
            assert final_states[0].view.match.winners
    server.stop()
    store = await open_store(f"sqlite:///{data}/notahat.db")
    assert await check_acknowledged(store, games) > 10 * GAMES
    await store.close()


def test_fifty_games_survive_repeated_sigkill(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, pace=20).start()
    try:
        asyncio.run(play_with_kills(server, tmp_path, Random(1)))
    finally:
        server.stop()
    assert '"trace"' not in server.log, server.log
