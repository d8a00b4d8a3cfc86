from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.serving import Served, served

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
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose computer players and clocks are quick, for people who are not."""
    with served(tmp_path_factory.mktemp("site"), pace=25.0) as server:
        yield server
