"""A seed makes every table play the same game, on any machine and at any speed."""

import argparse
from itertools import pairwise
from pathlib import Path

import pytest

from notahat.clients.python import Client, TableClient
from notahat.live.settings import TICK_SECONDS
from notahat.server.main import add_command
from notahat.server.settings import Settings, from_environment
from notahat.table.story import Story
from notahat.wire.messages import State
from support.server_process import in_process_server


async def play_match(url: str) -> list[Story]:
    """Play a match of one person, who always refuses, and three bots; return its stories."""
    async with Client(url) as client:
        code = await client.open_table(rounds="each", show_seconds=0)
        async with client.table(code) as table:
            await table.do("sit", name="Ada")
            for level in ("goldfish", "casual", "elephant"):
                await table.do("add_bot", level=level)
            await table.do("shuffle_seats")
            await table.do("start")
            state = await table.until(can_act)
            while state.view.stage != "over":
                await act(table)
                state = await table.until(can_act)
        return [await client.story(code, number) for number in (1, 2, 3, 4)]


def can_act(state: State) -> bool:
    """Return whether the person has a move, or the round is over."""
    acts = {"draw", "give", "accept", "again", "ready"} if state.view.stage == "play" else {"ready", "again"}
    return bool({one.do for one in state.may} & acts)


async def act(table: TableClient) -> None:
    assert table.state is not None
    permitted = {one.do: one for one in table.state.may}
    if "give" in permitted:
        await table.do("give", claim="umbrella", to=(permitted["give"].to or (None,))[0])
    elif "accept" in permitted:
        await table.do("refuse")
    else:
        await table.do("draw" if "draw" in permitted else "ready")


async def stories(folder: Path, pace: float) -> list[Story]:
    settings = Settings(port=0, store=f"sqlite:///{folder}/{pace}.db", pace=pace, luck=7, guests_per_address=100)
    async with in_process_server(settings) as url:
        return await play_match(url)


@pytest.mark.anyio
async def test_same_seed_plays_same_game_on_every_server(tmp_path: Path) -> None:
    expected = await stories(tmp_path, pace=4000.0)
    assert await stories(tmp_path, pace=1000.0) == expected
    assert len({story.first.shop.top for story in expected}) == 4, "each round has its own shuffle"
    assert {step.by for story in expected for step in story.steps} == {"person", "bot", "itself"}
    for before, after in pairwise(step for story in expected for step in story.steps):
        assert after.at % TICK_SECONDS == 0.0
        assert after.at > before.at or after.view.turn < before.view.turn, "time starts again with each round"


def test_seed_is_set_only_by_environment(capsys: pytest.CaptureFixture[str]) -> None:
    assert Settings().luck is None
    assert from_environment({"NOTAHAT_LUCK": "7"}).luck == 7
    with pytest.raises(ValueError, match="NOTAHAT_LUCK"):
        from_environment({"NOTAHAT_LUCK": "good"})
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    with pytest.raises(SystemExit):
        parser.parse_args(["serve", "--luck", "7"])
