import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from prometheus_client import generate_latest

from notahat.server.ops.metrics import BUCKETS, Metrics
from notahat.server.settings import Settings
from support.raw_http import send_request
from support.raw_table import open_table
from support.server_process import METRICS_TOKEN, ServerProcess, in_process_server
from support.timeouts import TIMEOUT


def test_metrics_require_the_token(server: ServerProcess) -> None:
    assert send_request(server.url, "GET", "/metrics").status == 404
    for credentials in ("", "Bearer", "Bearer wrong", f"Basic {METRICS_TOKEN}", f"Bearer {METRICS_TOKEN}x"):
        assert send_request(server.url, "GET", "/metrics", authorization=credentials).status == 404
    assert send_request(server.url, "GET", "/metrics", authorization=f"Bearer {METRICS_TOKEN}").status == 200


def test_metrics_port_serves_metrics_and_nothing_else(tmp_path: Path) -> None:
    server, port = start_with_metrics_port(tmp_path)
    try:
        assert send_request(server.url, "GET", "/metrics", authorization="Bearer ").status == 404
        url = f"http://127.0.0.1:{port}"
        response = send_request(url, "GET", "/metrics")
        assert (response.status, "notahat_well " in response.body.decode()) == (200, True)
        assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        for path in ("/", "/healthz", "/api/openapi.json"):
            assert send_request(url, "GET", path).status == 404
    finally:
        assert server.stop() == 0


def start_with_metrics_port(folder: Path) -> tuple[ServerProcess, int]:
    """Start a server with a free metrics port; retry if another process takes that port first."""
    for number in range(10):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        data = folder / str(number)
        data.mkdir()
        server = ServerProcess(data, NOTAHAT_METRICS_TOKEN="", NOTAHAT_METRICS=f"127.0.0.1:{port}")
        with suppress(AssertionError):
            return server.start(), port
    raise AssertionError("no free port in ten attempts")


def test_metrics_reveal_no_codes(tmp_path: Path) -> None:
    """Requests with right and wrong codes change the same metrics."""

    async def scenario() -> None:
        settings = Settings(port=0, store=f"sqlite:///{tmp_path}/tables.db", metrics_token=METRICS_TOKEN)
        async with in_process_server(settings) as url:
            client, code = await open_table(url)
            changed = [
                await asyncio.to_thread(changes, url, tried, f"Bearer {client.token}") for tried in (code, "ZZZZ")
            ]
            assert changed[0] == changed[1] != set()
            assert code not in await asyncio.to_thread(metrics_text, url)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def changes(url: str, tried: str, token: str) -> set[str]:
    """Return the metrics that a request about a table changes, except those that every request changes."""
    before = dict(line.rsplit(" ", 1) for line in metrics_text(url).splitlines())
    send_request(url, "GET", f"/api/tables/{tried}", authorization=token)
    after = dict(line.rsplit(" ", 1) for line in metrics_text(url).splitlines())
    machine = ("well", "cpu_seconds_total", "resident_bytes", "open_files", "tasks", "threads", "disk_free_bytes")
    of_machine = tuple(f"notahat_{name}" for name in machine)
    return {name for name, value in after.items() if before.get(name) != value and not name.startswith(of_machine)}


def metrics_text(url: str) -> str:
    return send_request(url, "GET", "/metrics", authorization=f"Bearer {METRICS_TOKEN}").body.decode()


def test_command_times_are_a_histogram() -> None:
    async def text() -> str:
        metrics = Metrics()
        metrics.observe_command(0.002)
        metrics.observe_command(9.0)
        return generate_latest(metrics).decode()

    lines = [line for line in asyncio.run(text()).splitlines() if line.startswith("notahat_command_seconds")]
    buckets = [float(line.split()[1]) for line in lines if "bucket" in line]
    assert buckets == [0.0] + [1.0] * (len(BUCKETS) - 1) + [2.0]
    assert lines[-2:] == ["notahat_command_seconds_count 2.0", "notahat_command_seconds_sum 9.002"]
