"""Thousands of frames and requests that make little sense: never a crash, always a reason."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from notahat.clients.python import Client
from notahat.server.http.openapi import openapi
from notahat.table.commands import GuestCommand
from notahat.wire.reasons import reasons
from support.raw_http import RawSocket, ask
from support.server_process import Served, served
from support.timeouts import PATIENCE

COMMANDS = sorted(str(kind.__struct_config__.tag) for kind in get_args(GuestCommand))
FIELDS = sorted({field.name for kind in get_args(GuestCommand) for field in msgspec.structs.fields(kind)})
NUMBERS = st.integers(-2, 12) | st.integers() | st.floats()
WORDS = st.sampled_from(["hat", "kite", "casual", "giver", "receiver", "wow", "random", "each"]) | st.text(max_size=40)
SCALARS = st.none() | st.booleans() | NUMBERS | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
ORDERS = st.fixed_dictionaries(
    {"id": st.text(max_size=70) | VALUES, "do": st.sampled_from(COMMANDS)},
    optional=dict.fromkeys(FIELDS, SCALARS | VALUES),
)
FRAMES = st.one_of(
    ORDERS.map(msgspec.json.encode),
    ORDERS.map(msgspec.json.encode),
    VALUES.map(msgspec.json.encode),
    st.binary(max_size=200),
    st.tuples(ORDERS.map(msgspec.json.encode), st.integers(0, 60)).map(lambda cut: cut[0][: cut[1]]),
)
KNOWN = set(reasons())
FUZZ = Path(__file__).parents[2] / "tools" / "fuzz.py"


class Fuzzed:
    """A connection to a table with a bit of everything, opened again when a frame closes it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client, self._code = asyncio.run(self._furnish())
        self.line = self.connect()

    async def _furnish(self) -> tuple[Client, str]:
        async with Client(self._url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                await table.do("sit", name="Ada")
                await table.do("add_bot", level="casual")
                await table.do("start")
            return client, code

    def connect(self) -> RawSocket:
        path = f"/api/tables/{self._code}/socket"
        return RawSocket(self._url, path, authorization=f"Bearer {self._client.token}")

    def answer_to(self, frame: bytes) -> dict[str, Any]:
        """Send a frame and read until its answer comes."""
        self.line.send(frame)
        while True:
            message = self.line.message()
            if "no" in message or "ack" in message or "beat" in message:
                return message


@pytest.fixture(scope="module")
def fuzzed(server: Served) -> Iterator[Fuzzed]:
    fuzzed = Fuzzed(server.url)
    with fuzzed.line:
        yield fuzzed


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames=st.lists(FRAMES, min_size=3, max_size=8))
def test_every_frame_gets_an_answer_with_a_reason(fuzzed: Fuzzed, frames: list[bytes]) -> None:
    for frame in frames:
        answer = fuzzed.answer_to(frame)
        assert "no" not in answer or answer["reason"] in KNOWN


def test_the_server_stands_after_all_that(server: Served, fuzzed: Fuzzed) -> None:
    assert fuzzed.answer_to(b'{"id": "still here", "do": "emote"}')["reason"] == "unreadable"
    assert ask(server.url, "GET", "/healthz").status == 200


class Described:
    """A server to itself, with a guest and a finished round for the requests that hit upon them."""

    def __init__(self, server: Served) -> None:
        self.url = server.url
        self.token, self.code = asyncio.run(self._furnish())

    async def _furnish(self) -> tuple[str, str]:
        async with Client(self.url) as client:
            code = await client.open_table()
            async with client.table(code) as table:
                for _ in range(2):
                    await table.do("add_bot", level="goldfish")
                await table.do("start")
                await table.do("end_match")
            return str(client.token), code


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    with served(tmp_path_factory.mktemp("described")) as server:
        yield Described(server)


# what a name, a picture or a whole deck must be, docs/decks.md says, and no schema can
MORE_THAN_A_SCHEMA_SAYS = ("/api/tables/{code}/deck", "/api/lines")
# how long a request is and what becomes of its connection is between HTTP and us: what makes no sense there never
# becomes a request, and is answered without a reason
OF_HTTP = ("connection", "content-length", "expect", "transfer-encoding", "upgrade")
# every other order for a deck to print would be seconds of work: tests/server/test_press.py gives some
schema = schemathesis.openapi.from_dict(openapi()).exclude(path="/api/print.pdf")


@schema.parametrize()
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_request_gets_an_answer_as_described(case: "schemathesis.Case[Any]", described: Described) -> None:
    places = case.path_parameters
    if "code" in places and len(str(places["code"])) % 2:
        places["code"] = described.code
        if "number" in places and places["number"] in range(3):
            places["number"] = 1
    for name in OF_HTTP:
        case.headers.pop(name, None)
    response = case.call(base_url=described.url, headers={"authorization": f"Bearer {described.token}"})
    excluded = [ignored_auth]  # we overrule whatever it says it is
    if case.path in MORE_THAN_A_SCHEMA_SAYS or _asks_for_a_day(case.body):
        excluded.append(positive_data_acceptance)
    case.validate_response(response, excluded_checks=excluded)


def _asks_for_a_day(body: object) -> bool:
    """Which must be today somewhere on earth."""
    return isinstance(body, dict) and body.get("day") is not None


def test_a_short_run_of_the_great_fuzz() -> None:
    short = ["--seed", "15", "--frames", "1500", "--requests", "300", "--seconds", str(PATIENCE)]
    done = subprocess.run([sys.executable, FUZZ, *short], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "longest wait beside" in done.stdout
