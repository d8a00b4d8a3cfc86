"""What an operator relies on: /healthz tells the truth, /metrics tells operators alone, people who come are known."""

import asyncio
import re
import resource
import socket
import time
from pathlib import Path

import psycopg

from notahat.client import Client
from notahat.server.guests import ASK_AGAIN_SECONDS, Guests
from notahat.store import open_store
from support.patience import PATIENCE
from support.postgres import Postgres
from support.serving import FIGURES, Served
from support.wireless import ask


def becomes(server: Served, status: int) -> float:
    """How long the slowest answer took until health was told like this."""
    slowest, deadline = 0.0, time.monotonic() + PATIENCE
    while True:
        began = time.monotonic()
        answer = ask(server.url, "GET", "/healthz")
        slowest = max(slowest, time.monotonic() - began)
        if answer.status == status:
            assert b"notahat.db" not in answer.body, "strangers need not know"
            return slowest
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_health_is_bad_while_nothing_can_be_written_and_good_again_after(tmp_path: Path) -> None:
    server = Served(tmp_path).start()
    try:
        becomes(server, 200)
        pid = server.process.pid
        longest = resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))  # as on a full disk
        becomes(server, 503)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, longest)
        becomes(server, 200)
        (tmp_path / "notahat.db").unlink()
        becomes(server, 503)
        assert '"what":"the store is not well"' in server.log
    finally:
        server.stop()


def test_health_is_bad_at_once_when_the_database_is_silent(postgres: Postgres, tmp_path: Path) -> None:
    """No answer may take longer than a load balancer waits: two seconds, and some for a machine that is busy."""
    server = Served(tmp_path, store=postgres.empty_database()).start()
    try:
        becomes(server, 200)
        with psycopg.connect(postgres.address) as locked:  # it lives, and answers nobody
            locked.execute("LOCK TABLE notahat.schema IN ACCESS EXCLUSIVE MODE")
            assert becomes(server, 503) < 10
            locked.rollback()
        becomes(server, 200)
    finally:
        server.stop()


def test_strangers_read_no_figures(server: Served) -> None:
    assert ask(server.url, "GET", "/metrics").status == 404
    for word in ("", "Bearer", "Bearer wrong", f"Basic {FIGURES}", f"Bearer {FIGURES}x"):
        assert ask(server.url, "GET", "/metrics", authorization=word).status == 404
    assert ask(server.url, "GET", "/metrics", authorization=f"Bearer {FIGURES}").status == 200


def test_without_a_token_nobody_reads_figures_but_at_a_port_of_their_own(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = Served(tmp_path, NOTAHAT_METRICS_TOKEN="", NOTAHAT_METRICS=f"127.0.0.1:{port}").start()
    try:
        assert ask(server.url, "GET", "/metrics", authorization="Bearer ").status == 404
        beside = f"http://127.0.0.1:{port}"
        told = ask(beside, "GET", "/metrics")
        assert (told.status, "notahat_well 1" in told.body.decode()) == (200, True)
        for path in ("/", "/healthz", "/api/openapi.json"):
            assert ask(beside, "GET", path).status == 404
    finally:
        assert server.stop() == 0


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
