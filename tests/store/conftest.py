"""Every promise of the store is tested with both stores."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notahat.store import Store, open_store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store can be opened, and opened again."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    return str(request.getfixturevalue("postgres").empty_database())


@pytest.fixture
async def store(url: str, anyio_backend: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    yield store
    await store.close()
