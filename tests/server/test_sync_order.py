"""Commits reach the disk before their acknowledgements are sent.

That a killed process loses nothing does not prove it: the operating system keeps what was written. So the disk is
watched: the bytes of a command must reach the log, the log must be synced, and only then may the answer leave.
"""

import asyncio
from pathlib import Path

from support import disk_monitor
from support.load import play_to_end, running_games
from support.server_process import SEED, ServerProcess
from support.timeouts import TIMEOUT

GAMES = 8


class MonitoredServer(ServerProcess):
    """A server that records its disk operations."""

    def __init__(self, data: Path, **environment: str) -> None:
        super().__init__(data, 200, "", SEED, True, **environment)
        self.trace = data / "story"
        self.program = (disk_monitor.__file__, str(self.trace))


async def play(url: str) -> int:
    """Play several games at once, so that commits are grouped; return the number of answers."""
    async with running_games(GAMES, people=2, bots=1, urls=[url], show_seconds=0) as games:
        await play_to_end(games, asyncio.gather(*(game.play() for game in games)), TIMEOUT)
        return sum(len(person.acknowledged) for game in games for person in game.people)


def play_monitored(data: Path, **environment: str) -> tuple[int, list[str]]:
    server = MonitoredServer(data, **environment)
    server.start()
    try:
        answers = asyncio.run(play(server.url))
    finally:
        server.stop()
    return answers, server.trace.read_text().splitlines()


def acks_before_sync(trace: list[str]) -> list[str]:
    """Return the commands that were acknowledged before their sync."""
    written: set[str] = set()
    safe: set[str] = set()
    too_early = []
    for line in trace:
        match line.split():
            case ["wrote", command]:
                written.add(command)
            case ["synced"]:
                safe |= written
            case ["ack", command] if command not in safe:
                too_early.append(command)
    return too_early


def test_commit_is_synced_before_its_ack_is_sent(tmp_path: Path) -> None:
    answers, trace = play_monitored(tmp_path)
    acknowledged = [line for line in trace if line.startswith("ack")]
    assert len(acknowledged) >= answers > 50
    assert acks_before_sync(trace) == []


def test_missing_sync_would_be_detected(tmp_path: Path) -> None:
    answers, trace = play_monitored(tmp_path, WATCHED_DISK="careless")
    assert len(acks_before_sync(trace)) >= answers > 50
