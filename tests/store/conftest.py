"""Fixtures that run every contract test with both stores."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from notahat.store import Store, open_store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store that can be opened repeatedly."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    return str(request.getfixturevalue("postgres").empty_database())


@pytest.fixture
async def store(url: str, anyio_backend: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    yield store
    await store.close()


@pytest.fixture
def far_ahead(url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Awaitable[None]]:
    """Set the store's clock ahead by some days."""

    async def ahead(days: float) -> None:
        if url.startswith("sqlite"):
            real = time.time
            monkeypatch.setattr(time, "time", lambda: real() + days * 24 * 3600)
        else:  # a database's clock cannot be set: make its rows older instead
            async with await psycopg.AsyncConnection.connect(url, autocommit=True) as operator:
                for table, column in (("tables", "touched"), ("log", "at"), ("guests", "seen")):
                    change = SQL("UPDATE notahat.{} SET {} = {} - make_interval(secs => %s)")
                    names = (Identifier(table), Identifier(column), Identifier(column))
                    await operator.execute(change.format(*names), (days * 24 * 3600,))

    return ahead
