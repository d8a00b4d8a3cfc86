"""A seed makes every table play the same game, on any machine and at any speed."""

import argparse
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from notahat.clients.python import Client, TableClient
from notahat.live.determinism import TICK_SECONDS
from notahat.rules import View
from notahat.server.main import add_command
from notahat.server.settings import Settings, from_environment
from notahat.table.story import Story
from notahat.wire.messages import State
from support.server_process import ServerProcess, in_process_server, running_server


async def play_match(server: ServerProcess) -> list[Story]:
    """Play a match of one person, who always refuses, and three bots; return its stories."""
    async with Client(server.url) as client:
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


@pytest.mark.anyio
async def test_same_seed_plays_same_game_on_every_server(tmp_path: Path) -> None:
    (tmp_path / "slower").mkdir()
    with running_server(tmp_path, seed=7) as one, running_server(tmp_path / "slower", pace=60.0, seed=7) as other:
        expected = await play_match(one)
        assert await play_match(one) == expected
        assert await play_match(other) == expected
    assert len({story.first.shop.top for story in expected}) == 4, "each round has its own shuffle"
    assert {step.by for story in expected for step in story.steps} == {"person", "bot", "itself"}
    for before, after in pairwise(step for story in expected for step in story.steps):
        assert after.at % TICK_SECONDS == 0.0
        assert after.at > before.at or after.view.turn < before.view.turn, "time starts again with each round"


@pytest.mark.anyio
async def test_other_seeds_and_no_seed_play_other_games(tmp_path: Path) -> None:
    first_views: list[View] = []
    for seed in (7, 8, None, None):
        settings = Settings(port=0, store=f"sqlite:///{tmp_path}/{len(first_views)}.db", luck=seed)
        async with in_process_server(settings) as url:
            first_views.append(await first_view(url))
    assert all(one != other for one, other in combinations(first_views, 2))


async def first_view(url: str) -> View:
    async with Client(url) as client:
        code = await client.open_table(rounds="each")
        async with client.table(code) as table:
            for name in ("Ada", "Ben", "Cem", "Dora"):
                await table.do("sit", name=name)
            await table.do("start")
            await table.do("end_match")
        return (await client.story(code, 1)).first


def test_seed_is_set_only_by_environment(capsys: pytest.CaptureFixture[str]) -> None:
    assert Settings().luck is None
    assert from_environment({"NOTAHAT_LUCK": "7"}).luck == 7
    with pytest.raises(ValueError, match="NOTAHAT_LUCK"):
        from_environment({"NOTAHAT_LUCK": "good"})
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    with pytest.raises(SystemExit):
        parser.parse_args(["serve", "--luck", "7"])
