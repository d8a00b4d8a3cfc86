"""Servers for tests: real processes on loopback, on ports that are free."""

import asyncio
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from notahat.clients.python import Client, TableClient
from notahat.server.clock import Clock
from notahat.server.main import make_server
from notahat.server.settings import Settings
from support import process_guard
from support.timeouts import PATIENCE

ENOUGH = "100000"
FIGURES = "figures"  # the token for /metrics
LUCK = 7  # every table of every test is dealt the same, unless a test asks for chance


class Served:
    """A server process that can be stopped and started again on the same data and the same port."""

    program: tuple[str, ...] = ("-m", "notahat")

    def __init__(
        self,
        data: Path,
        pace: float = 200.0,
        store: str = "",
        luck: int | None = LUCK,
        measured: bool = True,
        **environment: str,
    ) -> None:
        self._data = data
        self._pace = pace
        self.store = store
        self._unset = () if measured else ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
        self._environment = {
            "NOTAHAT_GUESTS_PER_ADDRESS": ENOUGH,
            "NOTAHAT_METRICS_TOKEN": FIGURES,
            **environment,
        }
        if luck is not None:
            self._environment["NOTAHAT_LUCK"] = str(luck)
        self._port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def process(self) -> "subprocess.Popen[str]":
        assert self._process is not None
        return self._process

    def start(self) -> "Served":
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
        process_guard.hold(self._process)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if not said:
            self.stop()
        assert said.startswith("Not a Hat is at http://127.0.0.1:"), said + self.log
        self._port = int(said.rpartition(":")[2])
        return self

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self._process is None:
            return 0
        process_guard.let_go(self._process)
        self._process.send_signal(how)
        status = self._process.wait(timeout=PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return status

    def figures(self) -> str:
        """What it tells its operator."""
        said = urllib.request.Request(self.url + "/metrics", headers={"authorization": f"Bearer {FIGURES}"})  # noqa: S310
        with urllib.request.urlopen(said, timeout=PATIENCE) as answer:  # noqa: S310
            return str(answer.read().decode())

    @property
    def kept(self) -> bytes:
        """Every byte that it has on its disk."""
        return b"".join(path.read_bytes() for path in self._data.iterdir() if path.is_file())

    @property
    def log(self) -> str:
        return (self._data / "server.log").read_text()


@contextmanager
def served(
    data: Path, pace: float = 200.0, luck: int | None = LUCK, measured: bool = True, **environment: str
) -> Iterator[Served]:
    """`measured` says whether its lines count as tested: a browser's tests want it quick."""
    server = Served(data, pace, luck=luck, measured=measured, **environment).start()
    try:
        yield server
    finally:
        server.stop()
    assert '"trace"' not in server.log, server.log
    assert '"level":"error"' not in server.log, server.log


@asynccontextmanager
async def serving_here(settings: Settings, clock: Clock | None = None) -> AsyncIterator[str]:
    """A server inside the test's own loop, for tests that hold the clock."""
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


@asynccontextmanager
async def at_table(url: str, code: str, *names: str) -> AsyncIterator[list[TableClient]]:
    """Several people connected to a table, seated in this order."""
    async with AsyncExitStack() as stack:
        tables: list[TableClient] = []
        for name in names:
            client = await stack.enter_async_context(Client(url))
            table = await stack.enter_async_context(client.table(code))
            await table.do("sit", name=name)
            tables.append(table)
        yield tables
