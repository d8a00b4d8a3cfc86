"""Rule 9.5: two servers whose games differ only in face-down gifts send the same bytes, by socket and by HTTP."""

import asyncio
from pathlib import Path

import msgspec

from notahat.server.settings import Settings
from notahat.table import Entry
from notahat.table.events import encode
from support.hidden_gifts import PEOPLE, hidden_gifts, running_game, with_swapped_gifts
from support.raw_http import send_request
from support.recorded_server import INVITED, RecordingClient, StoppedClock, store_game
from support.server_process import in_process_server
from support.tables import guest
from support.timeouts import TIMEOUT

WATCHER = "Eva"


async def read(url: str, name: str, path: str) -> tuple[int, dict[str, str], bytes]:
    """Return a response about the table, without its date."""
    where, authorization = f"/api/tables/{INVITED}{path}", f"Bearer {name}"
    answer = await asyncio.to_thread(send_request, url, "GET", where, authorization=authorization)
    return answer.status, answer.headers | {"date": ""}, answer.body


async def play(path: Path, log: list[Entry], receiver: str, turn: int) -> tuple[list[object], bytes]:
    """Return all that a player and a spectator are sent while a gift is offered, and what follows its refusal."""
    settings = Settings(port=0, store=f"sqlite:///{path}")
    await store_game(settings, map(encode, log), {name: guest(name) for name in (*PEOPLE, WATCHER)})
    paths = ["", "/rounds/1", *(f"/decks/{version}" for version in range(len(log) + 1))]
    async with (
        in_process_server(settings, StoppedClock()) as url,
        RecordingClient(url, receiver) as player,
        RecordingClient(url, WATCHER) as watcher,
    ):
        answers = [await read(url, name, path) for name in (receiver, WATCHER) for path in paths]
        assert [body for _, _, body in answers if body.startswith(b'{"name":"At home"')]
        sent: list[object] = [*answers, player.messages[0], watcher.messages[0]]
        await player.send("refused", msgspec.json.encode({"id": "refused", "do": "refuse", "turn": turn}))
        return sent, player.messages[-1]


def test_r9_5_exchanged_gifts_change_no_byte_until_one_is_opened(tmp_path: Path) -> None:
    """With own gifts, which are also sent as a deck; the simulation's twins play on, with those of the catalogue."""
    driver = running_game(4, own_gifts=True)
    hidden, round_ = hidden_gifts(driver), driver.table.round
    assert len(hidden) >= 4
    assert round_ is not None
    receiver = driver.name_at(driver.table.due.seat or 0)
    logs = {"one.db": driver.log, "other.db": with_swapped_gifts(driver.log, hidden)}
    (sent, opened), (other_sent, other_opened) = (
        asyncio.run(asyncio.wait_for(play(tmp_path / name, log, receiver, round_.turn), TIMEOUT))
        for name, log in logs.items()
    )
    assert sent == other_sent
    assert opened != other_opened
