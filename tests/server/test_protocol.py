"""docs/protocol.md is true: its example is played, and it names everything there is."""

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from notahat.clients.python import Client
from notahat.server.http.openapi import openapi
from notahat.table import EMOTES, Options, Shown, TableView
from notahat.table.awards import Name
from notahat.table.commands import GuestCommand
from notahat.wire.reasons import reasons
from notahat.wire.typescript import typescript
from support.raw_http import RawSocket
from support.server_process import Served

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
MOST_SKIPPED = 10


def example() -> list[tuple[str, str, dict[str, Any]]]:
    block = PROTOCOL.partition("```exchange\n")[2].partition("```")[0]
    lines = (line.split(" ", 2) for line in block.splitlines())
    return [(who, way, msgspec.json.decode(message)) for who, way, message in lines]


def fits(wanted: Any, found: Any) -> bool:
    """Whether what was found has at least what was wanted."""
    match wanted:
        case "…":
            return True
        case dict():
            return isinstance(found, dict) and all(key in found and fits(wanted[key], found[key]) for key in wanted)
        case list():
            return len(wanted) == len(found) and all(map(fits, wanted, found))
        case _:
            return bool(wanted == found)


def test_the_example_happens_as_it_is_told(server: Served) -> None:
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
        lines = {"ada": ada, "ben": ben}
        for who, way, message in example():
            if way == ">":
                lines[who].send(msgspec.json.encode(message))
            else:
                heard = [lines[who].message()]
                while not fits(message, heard[-1]):
                    assert len(heard) < MOST_SKIPPED, (message, heard)
                    heard.append(lines[who].message())


@pytest.mark.parametrize("reason", reasons())
def test_every_reason_is_documented(reason: str) -> None:
    assert f"`{reason}`" in PROTOCOL


@pytest.mark.parametrize("event", [str(kind.__struct_config__.tag) for kind in get_args(Shown)])
def test_every_event_is_documented(event: str) -> None:
    assert f"`{event}" in PROTOCOL


@pytest.mark.parametrize("command", [str(kind.__struct_config__.tag) for kind in get_args(GuestCommand)])
def test_every_command_is_documented(command: str) -> None:
    assert f"`{command}" in PROTOCOL


def test_every_field_option_award_emote_and_path_is_documented() -> None:
    words = [*TableView.__struct_fields__, *Options.__struct_fields__, *get_args(Name), *EMOTES]
    assert [word for word in words if word not in PROTOCOL] == []
    paths = [path.replace("{number}", "{n}") for path in openapi()["paths"]]
    assert [path for path in paths if path not in PROTOCOL] == []


def test_the_typescript_types_are_current() -> None:
    assert (ROOT / "web/src/wire.ts").read_text() == typescript()
