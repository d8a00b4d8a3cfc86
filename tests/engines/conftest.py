"""Run these tests in the installed engines, and only if tests/engines is named on the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from support.server_process import ServerProcess, running_server
from support.webdriver import Engine, Firefox, WebKit


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if any("engines" in argument for argument in config.args) else True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        engines_ = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in engines.installed()]
        metafunc.parametrize("engine", engines_, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("engine")
    path = engines.webkit() if request.param == "WebKit" else engines.firefox()
    assert path is not None
    browser: Engine = WebKit(path, home) if request.param == "WebKit" else Firefox(path, home)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With this seed the first card drawn by three players is a special card."""
    with running_server(tmp_path_factory.mktemp("site"), pace=50.0, seed=1) as server:
        yield server
