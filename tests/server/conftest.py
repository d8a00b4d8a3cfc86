from collections.abc import Iterator

import pytest

from support.server_process import ServerProcess, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return one fast server, shared by all tests that do not stop or change it."""
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server
