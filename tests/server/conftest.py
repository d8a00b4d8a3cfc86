from collections.abc import Iterator

import pytest

from support.server_process import Served, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One quick server for all tests that do not disturb it."""
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server
