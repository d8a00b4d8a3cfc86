"""The AsyncAPI description is valid, and describes every frame of recorded games in both directions."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft7Validator

from notahat.live.room import Room
from notahat.server.http.asyncapi import asyncapi
from notahat.table import fold
from notahat.table.events import decode
from support.frame_schema import FROM_CLIENTS, FROM_SERVER
from support.pocket_driver import PocketTable
from support.raw_http import send_request
from support.recorded_games import LOBBY_COMMANDS, SETUP_COMMANDS, STRANGER, frame, guests_of, opening, play_in_pocket
from support.room_driver import RoomDriver, StoredCommit
from support.server_process import ServerProcess

ROOT = Path(__file__).parents[3]
LOGS = sorted((ROOT / "tests/table/logs").glob("*/*.jsonl"))
SPECIFICATION = ROOT / "web/node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json"
Change = Callable[[dict[str, Any]], object]


def frames_of(log: list[bytes]) -> Iterator[dict[str, Any]]:
    """Yield what guests with states and guests with deltas are sent while another node plays this game."""
    commits = [StoredCommit(version, f"o{version}", entry) for version, entry in enumerate(log, 1)]
    driver = RoomDriver()
    driver.durable = False
    opened = Room.open(None, commits[:1], 0.0, 1000.0)
    assert opened is not None
    driver.room = opened
    for guest in guests_of(fold(None, map(decode, log))):
        driver.call("connected", f"{guest} states", guest, 0.0, False, guest == STRANGER)
        driver.call("connected", f"{guest} deltas", guest, 0.0, True, False)
    for commit in commits[1:]:
        driver.call("commits_received", [commit], 0.0)
    for messages in driver.messages.values():
        yield from map(msgspec.json.decode, messages)


@pytest.fixture(scope="module")
def pocket() -> PocketTable:
    """A whole game against computer players, then some commands that are refused."""
    pocket = play_in_pocket(opening())
    for number, fields in enumerate(LOBBY_COMMANDS, 100):
        pocket.send(frame(number, fields))
    pocket.send('{"do":"beat"}')
    return pocket


@pytest.fixture(scope="module")
def recorded(pocket: PocketTable) -> list[dict[str, Any]]:
    """All messages of the golden logs and of the pocket game."""
    logs = [path.read_bytes().splitlines() for path in LOGS]
    logs.append([entry.encode() for _, _, entry in pocket.browser.rows])
    messages = [message for log in logs for message in frames_of(log)]
    return messages + [msgspec.json.decode(sent) for sent in pocket.browser.messages["me"]]


def of_kind(frames: list[dict[str, Any]], field: str) -> dict[str, Any]:
    """Return a copy of the longest frame with a field."""
    return copy.deepcopy(max((one for one in frames if field in one), key=lambda one: len(str(one))))


def test_description_is_valid_asyncapi() -> None:
    specification = Draft7Validator(msgspec.json.decode(SPECIFICATION.read_bytes()))
    document = copy.deepcopy(asyncapi())
    assert [error.message for error in specification.iter_errors(document)] == []
    document["operations"]["state"]["action"] = "shout"
    assert not specification.is_valid(document)


def test_server_serves_the_description(server: ServerProcess) -> None:
    response = send_request(server.url, "GET", "/api/asyncapi.json")
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert response.json == asyncapi()


def test_recorded_messages_of_the_server_are_valid(recorded: list[dict[str, Any]]) -> None:
    assert {"view", "changed", "no", "beat"} <= {key for message in recorded for key in message}
    assert [error for message in recorded for error in FROM_SERVER.errors(message)][:1] == []


def test_recorded_commands_are_valid_unless_refused(pocket: PocketTable, recorded: list[dict[str, Any]]) -> None:
    refused = {message["no"] for message in recorded if "no" in message}
    frames = [msgspec.json.decode(sent) for sent in pocket.frames]
    accepted = [sent for sent in frames if sent.get("id") not in refused]
    assert len(accepted) > len(SETUP_COMMANDS)
    assert [error for sent in accepted for error in FROM_CLIENTS.errors(sent)] == []
    assert [sent["options"] for sent in frames if "options" in sent and not FROM_CLIENTS.accepts(sent)] == [
        {"edition": "none"}
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state["view"].pop("host_away"),
        lambda state: state["view"].update(stage="pub"),
        lambda state: state["view"]["round"]["seats"][0].update(
            column=[{"face": "down", "back": "left", "gift": "hat"}]
        ),
        lambda state: state.update(may=[{"do": "cheat"}]),
    ],
)
def test_changed_state_is_invalid(recorded: list[dict[str, Any]], change: Change) -> None:
    state = of_kind([one for one in recorded if (one.get("view") or {}).get("round")], "view")
    assert FROM_SERVER.accepts(state)
    change(state)
    assert not FROM_SERVER.accepts(state)
