"""Random frames and requests never crash the server and always get an answer."""

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from notahat.clients.python import Client
from notahat.server.http.openapi import openapi
from notahat.table.commands import GUEST_COMMANDS
from notahat.wire.messages import reasons
from support.raw_table import open_socket
from support.server_process import ServerProcess, running_server

COMMANDS = sorted(str(kind.__struct_config__.tag) for kind in GUEST_COMMANDS)
FIELDS = sorted({field.name for kind in GUEST_COMMANDS for field in msgspec.structs.fields(kind)})
NUMBERS = st.integers(-2, 12) | st.integers() | st.floats()
WORDS = st.sampled_from(["hat", "kite", "casual", "giver", "receiver", "wow", "random", "each"]) | st.text(max_size=40)
SCALARS = st.none() | st.booleans() | NUMBERS | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
COMMANDS_JSON = st.fixed_dictionaries(
    {"id": st.text(max_size=70) | VALUES, "do": st.sampled_from(COMMANDS)},
    optional=dict.fromkeys(FIELDS, SCALARS | VALUES),
)
FRAMES = st.one_of(
    COMMANDS_JSON.map(msgspec.json.encode),
    COMMANDS_JSON.map(msgspec.json.encode),
    VALUES.map(msgspec.json.encode),
    st.binary(max_size=200),
    st.tuples(COMMANDS_JSON.map(msgspec.json.encode), st.integers(0, 60)).map(lambda cut: cut[0][: cut[1]]),
)
KNOWN_REASONS = set(reasons())


class FuzzTarget:
    """A connection to a running game."""

    def __init__(self, server: ServerProcess) -> None:
        self.connection = open_socket(server, *asyncio.run(self._prepare(server.url)))

    async def _prepare(self, url: str) -> tuple[Client, str]:
        async with Client(url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                await table.do("sit", name="Ada")
                await table.do("add_bot", level="casual")
                await table.do("start")
            return client, code

    def answer_to(self, frame: bytes) -> dict[str, Any]:
        """Send a frame and return its answer."""
        self.connection.send(frame)
        while True:
            message = self.connection.message()
            if "no" in message or "ack" in message or "beat" in message:
                return message


@pytest.fixture(scope="module")
def target(server: ServerProcess) -> Iterator[FuzzTarget]:
    target = FuzzTarget(server)
    with target.connection:
        yield target


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames=st.lists(FRAMES, min_size=3, max_size=8))
def test_every_frame_gets_an_answer(target: FuzzTarget, frames: list[bytes]) -> None:
    for frame in frames:
        answer = target.answer_to(frame)
        assert "no" not in answer or answer["reason"] in KNOWN_REASONS


class DescribedServer:
    """A server with a guest and a finished round, for requests that hit them."""

    def __init__(self, server: ServerProcess) -> None:
        self.url = server.url
        self.token, self.code = asyncio.run(self._prepare())

    async def _prepare(self) -> tuple[str, str]:
        async with Client(self.url) as client:
            code = await client.open_table()
            async with client.table(code) as table:
                for _ in range(2):
                    await table.do("add_bot", level="goldfish")
                await table.do("start")
                await table.do("end_match")
            return str(client.token), code


@pytest.fixture(scope="module")
def described_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DescribedServer]:
    """A server of its own, because wrong codes use up the attempts of an address."""
    with running_server(tmp_path_factory.mktemp("described")) as server:
        yield DescribedServer(server)


# docs/decks.md has rules for names, pictures and decks that a schema cannot express
STRICTER_THAN_SCHEMA = ("/api/tables/{code}/deck", "/api/tables/{code}/knock", "/api/lines")
# errors in these headers are found by the HTTP parser, which answers without a reason
CONNECTION_HEADERS = ("connection", "content-length", "expect", "transfer-encoding", "upgrade")
schema = schemathesis.openapi.from_dict(openapi())


@schema.parametrize()
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_request_is_answered_as_described(
    case: "schemathesis.Case[Any]", described_server: DescribedServer
) -> None:
    parameters = case.path_parameters
    if "code" in parameters and len(str(parameters["code"])) % 2:
        parameters["code"] = described_server.code
        if "number" in parameters and parameters["number"] in range(3):
            parameters["number"] = 1
    for name in CONNECTION_HEADERS:
        case.headers.pop(name, None)
    response = case.call(base_url=described_server.url, headers={"authorization": f"Bearer {described_server.token}"})
    excluded = [ignored_auth]  # every request gets our own token
    if case.path in STRICTER_THAN_SCHEMA or _has_day(case.body):
        excluded.append(positive_data_acceptance)
    case.validate_response(response, excluded_checks=excluded)


def _has_day(body: object) -> bool:
    """Return whether a body has a day, which must be today in some time zone."""
    return isinstance(body, dict) and body.get("day") is not None
