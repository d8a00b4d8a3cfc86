"""A test run that is interrupted or killed leaves no process and no folder behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

TIMEOUT = 240.0  # three runs start at once
TESTS = Path(__file__).parents[1]
TEST_MODULE = """
import time
from pathlib import Path
from playwright.sync_api import sync_playwright
from browser import ARGUMENTS, chromium
from support import postgres
from support.server_process import running_server

def test_that_never_ends(tmp_path):
    with running_server(tmp_path) as server, postgres.running() as database, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        browser.new_page().goto(server.url)
        Path("running").touch()
        time.sleep(600)
"""


@pytest.fixture
def short() -> Iterator[Path]:
    """A temporary folder with a short path, for sockets, that every user may traverse."""
    with TemporaryDirectory(prefix="run") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


ENDINGS = {"interrupted": (signal.SIGINT, 1), "terminated": (signal.SIGTERM, 0), "killed": (signal.SIGKILL, 1)}


class TestRun:
    """A test run in its own folder that starts a server, a database and a browser."""

    __test__ = False

    def __init__(self, folder: Path, short: Path, workers: int) -> None:
        self._folder, self._short = folder, short
        folder.mkdir()
        short.mkdir()
        (folder / "test_run.py").write_text(TEST_MODULE)
        self.processes: list[psutil.Process] = []
        with (folder / "output").open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", str(workers), "--basetemp", "base"],
                cwd=folder,
                env={
                    **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))},
                    "PYTHONPATH": f"{TESTS}:{TESTS.parent / 'tools'}",
                    "TMPDIR": str(short),
                },
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait_until_running(self) -> None:
        wait_for(lambda: (self._folder / "running").exists() or self.process.poll() is not None)
        assert self.process.poll() is None, (self._folder / "output").read_text()
        self.processes = psutil.Process(self.process.pid).children(recursive=True)
        names = " ".join(process.name() for process in self.processes)
        assert all(name in names for name in ("postgres", "python", "chrom")), names

    @property
    def is_cleaned_up(self) -> bool:
        if self.process.poll() is None:
            return False
        assert self.process.returncode != 0
        return not any(map(is_running, self.processes)) and not list(self._short.glob("pg*"))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for process in filter(is_running, self.processes):
            process.kill()


def test_processes_end_with_the_test_run(tmp_path: Path, short: Path) -> None:
    """Three runs at once, each ended by another signal."""
    runs = {
        name: TestRun(tmp_path / f"{n}", short / f"{n}", workers)
        for n, (name, (_, workers)) in enumerate(ENDINGS.items())
    }
    try:
        for run in runs.values():
            run.wait_until_running()
        for name, run in runs.items():
            run.process.send_signal(ENDINGS[name][0])
        for name, run in runs.items():
            wait_for(lambda run=run: run.is_cleaned_up, f"{name}: something was left behind")  # type: ignore[misc]
    finally:
        for run in runs.values():
            run.kill()


def is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_for(wanted: Callable[[], bool], error: str = "timeout") -> None:
    deadline = time.monotonic() + TIMEOUT
    while not wanted():
        assert time.monotonic() < deadline, error
        time.sleep(0.1)
