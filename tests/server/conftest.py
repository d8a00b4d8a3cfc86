from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from notahat.server.node import Node
from notahat.server.settings import Settings
from notahat.store import open_store
from support.server_process import ServerProcess, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return one fast server, shared by all tests that do not stop or change it."""
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
async def node(tmp_path: Path, anyio_backend: object) -> AsyncIterator[Node]:
    """Return a node of this process with a store of its own."""
    store = await open_store(f"sqlite:///{tmp_path}/tables.db")
    node = Node(Settings(), store)
    yield node
    await node.close()
    await store.close()
