"""Played where the engines are, by `make test-engines` and `make test`; plain pytest does not ask for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from support.server_process import Served, served
from support.webdriver import Engine, Firefox, WebKit


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if any("engines" in argument for argument in config.args) else True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        one_process_each = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in engines.here()]
        metafunc.parametrize("engine", one_process_each, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("engine")
    path = engines.webkit() if request.param == "WebKit" else engines.firefox()
    assert path is not None
    browser: Engine = WebKit(path, home) if request.param == "WebKit" else Firefox(path, home)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Always the same shuffles; with this luck the first gift drawn by three people is a special card."""
    with served(tmp_path_factory.mktemp("site"), pace=50.0, luck=1) as server:
        yield server
