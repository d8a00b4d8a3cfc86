import asyncio
import resource
import threading
from pathlib import Path

import pytest

from notahat.server.ops import metrics
from notahat.server.settings import Settings
from notahat.store.sqlite import SqliteStore
from support.raw_http import send_request
from support.server_process import in_process_server
from support.timeouts import TIMEOUT


async def wait_for_status(url: str, status: int) -> None:
    """Wait until /healthz answers with this status."""
    async with asyncio.timeout(TIMEOUT):
        while (response := await asyncio.to_thread(send_request, url, "GET", "/healthz")).status != status:
            await asyncio.sleep(0.01)
    assert b"notahat.db" not in response.body, "the response must not name the file"


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the store for every request."""
    monkeypatch.setattr(metrics, "FRESH_SECONDS", -1.0)


@pytest.mark.usefixtures("uncached")
def test_health_check_fails_while_store_is_not_writable(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with in_process_server(Settings(port=0, store=f"sqlite:///{tmp_path}/notahat.db")) as url:
            await wait_for_status(url, 200)
            limit = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, limit[1]))  # as on a full disk
            try:
                await wait_for_status(url, 503)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limit)
            await wait_for_status(url, 200)
            (tmp_path / "notahat.db").unlink()
            await wait_for_status(url, 503)

    asyncio.run(scenario())
    assert "store is unhealthy" in caplog.text


@pytest.mark.usefixtures("uncached")
def test_health_check_fails_while_reads_are_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes are quick all the time, but nobody could open a table."""
    assert metrics.TIMEOUT_SECONDS < 2, "a load balancer waits two seconds"
    monkeypatch.setattr(metrics, "TIMEOUT_SECONDS", 0.3)
    release = threading.Event()

    async def scenario() -> None:
        store = await SqliteStore.open(f"sqlite:///{tmp_path}/notahat.db")
        checks = metrics.Health(store)
        async with asyncio.timeout(TIMEOUT):
            while not await checks.is_healthy():  # on a busy machine
                pass
            assert store._reader is not None
            store._reader._thread.submit(release.wait, TIMEOUT)
            assert not await checks.is_healthy()
            release.set()
            while not await checks.is_healthy():
                pass
        await store.close()

    asyncio.run(scenario())


@pytest.mark.anyio
async def test_any_error_of_the_store_is_a_failed_check() -> None:
    """A restored file may hold anything, such as an empty table."""

    class BrokenStore:
        async def check_health(self) -> None:
            raise LookupError("no row in the table")

    assert not await metrics.Health(BrokenStore()).is_healthy()  # type: ignore[arg-type]
