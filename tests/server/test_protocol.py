"""docs/protocol.md: its example works, and it names every command, event, reason and path."""

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec

from notahat.clients.python import Client
from notahat.server.http.openapi import openapi
from notahat.table import EMOTES, Options, Shown, TableView
from notahat.table.commands import GUEST_COMMANDS
from notahat.table.story import AwardName
from notahat.wire.messages import reasons
from support.frame_schema import FROM_CLIENTS, FROM_SERVER
from support.raw_http import RawSocket
from support.server_process import ServerProcess

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
MAX_SKIPPED = 10


def example() -> list[tuple[str, str, dict[str, Any]]]:
    block = PROTOCOL.partition("```exchange\n")[2].partition("```")[0]
    lines = (line.split(" ", 2) for line in block.splitlines())
    return [(name, direction, msgspec.json.decode(message)) for name, direction, message in lines]


def matches(expected: Any, found: Any) -> bool:
    """Return whether the found value has at least the expected fields."""
    match expected:
        case "…":
            return True
        case dict():
            return isinstance(found, dict) and all(
                key in found and matches(value, found[key]) for key, value in expected.items()
            )
        case list():
            return len(expected) == len(found) and all(map(matches, expected, found))
        case _:
            return bool(expected == found)


def test_documented_example_happens(server: ServerProcess) -> None:
    async def tokens_and_code() -> tuple[dict[str, str], str]:
        async with Client(server.url) as ada, Client(server.url) as ben:
            code = await ada.open_table(starter=0, show_seconds=0, arrows="black")
            return {"ada": str(ada.token), "ben": str(ben.token)}, code

    tokens, code = asyncio.run(tokens_and_code())
    path = f"/api/tables/{code}/socket"
    with (
        RawSocket(server.url, path, authorization=f"Bearer {tokens['ada']}") as ada,
        RawSocket(server.url, path, authorization=f"Bearer {tokens['ben']}") as ben,
    ):
        connections = {"ada": ada, "ben": ben}
        for name, direction, message in example():
            if direction == ">":
                assert FROM_CLIENTS.errors(message) == []
                connections[name].send(msgspec.json.encode(message))
            else:
                received = [connections[name].message()]
                while not matches(message, received[-1]):
                    assert len(received) < MAX_SKIPPED, (message, received)
                    received.append(connections[name].message())
                assert [error for one in received for error in FROM_SERVER.errors(one)] == []


def test_every_reason_event_and_command_is_documented() -> None:
    tags = [str(kind.__struct_config__.tag) for kind in (*get_args(Shown), *GUEST_COMMANDS)]
    assert [reason for reason in reasons() if f"`{reason}`" not in PROTOCOL] == []
    assert [tag for tag in tags if f"`{tag}" not in PROTOCOL] == []


def test_every_field_option_award_emote_and_path_is_documented() -> None:
    words = [*TableView.__struct_fields__, *Options.__struct_fields__, *get_args(AwardName), *EMOTES]
    assert [word for word in words if word not in PROTOCOL] == []
    paths = [path.replace("{number}", "{n}") for path in openapi()["paths"]]
    assert [path for path in paths if path not in PROTOCOL] == []
