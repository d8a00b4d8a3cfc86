"""Files of earlier releases: their guests come back with their tokens and play on."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from notahat.clients.python import Client
from notahat.server.settings import Settings
from support.server_process import in_process_server
from support.timeouts import TIMEOUT

FILES = Path(__file__).parents[1] / "store/releases"


@pytest.mark.parametrize(
    ("release", "name", "command"), [("0.1.0", "Ben", "start"), ("0.2.0", "Ada", "draw"), ("0.3.0", "Ada", "draw")]
)
def test_people_play_on_after_upgrade(tmp_path: Path, release: str, name: str, command: str) -> None:
    path = tmp_path / "notahat.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((FILES / f"{release}.sql").read_text())

    async def scenario() -> None:
        async with in_process_server(Settings(port=0, store=f"sqlite:///{path}", pace=200.0)) as url:
            async with Client(url, f"token-of-{name}").table("K7QX") as table:
                assert table.state is not None
                before, seats = table.state.v, table.state.you
                assert seats
                after = await table.do(command)
                assert after.v == before + 1
            async with Client(url, f"token-of-{name}").table("K7QX") as table:
                assert table.state is not None
                assert (table.state.v > before, table.state.you) == (True, seats)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
