"""Language models at a table: tools over MCP, marked as programs, told nothing that is wrapped."""

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters

from notahat.clients.mcp.tools import LONGEST_ANSWER, Tools, mcp_server
from notahat.clients.python import Client
from notahat.gifts import name
from notahat.rules import FaceUp
from notahat.table import EMOTES
from support.server_process import ServerProcess, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("mcp")) as process:
        yield process


async def call(client: McpClient, tool: str, **fields: Any) -> str:
    result = await client.call_tool(tool, fields)
    text = "".join(part.text for part in result.content)  # type: ignore[union-attr]
    return f"ERROR {text}" if result.is_error else text


async def play_round(client: McpClient, tools: Tools, seat: str, rng: Random) -> int:
    """Play one round at random, from the answers alone. Return the number of own moves."""
    moves = 0
    while True:
        answer = await call(client, "wait_for_my_turn", seat=seat)
        check_answer(answer, tools, seat)
        if "The game is over" in answer:
            return moves
        last = answer.rpartition("\n")[2]
        if "(draw)" in last:
            answer = await call(client, "draw", seat=seat)
        elif "accept or refuse" in last:
            answer = await call(client, rng.choice(("accept", "refuse")), seat=seat)
        elif "name?" in last:
            to = {"to": rng.choice(others(tools, seat))} if "anybody" in last else {}
            answer = await call(client, "give", seat=seat, gift=rng.choice(("hat", "a kite", "piano")), **to)
        else:
            continue
        assert not answer.startswith("ERROR"), answer
        check_answer(answer, tools, seat)
        moves += 1


def others(tools: Tools, seat: str) -> list[str]:
    state = tools.seats[seat].state
    return [one.name for number, one in enumerate(state.view.seats) if number not in state.you]


def check_answer(answer: str, tools: Tools, seat: str) -> None:
    """Rule 9.5: the table in an answer names only gifts that lie open now."""
    assert len(answer) <= LONGEST_ANSWER
    round_ = tools.seats[seat].state.view.round
    if round_ is None or "On the table:" not in answer:
        return
    lying = {card.gift for held in round_.seats for card in held.column if isinstance(card, FaceUp)}
    opened = {name(gift, "en") for gift in lying | {gift for held in round_.seats for gift in held.penalties}}
    part = answer.partition("On the table:")[2].partition("The shop shows:")[0]
    named = {gift for row in re.findall(r": (.*)", part) for gift in re.findall(r"([\w' -]+?) \(open\)", row)}
    named |= {gift for row in re.findall(r"penalties: (.*)", part) for gift in row.split(", ")}
    assert named <= opened


def _field(tools: dict[str, Any], name: str) -> dict[str, Any]:
    tool, _, field = name.partition(".")
    found: dict[str, Any] = tools[tool]["properties"][field]
    return found


def test_program_plays_rounds_with_computer_players(server: ServerProcess) -> None:
    async def play() -> None:
        tools, rng = Tools(server.url, "en"), Random(4)
        async with McpClient(mcp_server(tools)) as client:
            assert (await call(client, "rules")).startswith(
                "You play a card game of memory and bluff with 2–8 players.\nEvery card"
            )
            opened = await call(client, "open_table", name="Robo", computer_players=3, level="goldfish")
            seat = re.findall(r"seat: (\w+)", opened)[0]
            assert tools.seats[seat].state.view.seats[0].kind == "program"
            assert "You are Robo. Clockwise around the table: Robo, " in await call(client, "rules", seat=seat)
            await call(client, "start", seat=seat)
            for _ in range(3):
                assert await play_round(client, tools, seat, rng) > 0
                await call(client, "start", seat=seat)
            assert "left" in await call(client, "leave", seat=seat)
            assert "no such seat" in await call(client, "look", seat=seat)

    asyncio.run(play())


def test_mistakes_get_a_reason_and_change_nothing(server: ServerProcess) -> None:
    async def play() -> None:
        tools = Tools(server.url, "en")
        async with McpClient(mcp_server(tools)) as client:
            assert "no_such_table" in await call(client, "join_table", link="ZZZZ", name="Robo")
            for link in ("http://[", "ftp://x/t/K7QX", "https://host/", "mailto:a@b.example"):
                assert "link" in await call(client, "join_table", link=link, name="Robo")
            assert "another server" in await call(client, "join_table", link="http://127.0.0.1:1/t/K7QX", name="Robo")
            assert "goldfish" in await call(client, "open_table", name="Robo", level="god")
            assert "ERROR" in await call(client, "open_table", name="Robo", computer_players=-3)
            opened = await call(client, "open_table", name="Robo", computer_players=2)
            seat = re.findall(r"seat: (\w+)", opened)[0]
            assert "perhaps hat" in await call(client, "give", seat=seat, gift="hatt")
            assert "ERROR" in await call(client, "give", seat=seat, gift="hat")
            assert "nobody" in await call(client, "give", seat=seat, gift="hat", to="Zoe")
            assert "There are:" in await call(client, "say", seat=seat, emote="dragon")
            assert tools.seats[seat].state.view.stage == "lobby"
            await call(client, "leave", seat=seat)

    asyncio.run(play())


def test_stdio_command_joins_a_persons_table(server: ServerProcess, tmp_path: Path) -> None:
    async def play() -> None:
        command = [
            sys.executable,
            "-m",
            "notahat",
            "mcp",
            "--server",
            "http://127.0.0.1:1",
            "--any-server",
            "--lang",
            "de",
        ]
        async with Client(server.url) as ada, ada.table(await ada.open_table()) as table:
            await table.do("sit", name="Ada")
            started = StdioServerParameters(command=command[0], args=command[1:], cwd=tmp_path)
            async with McpClient(started) as client:
                tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
                assert {"rules", "join_table", "wait_for_my_turn", "give", "accept", "refuse", "leave"} <= tools.keys()
                described = {f"{tool}.{field}" for tool, one in tools.items() for field in one["properties"]}
                assert {one for one in described if "description" not in _field(tools, one)} == set()
                assert "elephant" in _field(tools, "open_table.level")["enum"]
                assert set(EMOTES) == set(_field(tools, "say.emote")["enum"])
                joined = await call(client, "join_table", link=f"{server.url}/t/{table.code}", name="Robo")
                assert "Das Spiel hat noch nicht begonnen" in joined
                state = await table.until(lambda state: len(state.view.seats) == 2)
                assert [seat.kind for seat in state.view.seats] == ["person", "program"]

    asyncio.run(play())
