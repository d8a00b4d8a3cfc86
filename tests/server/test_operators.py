"""What an operator relies on: /healthz tells the truth, /metrics tells operators alone, people who come are known."""

import asyncio
import re
import resource
import socket
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from notahat.clients.python import Client
from notahat.server.http.guests import ASK_AGAIN_SECONDS, Guests
from notahat.server.ops import health
from notahat.server.settings import Settings
from notahat.store import open_store
from support.postgres import Postgres
from support.raw_http import ask
from support.server_process import FIGURES, Served, serving_here
from support.timeouts import PATIENCE


async def becomes(url: str, status: int) -> None:
    """Wait until health is told like this."""
    async with asyncio.timeout(PATIENCE):
        while (answer := await asyncio.to_thread(ask, url, "GET", "/healthz")).status != status:
            await asyncio.sleep(0.01)
    assert b"notahat.db" not in answer.body, "strangers need not know"


@pytest.fixture
def asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits until an answer about health is a second old."""
    monkeypatch.setattr(health, "FRESH_SECONDS", -1.0)


@pytest.mark.usefixtures("asked_each_time")
def test_health_is_bad_while_nothing_can_be_written_and_good_again_after(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with serving_here(Settings(port=0, store=f"sqlite:///{tmp_path}/notahat.db")) as url:
            await becomes(url, 200)
            longest = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, longest[1]))  # as on a full disk
            try:
                await becomes(url, 503)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, longest)
            await becomes(url, 200)
            (tmp_path / "notahat.db").unlink()
            await becomes(url, 503)

    asyncio.run(story())
    assert "the store is not well" in caplog.text


@pytest.mark.usefixtures("asked_each_time")
def test_health_is_bad_at_once_when_the_database_is_silent(postgres: Postgres) -> None:
    """No answer may take longer than a load balancer waits, two seconds: here it comes while nothing is heard."""
    assert health.LONGEST_SECONDS < 2

    async def story() -> None:
        async with serving_here(Settings(port=0, store=postgres.empty_database())) as url:
            await becomes(url, 200)
            with psycopg.connect(postgres.address) as locked:  # it lives, and answers nobody
                locked.execute("LOCK TABLE notahat.schema IN ACCESS EXCLUSIVE MODE")
                await becomes(url, 503)
                locked.rollback()
            await becomes(url, 200)

    asyncio.run(story())


def test_strangers_read_no_figures(server: Served) -> None:
    assert ask(server.url, "GET", "/metrics").status == 404
    for word in ("", "Bearer", "Bearer wrong", f"Basic {FIGURES}", f"Bearer {FIGURES}x"):
        assert ask(server.url, "GET", "/metrics", authorization=word).status == 404
    assert ask(server.url, "GET", "/metrics", authorization=f"Bearer {FIGURES}").status == 200


def test_without_a_token_nobody_reads_figures_but_at_a_port_of_their_own(tmp_path: Path) -> None:
    server, port = with_a_port_for_figures(tmp_path)
    try:
        assert ask(server.url, "GET", "/metrics", authorization="Bearer ").status == 404
        beside = f"http://127.0.0.1:{port}"
        told = ask(beside, "GET", "/metrics")
        assert (told.status, "notahat_well 1" in told.body.decode()) == (200, True)
        for path in ("/", "/healthz", "/api/openapi.json"):
            assert ask(beside, "GET", path).status == 404
    finally:
        assert server.stop() == 0


def with_a_port_for_figures(folder: Path) -> tuple[Served, int]:
    """Somebody may take the port that was free a moment ago: then another one."""
    for number in range(10):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        own = folder / str(number)
        own.mkdir()
        server = Served(own, NOTAHAT_METRICS_TOKEN="", NOTAHAT_METRICS=f"127.0.0.1:{port}")
        with suppress(AssertionError):
            return server.start(), port
    raise AssertionError("ten ports were taken")


def test_figures_tell_nothing_about_codes(server: Served) -> None:
    """Whether somebody tries a right code or a wrong one, the figures read afterwards are the same but for how many."""

    async def opened() -> tuple[Client, str]:
        client = await Client(server.url).__aenter__()
        return client, await client.open_table()

    client, code = asyncio.run(opened())
    told = []
    for tried in (code, "ZZZZ"):
        before = figures(server)
        ask(server.url, "GET", f"/api/tables/{tried}", authorization=f"Bearer {client.token}")
        after = figures(server)
        told.append({name for name, value in after.items() if before.get(name) != value})
    assert told[0] - told[1] == told[1] - told[0] == set()
    assert code not in server.figures()


def figures(server: Served) -> dict[str, str]:
    """All but what says of the process what every request changes."""
    of_the_process = ("notahat_cpu_seconds_total", "notahat_resident_bytes", "notahat_open_files", "notahat_tasks")
    lines = [line for line in server.figures().splitlines() if not line.startswith("#")]
    return dict(line.rsplit(" ", 1) for line in lines if not line.startswith(of_the_process))


def test_who_comes_daily_is_not_forgotten(tmp_path: Path) -> None:
    """A server that runs for weeks knows its guests by heart, and still lets the store note that they came."""

    async def weeks() -> None:
        url, now = f"sqlite:///{tmp_path}/tables.db", 0.0
        store = await open_store(url)
        guests = Guests(store, lambda: now)
        token = await guests.welcome()
        guest = await guests.who(token)
        assert guest is not None
        await store._write("UPDATE guests SET seen = 1.0")  # type: ignore[attr-defined]
        assert await guests.who(token) == guest
        assert await store._read("SELECT seen FROM guests") == [(1.0,)]  # type: ignore[attr-defined]
        now += ASK_AGAIN_SECONDS + 1
        assert await guests.who(token) == guest
        ((seen,),) = await store._read("SELECT seen FROM guests")  # type: ignore[attr-defined]
        assert seen > time.time() - 3600
        await store.close()

    asyncio.run(weeks())


def test_figures_count_what_a_process_holds(server: Served) -> None:
    told = server.figures()
    for name in ("resident_bytes", "open_files", "tasks", "threads", "started_seconds"):
        found = re.search(rf"^notahat_{name} (\d+)$", told, re.MULTILINE)
        assert found is not None, name
        assert int(found[1]) > 0
