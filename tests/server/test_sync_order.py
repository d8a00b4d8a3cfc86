"""The disk has what an acknowledgement promises before the acknowledgement is sent.

That a killed process loses nothing does not prove it: the operating system keeps what was written. So the disk is
watched: the bytes of a command must reach the log, the log must be synced, and only then may the answer leave.
"""

import asyncio
from pathlib import Path

from support import disk_monitor
from support.load import finish, games
from support.server_process import LUCK, Served
from support.timeouts import PATIENCE

GAMES = 8


class Watched(Served):
    """A server that tells what it does with the disk."""

    def __init__(self, data: Path, **environment: str) -> None:
        super().__init__(data, 200, "", LUCK, True, **environment)
        self.story = data / "story"
        self.program = (disk_monitor.__file__, str(self.story))


async def play(url: str) -> int:
    """Some games at once, so that commits are shared; says how many answers there were."""
    async with games(GAMES, people=2, bots=1, urls=[url], show_seconds=0) as crowd:
        await finish(crowd, asyncio.gather(*(game.play() for game in crowd)), PATIENCE)
        return sum(len(person.promised) for game in crowd for person in game.people)


def play_watched(data: Path, **environment: str) -> tuple[int, list[str]]:
    server = Watched(data, **environment)
    server.start()
    try:
        answers = asyncio.run(play(server.url))
    finally:
        server.stop()
    return answers, server.story.read_text().splitlines()


def too_early(story: list[str]) -> list[str]:
    """The commands that were acknowledged before the sync that made them safe."""
    written: set[str] = set()
    safe: set[str] = set()
    early = []
    for line in story:
        match line.split():
            case ["wrote", command]:
                written.add(command)
            case ["synced"]:
                safe |= written
            case ["ack", command] if command not in safe:
                early.append(command)
    return early


def test_every_commit_is_synced_before_its_acknowledgement_is_sent(tmp_path: Path) -> None:
    answers, story = play_watched(tmp_path)
    acknowledged = [line for line in story if line.startswith("ack")]
    assert len(acknowledged) >= answers > 50
    assert too_early(story) == []


def test_a_server_that_does_not_wait_for_the_disk_would_be_caught(tmp_path: Path) -> None:
    answers, story = play_watched(tmp_path, WATCHED_DISK="careless")
    assert len(too_early(story)) >= answers > 50
