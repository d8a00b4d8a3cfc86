from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.server_process import ServerProcess, running_server

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src" / "notahat" / "server" / "static" / "index.html"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from browser import ARGUMENTS, chromium

    assert BUILT.exists(), "the web side is not built: run `make web` first"
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a fast pace: computer players, deadlines and animations."""
    with running_server(tmp_path_factory.mktemp("site"), pace=25.0, coverage=False) as server:
        yield server


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server at normal pace, to measure durations."""
    with running_server(tmp_path_factory.mktemp("unhurried"), pace=1.0, coverage=False) as server:
        yield server
