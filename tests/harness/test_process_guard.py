"""A test run that is stopped or killed leaves no server, no database, no browser and no folder behind."""

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

PATIENCE = 240.0  # three runs with all they need start at once
TESTS = Path(__file__).parents[1]
A_RUN = """
import time
from pathlib import Path
from playwright.sync_api import sync_playwright
from browser import ARGUMENTS, chromium
from support import postgres
from support.server_process import served

def test_that_never_ends(tmp_path):
    with served(tmp_path) as server, postgres.running() as database, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        browser.new_page().goto(server.url)
        Path("running").touch()
        time.sleep(600)
"""


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for temporary files that everybody may pass through. Names of sockets in it must be short."""
    with TemporaryDirectory(prefix="run") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


HOW = {"stopped by hand": (signal.SIGINT, 1), "told to end": (signal.SIGTERM, 0), "killed": (signal.SIGKILL, 1)}


class Run:
    """A test run in a folder of its own, with everything that tests start."""

    def __init__(self, folder: Path, short: Path, workers: int) -> None:
        self._folder, self._short = folder, short
        folder.mkdir()
        short.mkdir()
        (folder / "test_run.py").write_text(A_RUN)
        self.family: list[psutil.Process] = []
        with (folder / "said").open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", str(workers), "--basetemp", "base"],
                cwd=folder,
                env={
                    **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))},
                    "PYTHONPATH": f"{TESTS}:{TESTS.parent / 'tools'}",
                    "TMPDIR": str(short),
                },
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def meet_everybody(self) -> None:
        soon(lambda: (self._folder / "running").exists() or self.process.poll() is not None)
        assert self.process.poll() is None, (self._folder / "said").read_text()
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        names = " ".join(process.name() for process in self.family)
        assert all(name in names for name in ("postgres", "python", "chrom")), names

    @property
    def has_left_nothing(self) -> bool:
        if self.process.poll() is None:
            return False
        assert self.process.returncode != 0
        return not any(map(lives, self.family)) and not list(self._short.glob("pg*"))

    def clear(self) -> None:
        self.process.kill()
        self.process.wait()
        for process in filter(lives, self.family):
            process.kill()


def test_whatever_a_run_started_ends_with_it(tmp_path: Path, short: Path) -> None:
    """Three runs at once, each ended in another way."""
    runs = {name: Run(tmp_path / f"{n}", short / f"{n}", workers) for n, (name, (_, workers)) in enumerate(HOW.items())}
    try:
        for run in runs.values():
            run.meet_everybody()
        for name, run in runs.items():
            run.process.send_signal(HOW[name][0])
        for name, run in runs.items():
            soon(lambda run=run: run.has_left_nothing, f"{name}: something is left")  # type: ignore[misc]
    finally:
        for run in runs.values():
            run.clear()


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def soon(wanted: Callable[[], bool], otherwise: str = "not yet") -> None:
    deadline = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.1)
