"""Known luck: every table plays the same game, on any machine and however quick it is. For tests and demonstrations."""

import argparse
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from notahat.clients.python import Client, TableClient
from notahat.rules import View
from notahat.server.determinism import KNOWN_STEP_SECONDS
from notahat.server.main import add_command
from notahat.server.settings import Settings, from_environment
from notahat.table.story import Story
from notahat.wire.messages import State
from support.server_process import Served, served, serving_here


async def a_game(server: Served) -> list[Story]:
    """Ada opens a table for herself and three computer players, doubts everything, and plays until a match is over."""
    async with Client(server.url) as client:
        code = await client.open_table(rounds="each", show_seconds=0)
        async with client.table(code) as table:
            await table.do("sit", name="Ada")
            for level in ("goldfish", "casual", "elephant"):
                await table.do("add_bot", level=level)
            await table.do("shuffle_seats")
            await table.do("start")
            state = await table.until(may_act)
            while state.view.stage != "over":
                await act(table)
                state = await table.until(may_act)
        return [await client.story(code, number) for number in (1, 2, 3, 4)]


def may_act(state: State) -> bool:
    """Somebody's turn, or the end of a round; whoever may only say that they have looked enough waits."""
    acts = {"draw", "give", "accept", "again"} if state.view.stage == "play" else {"ready", "again"}
    return bool({one.do for one in state.may} & acts)


async def act(table: TableClient) -> None:
    assert table.state is not None
    offered = {one.do: one for one in table.state.may}
    if "give" in offered:
        await table.do("give", claim="umbrella", to=(offered["give"].to or (None,))[0])
    elif "accept" in offered:
        await table.do("refuse")
    else:
        await table.do("draw" if "draw" in offered else "ready")


@pytest.mark.anyio
async def test_the_same_luck_plays_the_same_game_at_every_table_of_every_server(tmp_path: Path) -> None:
    (tmp_path / "slower").mkdir()
    with (
        served(tmp_path, luck=7) as one,
        served(tmp_path / "slower", pace=60.0, luck=7) as other,
    ):
        known = await a_game(one)
        assert await a_game(one) == known
        assert await a_game(other) == known
    assert len({story.first.shop.top for story in known}) == 4, "each round is shuffled anew"
    assert {step.by for story in known for step in story.steps} == {"person", "bot", "itself"}
    for earlier, later in pairwise(step for story in known for step in story.steps):
        assert later.at % KNOWN_STEP_SECONDS == 0.0
        assert later.at > earlier.at or later.view.turn < earlier.view.turn, "each round's time begins anew"


@pytest.mark.anyio
async def test_other_luck_and_none_at_all_play_other_games(tmp_path: Path) -> None:
    firsts: list[View] = []
    for luck in (7, 8, None, None):
        settings = Settings(port=0, store=f"sqlite:///{tmp_path}/{len(firsts)}.db", luck=luck)
        async with serving_here(settings) as url:
            firsts.append(await a_deal(url))
    assert all(one != other for one, other in combinations(firsts, 2))


async def a_deal(url: str) -> View:
    async with Client(url) as client:
        code = await client.open_table(rounds="each")
        async with client.table(code) as table:
            for name in ("Ada", "Ben", "Cem", "Dora"):
                await table.do("sit", name=name)
            await table.do("start")
            await table.do("end_match")
        return (await client.story(code, 1)).first


def test_nobody_meets_it_in_normal_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert Settings().luck is None
    assert from_environment({"NOTAHAT_LUCK": "7"}).luck == 7
    with pytest.raises(ValueError, match="NOTAHAT_LUCK"):
        from_environment({"NOTAHAT_LUCK": "good"})
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    with pytest.raises(SystemExit):
        parser.parse_args(["serve", "--luck", "7"])
