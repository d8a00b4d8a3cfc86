import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from support import failures
from support.server_process import ServerProcess, running_server
from support.static_host import built_site
from support.timeouts import TIMEOUT

ROOT = Path(__file__).parents[2]
ONE_COMPILER = "--js-flags=--liftoff-only --no-opt"  # pages live for seconds: compiling them better takes longer
BUILT = ROOT / "src" / "notahat" / "server" / "static" / "index.html"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from browser import ARGUMENTS, chromium

    assert BUILT.exists(), "the web side is not built: run `make web` first"
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[*ARGUMENTS, ONE_COMPILER], timeout=TIMEOUT * 1000
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a fast pace: computer players, deadlines and animations."""
    with running_server(tmp_path_factory.mktemp("site"), pace=100.0, coverage=False) as server:
        yield server


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server at normal pace, to measure durations."""
    with running_server(tmp_path_factory.mktemp("unhurried"), pace=1.0, coverage=False) as server:
        yield server


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site, which is built once."""
    return built_site(tmp_path_factory)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say where a failed test has kept its pictures, what was shown, and the servers' logs."""
    report = yield
    folder = failures.folder_of(item.nodeid)
    if report.failed and folder.exists():
        kept = ", ".join(sorted(path.name for path in folder.iterdir()))
        report.sections.append(("What the browsers showed", f"{folder.relative_to(ROOT)}: {kept}"))
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget what an earlier run has kept."""
    shutil.rmtree(failures.folder_of(item.nodeid), ignore_errors=True)
