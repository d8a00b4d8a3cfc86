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

PATIENCE = 90.0
TESTS = Path(__file__).parents[1]
A_RUN = """
import time
from pathlib import Path
from playwright.sync_api import sync_playwright
from browser import ARGUMENTS, chromium
from support import postgres
from support.serving import served

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


@pytest.mark.parametrize(("how", "workers"), [(signal.SIGINT, 1), (signal.SIGTERM, 0), (signal.SIGKILL, 1)])
def test_whatever_a_run_started_ends_with_it(tmp_path: Path, short: Path, how: signal.Signals, workers: int) -> None:
    (tmp_path / "test_run.py").write_text(A_RUN)
    with (tmp_path / "said").open("w") as said:
        run = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", str(workers), "--basetemp", "base"],
            cwd=tmp_path,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV"))},
                "PYTHONPATH": f"{TESTS}:{TESTS.parent / 'tools'}",
                "TMPDIR": str(short),
            },
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    family: list[psutil.Process] = []
    try:
        soon(lambda: (tmp_path / "running").exists() or run.poll() is not None)
        assert run.poll() is None, (tmp_path / "said").read_text()
        family = psutil.Process(run.pid).children(recursive=True)
        names = " ".join(process.name() for process in family)
        assert all(name in names for name in ("postgres", "python", "chrom")), names
        run.send_signal(how)
        assert run.wait(PATIENCE) != 0
        soon(lambda: not any(map(lives, family)))
        soon(lambda: not list(short.glob("pg*")))
    finally:
        run.kill()
        run.wait()
        for process in filter(lives, family):
            process.kill()


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def soon(wanted: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < deadline
        time.sleep(0.1)
