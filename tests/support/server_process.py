"""Servers for tests: processes on a free loopback port, or a server in the test's own event loop."""

import asyncio
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import ClassVar

from notahat.server.main import make_server
from notahat.server.settings import Settings
from notahat.server.timers import Clock
from support import process_guard
from support.stripping_proxy import StrippingProxy
from support.timeouts import TIMEOUT

GUESTS_PER_ADDRESS = "100000"
METRICS_TOKEN = "figures"  # noqa: S105
BELOW_PATH = "NOTAHAT_TEST_BELOW_PATH"
SEED = 7  # deals every table the same; None deals at random


class ServerProcess:
    """A server process that can be stopped and started again on the same data and the same port."""

    program: tuple[str, ...] = ("-m", "notahat")
    running: ClassVar[list["ServerProcess"]] = []

    def __init__(
        self,
        data: Path,
        pace: float = 200.0,
        store: str = "",
        seed: int | None = SEED,
        coverage: bool = True,
        **environment: str,
    ) -> None:
        self._data = data
        self._pace = pace
        self.store = store
        self._unset = () if coverage else ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
        self._environment = {
            "NOTAHAT_GUESTS_PER_ADDRESS": GUESTS_PER_ADDRESS,
            "NOTAHAT_METRICS_TOKEN": METRICS_TOKEN,
            **environment,
        }
        if seed is not None:
            self._environment["NOTAHAT_LUCK"] = str(seed)
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.proxy: StrippingProxy | None = None

    @property
    def port(self) -> int:
        return self._port

    @property
    def url(self) -> str:
        """Where clients reach the server: below a path if it has a proxy."""
        return self.proxy.url if self.proxy else f"http://127.0.0.1:{self._port}"

    @property
    def process(self) -> "subprocess.Popen[str]":
        assert self._process is not None
        return self._process

    def start(self) -> "ServerProcess":
        options = ["--no-browser", "--port", str(self._port), "--data", str(self._data), "--pace", str(self._pace)]
        if self.store:
            options += ["--store", self.store]
        log = (self._data / "server.log").open("a")
        self._process = subprocess.Popen(
            [sys.executable, *self.program, "serve", *options],
            env={name: value for name, value in os.environ.items() if name not in self._unset} | self._environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        log.close()
        process_guard.end_at_exit(self._process)
        self.running.append(self)
        assert self.process.stdout is not None
        greeting = self.process.stdout.readline()
        if not greeting:
            self.stop()
        assert greeting.startswith("Not a Hat is at http://127.0.0.1:"), greeting + self.log
        self._port = int(greeting.rpartition(":")[2])
        return self

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """End the process and return its exit status."""
        if self._process is None:
            return 0
        process_guard.forget(self._process)
        self.running.remove(self)
        self._process.send_signal(signal_number)
        status = self._process.wait(timeout=TIMEOUT)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return status

    def metrics(self) -> str:
        """Return the text of /metrics."""
        headers = {"authorization": f"Bearer {METRICS_TOKEN}"}
        request = urllib.request.Request(self.url + "/metrics", headers=headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
            return str(response.read().decode())

    @property
    def disk_content(self) -> bytes:
        """The bytes of all files in its data folder."""
        return b"".join(path.read_bytes() for path in self._data.iterdir() if path.is_file())

    @property
    def log(self) -> str:
        return (self._data / "server.log").read_text()


@contextmanager
def running_server(
    data: Path, pace: float = 200.0, seed: int | None = SEED, coverage: bool = True, **environment: str
) -> Iterator[ServerProcess]:
    """Run a server for the time of the block. Browser tests turn `coverage` off, because it slows the server.

    With the environment variable `BELOW_PATH` (`make test-below-path`) clients reach it below a path.
    """
    server = ServerProcess(data, pace, seed=seed, coverage=coverage, **environment).start()
    try:
        if BELOW_PATH in os.environ:
            with StrippingProxy(server.port) as server.proxy:
                yield server
        else:
            yield server
    finally:
        server.stop()
    assert '"trace"' not in server.log, server.log
    assert '"level":"error"' not in server.log, server.log


@asynccontextmanager
async def in_process_server(settings: Settings, clock: Clock | None = None) -> AsyncIterator[str]:
    """Run a server inside the test's event loop, for tests that control the clock."""
    server = make_server(settings, clock)
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done()
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.should_exit = True
        await task
